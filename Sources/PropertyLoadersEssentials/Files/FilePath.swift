import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An absolute path, and the form of it that identifies a source.
struct FilePath: Sendable {
    /// The path as the user gave it.
    ///
    /// Only the system resolves `..`: after a link it leads to the parent of the link's target.
    let path: String

    /// The path without `.`, empty parts and `..`, to compare with the identities of other sources.
    ///
    /// `..` stays after anything but a directory, so that two files never share an identity. Links stay, too: a source
    /// stays the same one when a link on its path gets another target.
    var identity: String {
        var parts: [Substring] = []
        for part in path.parts(between: "/") where !part.isEmpty && !part.isSame(as: ".") {
            if part.isSame(as: ".."), Self.isDirectory(parts) {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// Takes the path of a file URL.
    ///
    /// Not `URL.path`, which resolves the `..` of a relative URL without regard to links.
    init(_ url: URL) {
        path = Self.path(of: url)
    }

    private static func path(of url: URL) -> String {
        let path = url.relativePath
        if path.begins(with: "/") { return path }
        guard let base = url.baseURL else { return "\(FileManager.default.currentDirectoryPath)/\(path)" }
        var directory = Self.path(of: base)[...]
        // RFC 3986, 5.2.3: the last part of a base that does not end in a slash is replaced.
        if !base.hasDirectoryPath, let end = directory.utf8.lastIndex(of: UInt8(ascii: "/")) {
            directory = directory[..<end]
        }
        return directory.utf8.last == UInt8(ascii: "/") ? "\(directory)\(path)" : "\(directory)/\(path)"
    }

    private static func isDirectory(_ parts: [Substring]) -> Bool {
        guard let last = parts.last else { return true }
        if last.isSame(as: "..") { return false }
        let status = try? System.status(ofLink: "/" + parts.joined(separator: "/"))
        return status?.kind == .directory
    }
}
