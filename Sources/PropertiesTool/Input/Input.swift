import Foundation
import PropertyLoaders

/// A file of the command line, or standard input, with the format to read it in.
struct Input {
    private let word: String
    private let format: Format
    private let allowsComments: Bool

    /// The inputs that a command line names.
    ///
    /// - Throws: a `UsageError` where it names none, or one whose format nobody says.
    static func all(_ words: some Sequence<String>, _ arguments: Arguments) throws -> [Input] {
        let inputs = try words.map { try Input($0, arguments) }
        guard !inputs.isEmpty else { throw UsageError("no file is given") }
        return inputs
    }

    /// An input.
    ///
    /// - Parameters:
    ///   - word: a path, or `-` for standard input.
    ///   - arguments: what the command line says of the format.
    init(_ word: String, _ arguments: Arguments) throws {
        let fileExtension = URL(fileURLWithPath: word).pathExtension.lowercased()
        guard let format = try arguments.format() ?? Format(rawValue: fileExtension) else {
            throw UsageError("the format of '\(word)' is not known; say it with --format (\(Format.list))")
        }
        self.format = format
        self.word = word
        allowsComments = !arguments.has(.noComments)
    }

    /// What messages call it.
    var name: String { isStandardInput ? "standard input" : word }

    private var isStandardInput: Bool { word == "-" }

    /// What the input says, as a source of properties.
    func layer() throws -> PropertyLayer {
        isStandardInput ? try loader(bytes: StandardInput.bytes()).load() : try loader().load()
    }

    /// What the input says, whatever stands at its top.
    func document() throws -> PropertyNode {
        let file = isStandardInput ? FileSource(bytes: try StandardInput.bytes(), name: name) : FileSource(url: url)
        let content = try file.read(limit: SyntaxLimits().bytes)
        switch format {
        case .json:
            return try JsonDocument(bytes: content.bytes, name: content.name, allowsComments: allowsComments).root
        case .toml:
            return PropertyNode(.table(try TomlDocument(bytes: content.bytes, name: content.name).table))
        case .plist:
            return try PlistDocument(content).root
        }
    }

    private func loader() -> any PropertyLoader {
        switch format {
        case .json: JsonPropertyLoader(url: url, allowsComments: allowsComments)
        case .toml: TomlPropertyLoader(url: url)
        case .plist: PlistPropertyLoader(url: url)
        }
    }

    private func loader(bytes: [UInt8]) -> any PropertyLoader {
        switch format {
        case .json: JsonPropertyLoader(bytes: bytes, name: name, allowsComments: allowsComments)
        case .toml: TomlPropertyLoader(bytes: bytes, name: name)
        case .plist: PlistPropertyLoader(bytes: bytes, name: name)
        }
    }

    // A relative path stays relative, so that messages show it as it was typed.
    private var url: URL { URL(fileURLWithPath: word) }
}

/// A layer that was loaded before.
struct Loaded: PropertyLoader {
    let layer: PropertyLayer

    func load() -> PropertyLayer { layer }
}
