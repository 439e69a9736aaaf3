/// Finds the secret files of a source that every user may read.
struct SecretFiles {
    /// For each directory that was checked, whether every user can search it and the directories above it.
    private var isSearchable: [PropertyKey: Bool] = [:]
    /// The first of the files, and the number of the others.
    private var first: PropertySource?
    private var others = 0

    /// Checks a file that was read.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - source: the source that a warning names.
    /// - Throws: the error of a system call about the file or a directory above it.
    mutating func add(_ path: String, _ source: PropertySource) throws(FileDiagnostic) {
        guard let status = try System.status(at: path), status.kind == .regular, status.isOpenToAll,
            let target = try System.realPath(path), try isReachedByAll(target)
        else { return }
        if first == nil { first = source } else { others += 1 }
    }

    /// The warning about the files, or an empty array if there are none.
    var warnings: [PropertyLoadError] {
        guard let first else { return [] }
        let more = others == 0 ? "" : " (and \(others) more like it)"
        return [
            PropertyLoadError(
                .exposed, "every user may read this secret file\(more)", at: PropertyOrigin(source: first),
                remedy: "Take the permission away with chmod o-r; in Kubernetes set defaultMode to 0400")
        ]
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
