import Foundation
import PropertyLoaders

/// A file of the command line, or standard input, with the format to read it in.
struct Input {
    private let word: String
    private let format: Format
    private let allowsComments: Bool

    /// An input.
    ///
    /// - Parameters:
    ///   - word: a path, or `-` for standard input.
    ///   - arguments: what the command line says of the format.
    init(_ word: String, _ arguments: Arguments) throws {
        guard let format = try arguments.format() ?? Self.format(of: word) else {
            throw UsageError("the format of '\(word)' is not known; say it with --format (\(Format.list))")
        }
        guard !word.isSame(as: "-") || format != .directory else { throw UsageError("standard input is no directory") }
        self.format = format
        self.word = word
        allowsComments = !arguments.has(.noComments)
    }

    /// What messages call it.
    var name: String { isStandardInput ? "standard input" : word }

    private var isStandardInput: Bool { word.isSame(as: "-") }

    /// What the input says, whatever stands at its top.
    func document() throws -> PropertyNode {
        let file = isStandardInput ? FileSource(bytes: try StandardInput.bytes(), name: name) : FileSource(url: url)
        let content = try file.read(limit: SyntaxLimits().bytes)
        switch format {
        case .json:
            return try DocumentProperties(json: content, allowsComments: allowsComments).root
        case .toml:
            return try DocumentProperties(toml: content).root
        case .plist:
            return try PlistDocument(content).root
        case .env, .directory:
            throw UsageError("decode takes json, toml and plist")
        }
    }

    /// What the input is loaded with; standard input is read here, once.
    func loader() throws -> any PropertyLoader {
        isStandardInput ? try loader(bytes: StandardInput.bytes()) : fileLoader()
    }

    private func fileLoader() -> any PropertyLoader {
        switch format {
        case .json: JsonPropertyLoader(url: url, allowsComments: allowsComments)
        case .toml: TomlPropertyLoader(url: url)
        case .plist: PlistPropertyLoader(url: url)
        case .env: DotEnvPropertyLoader(url: url)
        case .directory: DirectoryPropertyLoader(url: url)
        }
    }

    private func loader(bytes: [UInt8]) -> any PropertyLoader {
        switch format {
        case .json: JsonPropertyLoader(bytes: bytes, name: name, allowsComments: allowsComments)
        case .toml: TomlPropertyLoader(bytes: bytes, name: name)
        case .plist: PlistPropertyLoader(bytes: bytes, name: name)
        // A directory comes as no bytes: `init` refuses it.
        case .env, .directory: DotEnvPropertyLoader(bytes: bytes, name: name)
        }
    }

    private static func format(of word: String) -> Format? {
        var isDirectory: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: word, isDirectory: &isDirectory), isDirectory.boolValue {
            return .directory
        }
        // The names that the ladder of sources reads.
        let url = URL(fileURLWithPath: word)
        let end = url.pathExtension.lowercased()
        let format = end.isSame(as: "jsonc") ? .json : Format(end)
        return format ?? (url.lastPathComponent.begins(with: ".env") ? .env : nil)
    }

    // A relative path stays relative, so that messages show it as it was typed.
    private var url: URL { URL(fileURLWithPath: word) }
}
