import Foundation
import PropertyLoaders

/// A file on the command line, a pipe, or standard input, and its format.
struct Input {
    /// The size limit of standard input and pipes, in bytes. The limits of the loaders are the same or lower.
    private static let sizeLimit = 64 << 20

    private let word: String
    private let format: FileFormat?

    /// Creates an input.
    ///
    /// - Parameters:
    ///   - word: a path, or `-` for standard input.
    ///   - arguments: the arguments of the command, whose options may include the format.
    init(_ word: String, _ arguments: Arguments) {
        self.word = word
        let option = arguments[.format].flatMap { FileFormat(rawValue: $0) }
        // `--format` is for a pipe or a directory. A file keeps the format of its name.
        let named = FileFormat(of: URL(fileURLWithPath: word))
        format = Self.isStream(word) || Self.isDirectory(word) ? option ?? named : named ?? option
    }

    /// Creates an input of a known format, whatever its name is.
    init(_ word: String, as format: FileFormat) {
        self.word = word
        self.format = format
    }

    /// The name for messages.
    var name: String { isStandardInput ? "standard input" : word }

    private var isStandardInput: Bool { word.isSame(as: "-") }

    // A relative path stays relative, so that messages show it as it was typed.
    private var url: URL { URL(fileURLWithPath: word) }

    /// The path of the file, or nil if the input is not a regular file, and cannot be read again.
    var file: URL? { isStream || format == .directory ? nil : url }

    /// Whether the input is standard input, a pipe or a device, which can be read only once.
    var isStream: Bool { Self.isStream(word) }

    private static func isStream(_ word: String) -> Bool {
        if word.isSame(as: "-") { return true }
        var status = stat()
        return unsafe stat(word, &status) == 0 && [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Throws a `UsageError` if a stream is there twice. It would be empty when it is read again.
    static func refuseRepeatedStreams(_ inputs: [Input]) throws {
        var names: Set<PropertyKey> = []
        for stream in inputs.filter(\.isStream) where !names.insert(PropertyKey(stream.name)).inserted {
            throw UsageError("\(stream.name) cannot be read twice; expected a file")
        }
    }

    /// Returns the format.
    ///
    /// - Throws: a `UsageError` if neither the name nor `--format` determines it, or if the format of a stream is
    ///   `directory`; or a `PropertyLoadError` if there is nothing with the name.
    func knownFormat() throws -> FileFormat {
        if Self.isDirectory(word) {
            guard format == .directory else { throw UsageError(directoryAdvice) }
            return .directory
        }
        guard let format else {
            if !isStream, !FileManager.default.fileExists(atPath: word) {
                let kind = word.ends(with: "/") ? "directory" : "file"
                throw PropertyLoadError(
                    .notFound, "no such \(kind)", at: PropertyOrigin(source: PropertySource(name: word)),
                    remedy: "Check the path, and the directory that the program was started in")
            }
            throw UsageError("the format of '\(word)' is not known; name it with --format (\(FileFormat.list))")
        }
        guard !isStream || format != .directory else { throw UsageError("\(name) is not a directory") }
        return format
    }

    /// The remedy if the input is a directory.
    private var directoryAdvice: String {
        let secrets = "for a mount of secrets, in which each file is one property, add --format directory"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: word)) ?? []
        let files = names.sorted().filter { FileFormat(of: URL(fileURLWithPath: $0)) != nil }
        guard !files.isEmpty else { return "'\(word)' is a directory; expected a file; \(secrets)" }
        let list = BoundedList(files.map { "'\($0)'" }, limit: 5)
        return "'\(word)' is a directory; expected its files, in the order in which they are merged: "
            + "\(list.text); \(secrets)"
    }

    /// Reads all bytes. Call this only once for a stream.
    func content() throws -> FileSource.Content {
        let source = isStream ? FileSource(bytes: try bytes(), name: name) : FileSource(url: url)
        return try source.read(limit: Self.sizeLimit)
    }

    /// Reads the document and returns its top-level value, which need not be a table.
    func document() throws -> PropertyNode {
        let format = try knownFormat()
        let content = try content()
        switch format {
        case .json: return try DocumentProperties(json: content).root
        case .toml: return try DocumentProperties(toml: content).root
        case .plist: return try PlistDocument(content).root
        case .env, .directory: throw UsageError("decode takes json, toml and plist")
        }
    }

    /// Returns a loader of the input. Call this only once for a stream, because it reads the stream to its end.
    ///
    /// - Parameter prefix: the prefix of the names that are loaded, if the format is `.env`.
    /// - Returns: the loader.
    /// - Throws: an error if the format is not known, or if the stream cannot be read.
    func loader(prefix: String = "") throws -> any PropertyLoader {
        let format = try knownFormat()
        return loader(isStream ? FileSource(bytes: try bytes(), name: name) : FileSource(url: url), url, format, prefix)
    }

    /// Returns a loader of the file of a profile, such as `config.production.toml` for `config.toml`, which must exist.
    func profileLoader(_ profile: String) throws -> any PropertyLoader {
        guard let file else {
            throw UsageError("\(Option.profile.text): \(name) has no profiles; expected a file as the first one")
        }
        let format = try knownFormat()
        let sources = PropertySources.profileFiles(url: file, profile: profile) { url in
            loader(FileSource(url: url), url, format)
        }
        guard sources.loaders.count == 2, let loader = sources.loaders[1] as? any PropertyLoader else {
            throw UsageError("\(Option.profile.text): the name is empty")
        }
        return loader
    }

    private func loader(
        _ source: FileSource, _ url: URL, _ format: FileFormat, _ prefix: String = ""
    ) -> any PropertyLoader {
        switch format {
        case .json: JsonPropertyLoader(source, SyntaxLimits())
        case .toml: TomlPropertyLoader(source, SyntaxLimits())
        case .plist: PlistPropertyLoader(source)
        case .env: DotEnvPropertyLoader(source, prefix, DotEnvPropertyLoader.defaultSizeLimit)
        case .directory: DirectoryPropertyLoader(url: url)
        }
    }

    private static func isDirectory(_ word: String) -> Bool {
        var isDirectory: ObjCBool = false
        return unsafe FileManager.default.fileExists(atPath: word, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    /// Reads a stream to its end, or until it exceeds the size limit of the loaders, which then throw an error.
    ///
    /// - Throws: a `PropertyLoadError` if it cannot be read.
    private func bytes() throws -> [UInt8] {
        let descriptor = isStandardInput ? STDIN_FILENO : unsafe open(word, O_RDONLY)
        guard descriptor >= 0 else { throw unreadable(errno) }
        defer { if !isStandardInput { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= Self.sizeLimit {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count > 0 {
                bytes += chunk.prefix(count)
            } else if errno != EINTR {
                throw unreadable(errno)
            }
        }
        return bytes
    }

    private func unreadable(_ code: Int32) -> PropertyLoadError {
        PropertyLoadError(
            .unreadable, "the input cannot be read: \(unsafe String(cString: strerror(code)))",
            at: PropertyOrigin(source: PropertySource(name: name)), expected: "a file or a pipe",
            remedy: "Check what the input is connected to, and its permissions")
    }
}
