internal import SharedState

/// The input of a loader: a file, or bytes.
///
/// All loaders of files use it, so that all loaders have the same messages about a missing file, a directory or a
/// device.
package struct FileSource: NamedSource, Sendable {
    /// The bytes of a source, with its name and identity.
    package struct Content: Sendable {
        /// All bytes of the source.
        package var bytes: [UInt8]
        /// The name for messages: the path as the user gave it.
        package let name: String
        /// The identity. A store treats two sources with the same identity as one. For a file it is the normalized path.
        package let identity: String
        /// The path of the file that was read. Empty for a source of bytes.
        package let files: [String]

        /// Returns the source of content that is text. A place in it is an offset into the text.
        package func source(text: SourceText) -> PropertySource {
            PropertySource(name: name, identity: identity, text: text)
        }

        /// Returns the source of content that is not text.
        package func source() -> PropertySource {
            PropertySource(name: name, identity: identity)
        }
    }

    package let sourceName: String
    private let content: @Sendable (_ limit: Int) throws -> Content

    /// Creates a source that reads a file on each call of `read`.
    package init(url: URL) {
        sourceName = PrintableText.escaped(url.relativePath)
        content = { try Self.read(url, limit: $0) }
    }

    /// Creates a source that reads a file on each call of `read`. If it is a named pipe, it is read once, and kept: its
    /// writer may ask the user each time.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - pipeTimeout: the maximum time of reading a pipe.
    package init(url: URL, pipeTimeout: Duration) {
        sourceName = PrintableText.escaped(url.relativePath)
        let kept = Guarded<[UInt8]?>(nil)
        content = { limit in
            let (path, source) = try FilePath.source(of: url)
            let isPipe = try source.naming { () throws(FileDiagnostic) in try System.status(at: path)?.kind == .pipe }
            guard isPipe else { return try Self.read(url, limit: limit) }
            let bytes =
                try kept.withLock { $0 }
                ?? source.naming { () throws(FileDiagnostic) in
                    try NamedPipe.bytes(at: path, limit: limit, within: pipeTimeout)
                }
            kept.withLock { $0 = bytes }
            return Content(bytes: bytes, name: source.name, identity: source.identity ?? path, files: [])
        }
    }

    /// Creates a source of bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - name: the name for messages.
    ///   - identity: the identity; by default the name.
    package init(bytes: some Sequence<UInt8>, name: String, identity: String? = nil) {
        sourceName = PrintableText.escaped(name)
        let all = Content(bytes: Array(bytes), name: name, identity: identity ?? name, files: [])
        content = { limit in
            guard all.bytes.count <= limit else {
                throw FileDiagnostic.tooLarge(all.bytes.count, limit: limit).error(at: all.source())
            }
            return all
        }
    }

    /// Creates a source that looks up a file and reads it on each call of `read`.
    ///
    /// - Parameter lookup: returns the URL of the file, or throws a `PropertyLoadError` that names the places where it
    ///   looked.
    package init(lookup: @escaping @Sendable () throws -> URL) {
        sourceName = "a file that is looked up"
        content = { try Self.read(lookup(), limit: $0) }
    }

    /// Reads all bytes.
    ///
    /// - Parameter limit: the limit on the size in bytes. A larger file is rejected before it is read.
    /// - Returns: the bytes, with the name and the identity of the source.
    /// - Throws: a `PropertyLoadError` if the file does not exist, exceeds the limit, or cannot be read.
    package func read(limit: Int) throws -> Content { try content(limit) }

    private static func read(_ url: URL, limit: Int) throws -> Content {
        let (path, source) = try FilePath.source(of: url)
        let bytes = try source.naming { () throws(FileDiagnostic) in
            do throws(FileDiagnostic) { return try RegularFile.bytes(at: path, limit: limit) } catch .missing {
                throw .missing(source.name, at: path)
            }
        }
        return Content(bytes: bytes, name: source.name, identity: source.identity ?? path, files: [path])
    }
}
