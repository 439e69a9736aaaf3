import Properties

/// Finds the secret files of a source that are exposed: files that other users may read, and links to files outside of
/// their directory.
struct SecretFiles {
    private let directory: String?
    /// The path of the directory with all links resolved, or nil until it is needed.
    private var root: String?
    /// For each directory that was checked, whether every user can search it and the directories above it.
    private var isSearchable: [PropertyKey: Bool] = [:]
    private var exposed = Findings(), outside = Findings()

    /// The files with one problem. The warning names the first file and the number of others.
    private struct Findings {
        var first: (source: PropertySource, target: String)?
        var others = 0

        mutating func add(_ source: PropertySource, _ target: String) {
            if first == nil { first = (source, target) } else { others += 1 }
        }

        var more: String { others == 0 ? "" : " (and \(others) more like it)" }
    }

    /// Creates an instance without files.
    ///
    /// - Parameter directory: the directory that the files must be in, or nil if they may be anywhere.
    init(in directory: String? = nil) { self.directory = directory }

    /// Checks a file that was read, and records its problems.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - source: the source that a warning names.
    /// - Throws: the error of a system call about the file or a directory above it.
    mutating func add(_ path: String, _ source: PropertySource) throws(FileDiagnostic) {
        guard let status = try System.status(at: path), status.kind == .regular else { return }
        guard let target = try System.realPath(path) else { return }
        if status.isOpenToAll, try isReachedByAll(target) { exposed.add(source, target) }
        guard let directory else { return }
        if root == nil { root = try System.realPath(directory) }
        if let root, !target.begins(with: "\(root)/") { outside.add(source, target) }
    }

    /// At most one warning for each problem: files outside of the directory, and files that every user may read.
    var warnings: [PropertyLoadError] {
        var warnings: [PropertyLoadError] = []
        if let file = outside.first {
            warnings.append(
                PropertyLoadError(
                    .exposed, "this secret is a link to \(file.target), outside its directory\(outside.more)",
                    at: PropertyOrigin(source: file.source), remedy: "Put the file itself into the directory"))
        }
        if let file = exposed.first {
            warnings.append(
                PropertyLoadError(
                    .exposed, "every user may read this secret file\(exposed.more)",
                    at: PropertyOrigin(source: file.source),
                    remedy: "Take the permission away with chmod o-r; in Kubernetes set defaultMode to 0400"))
        }
        return warnings
    }

    // Whether every user can search all directories above a path. A directory that other users may not search protects
    // everything below it.
    private mutating func isReachedByAll(_ path: String) throws(FileDiagnostic) -> Bool {
        guard let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return true }
        let parent = String(path[..<end])
        if let known = isSearchable[PropertyKey(parent)] { return known }
        let isSearched = try System.status(at: parent.isEmpty ? "/" : parent)?.isOpenToAll == true
        let isReached = isSearched ? try isReachedByAll(parent) : false
        isSearchable[PropertyKey(parent)] = isReached
        return isReached
    }
}
