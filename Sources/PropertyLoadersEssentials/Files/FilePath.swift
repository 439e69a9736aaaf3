/// The absolute paths of file URLs.
enum FilePath {
    /// Returns the absolute path of a file URL, and its source, whose name in messages is the path as the user gave it.
    ///
    /// The path may contain `..`, which only the system resolves correctly: after a link, `..` is the parent of the
    /// target of the link.
    ///
    /// - Throws: the error if it is another URL, or if its path is not UTF-8.
    static func source(
        of url: URL, isSecret: Bool = false
    ) throws(PropertyLoadError) -> (path: String, source: PropertySource) {
        let unnamed = PropertySource(name: url.absoluteString, isSecret: isSecret)
        guard url.isFileURL else {
            // Without a working directory, Foundation makes no file URL of a relative path.
            let isRelative = url.scheme == nil && FileManager.default.currentDirectoryPath.isEmpty
            throw (isRelative ? FileDiagnostic.noWorkingDirectory : .notAFileURL).error(at: unnamed)
        }
        // Foundation returns an empty path if the percent-encoded bytes are not UTF-8.
        guard !url.path.isEmpty else { throw FileDiagnostic.notText.error(at: unnamed) }
        let path = Self.path(of: url)
        return (path, PropertySource(name: url.relativePath, identity: identity(of: path), isSecret: isSecret))
    }

    /// Returns the path without `.` and empty parts, which is compared with the identities of other sources.
    ///
    /// `..` and links are kept: after a link, the part before `..` is not its parent, and a source must keep its identity
    /// when a link in its path gets another target.
    private static func identity(of path: String) -> String {
        "/" + path.parts(between: "/").filter { !$0.isEmpty && !$0.isSame(as: ".") }.joined(separator: "/")
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
}
