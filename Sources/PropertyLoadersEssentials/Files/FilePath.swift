import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An absolute path, with a normalized form that identifies a source.
struct FilePath: Sendable {
    /// The absolute path, otherwise as the user gave it.
    ///
    /// It may contain `..`, which only the system resolves correctly: after a link, `..` is the parent of the target of
    /// the link.
    let path: String

    /// The normalized path, which is compared with the identities of other sources.
    ///
    /// `.` and empty parts are removed. `..` is removed together with the part before it, but only if that part is a
    /// directory: after a link or a missing part it is kept, since two different files could otherwise have the same
    /// identity. Links are not resolved, so that a source keeps its identity when a link in its path gets another
    /// target.
    ///
    /// - Throws: the error if it cannot be determined whether a part is a directory. Without an error, the source would
    ///   have another identity as long as the failure lasts.
    func identity() throws(FileDiagnostic) -> String {
        var parts: [Substring] = []
        for part in path.parts(between: "/") where !part.isEmpty && !part.isSame(as: ".") {
            if part.isSame(as: ".."), try Self.isDirectory(parts) {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Creates the path of a file URL.
    ///
    /// - Throws: the error if it is another URL, or if its path is not UTF-8.
    init(_ url: URL) throws(FileDiagnostic) {
        guard url.isFileURL else { throw .notAFileURL }
        // Foundation returns an empty path if the percent-encoded bytes are not UTF-8.
        guard !url.path.isEmpty else { throw .notText }
        path = Self.path(of: url)
    }

    /// Returns the path of a file URL, and its source, whose name in messages is the path as the user gave it.
    ///
    /// - Throws: the error of the URL or of its identity.
    static func source(
        of url: URL, isSecret: Bool = false
    ) throws(PropertyLoadError) -> (path: String, source: PropertySource) {
        let file = try PropertySource(name: url.absoluteString, isSecret: isSecret).naming {
            () throws(FileDiagnostic) in try FilePath(url)
        }
        let name = url.relativePath
        let identity = try PropertySource(name: name, isSecret: isSecret).naming {
            () throws(FileDiagnostic) in try file.identity()
        }
        return (file.path, PropertySource(name: name, identity: identity, isSecret: isSecret))
    }

    // Does not use `URL.path`, which removes the `..` of a relative URL even after a link.
    private static func path(of url: URL) -> String {
        let path = url.relativePath
        if path.begins(with: "/") { return path }
        guard let base = url.baseURL else { return "\(FileManager.default.currentDirectoryPath)/\(path)" }
        var directory = Self.path(of: base)[...]
        // RFC 3986, 5.2.3: if the base does not end in a slash, its last part is replaced.
        if !base.hasDirectoryPath, let end = directory.utf8.lastIndex(of: UInt8(ascii: "/")) {
            directory = directory[..<end]
        }
        return directory.utf8.last == UInt8(ascii: "/") ? "\(directory)\(path)" : "\(directory)/\(path)"
    }

    private static func isDirectory(_ parts: [Substring]) throws(FileDiagnostic) -> Bool {
        guard let last = parts.last else { return true }
        if last.isSame(as: "..") { return false }
        return try System.status(ofLink: "/" + parts.joined(separator: "/"))?.kind == .directory
    }
}
