package import Properties

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The input of a loader: a file, or bytes.
///
/// All loaders of files share it, so that a missing file, a directory or a device has the same message everywhere.
package struct FileSource: Sendable {
    /// The bytes of a source, with its name and identity.
    package struct Content: Sendable {
        /// The bytes, whole.
        package var bytes: [UInt8]
        /// The name for messages: the path as the user gave it.
        package let name: String
        /// Two sources with one identity are the same source. For a file it is `FilePath.identity`.
        package let identity: String
        /// The files that were read: one or none.
        package let files: [String]

        /// Makes the source of text, whose places are offsets into the text.
        package func source(text: SourceText) -> PropertySource {
            PropertySource(name: name, identity: identity, text: text)
        }

        /// Makes the source of content that is not text.
        package func source() -> PropertySource {
            PropertySource(name: name, identity: identity)
        }
    }

    private enum Kind: Sendable {
        case file(URL)
        case bytes([UInt8], name: String)
        case lookup(@Sendable () throws -> URL)
    }
    private let kind: Kind

    /// Makes a source that reads a file on each call of `read`.
    package init(url: URL) { kind = .file(url) }

    /// Makes a source of bytes.
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - name: the name for messages, and the identity.
    package init(bytes: some Sequence<UInt8>, name: String) { kind = .bytes(Array(bytes), name: name) }

    /// Makes a source that looks a file up and reads it on each call of `read`.
    ///
    /// - Parameter lookup: returns the file's URL, or throws a `PropertyLoadError` that tells where it looked.
    package init(lookup: @escaping @Sendable () throws -> URL) { kind = .lookup(lookup) }

    /// Reads all bytes.
    ///
    /// - Parameter limit: the limit on the size in bytes. A larger file is rejected before it is read.
    /// - Returns: the bytes, with the name and the identity of the source.
    /// - Throws: a `PropertyLoadError` if the file does not exist, is larger, or cannot be read.
    package func read(limit: Int) throws -> Content {
        switch kind {
        case .file(let url): return try Self.read(url, limit: limit)
        case .lookup(let lookup): return try Self.read(lookup(), limit: limit)
        case .bytes(let bytes, let name):
            let content = Content(bytes: bytes, name: name, identity: name, files: [])
            guard bytes.count <= limit else {
                throw FileDiagnostic.tooLarge(bytes.count, limit: limit).error(at: content.source())
            }
            return content
        }
    }

    private static func read(_ url: URL, limit: Int) throws -> Content {
        guard url.isFileURL else {
            throw FileDiagnostic.notAFileURL.error(at: PropertySource(name: url.absoluteString))
        }
        let file = FilePath(url)
        var content = Content(bytes: [], name: url.relativePath, identity: file.identity, files: [file.path])
        content.bytes = try content.source().naming { () throws(FileDiagnostic) in
            try RegularFile.bytes(at: file.path, limit: limit)
        }
        return content
    }
}

// MARK: - Conformances

extension FileSource: NamedSource {
    /// The name for messages.
    package var sourceName: String {
        switch kind {
        case .file(let url): PrintableText.escaped(url.relativePath)
        case .bytes(_, let name): PrintableText.escaped(name)
        case .lookup: "a file that is looked for"
        }
    }
}
