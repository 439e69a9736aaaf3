import Foundation
import PropertyLoaders

/// A file on the command line, or standard input, and its format.
struct Input {
    private let word: String
    private let format: FileFormat
    private let allowsComments: Bool

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - word: a path, or `-` for standard input.
    ///   - arguments: the arguments of the command, whose options may include the format.
    /// - Throws: a `UsageError` if the format is not known, or standard input has the format `directory`.
    init(_ word: String, _ arguments: Arguments) throws {
        guard let format = try arguments.format() ?? Self.format(of: word) else {
            throw UsageError("the format of '\(word)' is not known; name it with --format (\(FileFormat.list))")
        }
        guard !word.isSame(as: "-") || format != .directory else {
            throw UsageError("standard input is not a directory")
        }
        self.format = format
        self.word = word
        allowsComments = !arguments.has(.noComments)
    }

    /// The name for messages.
    var name: String { isStandardInput ? "standard input" : word }

    private var isStandardInput: Bool { word.isSame(as: "-") }

    // A relative path stays relative, so that messages show it as it was typed.
    private var url: URL { URL(fileURLWithPath: word) }

    /// Reads the document and returns its top-level value, which need not be a table.
    func document() throws -> PropertyNode {
        let content = try source().read(limit: SyntaxLimits().bytes)
        switch format {
        case .json: return try DocumentProperties(json: content, allowsComments: allowsComments).root
        case .toml: return try DocumentProperties(toml: content).root
        case .plist: return try PlistDocument(content).root
        case .env, .directory: throw UsageError("decode takes json, toml and plist")
        }
    }

    /// Returns a loader of the input. Call this only once, because it reads standard input to its end.
    func loader() throws -> any PropertyLoader {
        if !isStandardInput {
            return switch format {
            case .json: JsonPropertyLoader(url: url, allowsComments: allowsComments)
            case .toml: TomlPropertyLoader(url: url)
            case .plist: PlistPropertyLoader(url: url)
            case .env: DotEnvPropertyLoader(url: url)
            case .directory: DirectoryPropertyLoader(url: url)
            }
        }
        let bytes = try Self.standardInput()
        return switch format {
        case .json: JsonPropertyLoader(bytes: bytes, name: name, allowsComments: allowsComments)
        case .toml: TomlPropertyLoader(bytes: bytes, name: name)
        case .plist: PlistPropertyLoader(bytes: bytes, name: name)
        // `init` rejects a directory on standard input.
        case .env, .directory: DotEnvPropertyLoader(bytes: bytes, name: name)
        }
    }

    private func source() throws -> FileSource {
        isStandardInput ? FileSource(bytes: try Self.standardInput(), name: name) : FileSource(url: url)
    }

    private static func format(of word: String) -> FileFormat? {
        var isDirectory: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: word, isDirectory: &isDirectory), isDirectory.boolValue {
            return .directory
        }
        return FileFormat(of: URL(fileURLWithPath: word))
    }

    /// Reads standard input to its end, or until it exceeds the size limit of the loaders, which then throw an error.
    ///
    /// - Throws: a `POSIXError` if it cannot be read.
    private static func standardInput(limit: Int = 64 << 20) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= limit {
            let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 {
                bytes += chunk.prefix(count)
            } else if errno != EINTR {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }
        return bytes
    }
}

extension FileFormat {
    /// All formats, for a message.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
