import Properties

/// Finds the directories and files in which a change can affect a set of files.
///
/// Files are rarely written in place: an editor renames a new file over the old one, Kubernetes replaces the link
/// `..data` in the path of a file, and a deployment renames a directory in the path. So each directory in the path of a
/// file matters, with the name in it that the path uses.
package struct PathSteps {
    /// Watches a directory or file, and returns whether its changes are reported.
    ///
    /// - Parameters:
    ///   - path: its path without links.
    ///   - name: the name that matters in the directory. Nil if everything matters: in a directory that is itself a
    ///     source, and in a file at the end of a path. Where that is mounted from another directory (`docker run -v
    ///     config.toml:…`), only the file itself reports a write.
    package typealias Watch = (_ path: String, _ name: String?) -> Bool

    /// The maximum number of links in one path, the same as on Linux (ELOOP).
    private static let linkLimit = 40

    private let watch: Watch
    private var isComplete = true

    /// Follows paths as the system does, and watches each step.
    ///
    /// - Parameters:
    ///   - files: absolute paths of files and directories, which may be missing.
    ///   - watch: is called before the next step is looked up, so that no change in between is lost: it is reported.
    /// - Returns: whether every change that can affect the files is reported. Otherwise they must be polled.
    package static func follow(_ files: [String], watch: @escaping Watch) -> Bool {
        var steps = PathSteps(watch: watch)
        for file in files {
            do throws(FileDiagnostic) {
                try steps.follow(file)
            } catch {
                steps.isComplete = false
            }
        }
        return steps.isComplete
    }

    private init(watch: @escaping Watch) { self.watch = watch }

    private mutating func follow(_ file: String) throws(FileDiagnostic) {
        // A relative path is not watched, since its target depends on the working directory.
        guard file.begins(with: "/") else { throw .missing }
        guard let directory = try end(of: file) else { return }
        visit(directory, nil)
        for name in try System.names(in: directory) where !name.begins(with: ".") {
            _ = try end(of: name, from: directory)
        }
    }

    private mutating func visit(_ path: String, _ name: String?) { if !watch(path, name) { isComplete = false } }

    /// Follows a path from a directory. Returns the directory at its end without links, or nil if no directory is
    /// there.
    private mutating func end(of path: String, from directory: String = "/") throws(FileDiagnostic) -> String? {
        var rest: [Substring] = path.parts(between: "/").reversed()
        var current = directory, links = 0
        while let name = rest.popLast() {
            if name.isEmpty || name.isSame(as: ".") { continue }
            if name.isSame(as: "..") {
                let end = current.utf8.lastIndex(of: UInt8(ascii: "/")) ?? current.startIndex
                current = end == current.startIndex ? "/" : String(current[..<end])
                continue
            }
            visit(current, String(name))
            let next = current.isSame(as: "/") ? "/\(name)" : "\(current)/\(name)"
            // A missing path may appear later. Its nearest existing ancestor reports it.
            guard let status = try System.status(ofLink: next) else { return nil }
            switch status.kind {
            case .directory: current = next
            case .link:
                links += 1
                guard links <= Self.linkLimit, let target = try System.linkTarget(next) else { return nil }
                if target.begins(with: "/") { current = "/" }
                rest += target.parts(between: "/").reversed()
            case .regular:
                visit(next, nil)
                return nil
            case .other: return nil
            }
        }
        return current
    }
}
