import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The absolute paths of file URLs.
enum FilePath {
    /// Returns the absolute path of a file URL, and its source, whose name in messages is the path as the user gave it.
    ///
    /// The path may contain `..`, which only the system resolves correctly: after a link, `..` is the parent of the
    /// target of the link.
    ///
    /// - Throws: the error if it is another URL, if its path is not UTF-8, or if it has no identity.
    static func source(
        of url: URL, isSecret: Bool = false
    ) throws(PropertyLoadError) -> (path: String, source: PropertySource) {
        let unnamed = PropertySource(name: url.absoluteString, isSecret: isSecret)
        guard url.isFileURL else { throw FileDiagnostic.notAFileURL.error(at: unnamed) }
        // Foundation returns an empty path if the percent-encoded bytes are not UTF-8.
        guard !url.path.isEmpty else { throw FileDiagnostic.notText.error(at: unnamed) }
        let path = Self.path(of: url), name = url.relativePath
        let identity = try PropertySource(name: name, isSecret: isSecret).naming {
            () throws(FileDiagnostic) in try Self.identity(of: path)
        }
        return (path, PropertySource(name: name, identity: identity, isSecret: isSecret))
    }

    /// Returns the normalized path, which is compared with the identities of other sources.
    ///
    /// `.` and empty parts are removed. `..` is removed together with the part before it, but only if that part is a
    /// directory: after a link or a missing part it is kept, since two different files could otherwise have the same
    /// identity. Links are not resolved, so that a source keeps its identity when a link in its path gets another
    /// target.
    ///
    /// - Throws: the error if it cannot be determined whether a part is a directory. Without an error, the source would
    ///   have another identity as long as the failure lasts.
    private static func identity(of path: String) throws(FileDiagnostic) -> String {
        var parts: [Substring] = []
        for part in path.parts(between: "/") where !part.isEmpty && !part.isSame(as: ".") {
            if part.isSame(as: ".."), try isDirectory(parts) {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
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
