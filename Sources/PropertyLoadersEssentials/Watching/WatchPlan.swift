package import Properties

/// The directories in which something can happen that changes what a set of paths leads to.
///
/// A file is seldom written in place: an editor renames another one over it, Kubernetes renames the link `..data` that
/// the file's own link leads through, a deployment renames a directory on the way. So every directory on the way is
/// watched, for the one name that matters in it.
package struct WatchPlan: Equatable {
    /// What matters in a directory.
    package struct Names: Equatable {
        /// Everything: the directory is a source itself.
        package var all = false
        package var some: Set<PropertyKey> = []

        func contains(_ name: String) -> Bool { all || name.isEmpty || some.contains(PropertyKey(name)) }

        mutating func formUnion(_ other: Names) {
            all = all || other.all
            some.formUnion(other.some)
        }
    }

    /// How many links are followed on the way to one file, as on Linux (ELOOP).
    private static let linkLimit = 40

    /// The directories, by their paths without links, which compare by bytes as the system compares them.
    package private(set) var directories: [PropertyKey: Names] = [:]
    /// The files at the ends of the paths, by their paths without links.
    package private(set) var files: Set<PropertyKey> = []
    /// Whether every path was followed to its end, or to where it is missing.
    package private(set) var isComplete = true

    /// Follows paths as the system does, and remembers each step.
    ///
    /// - Parameter files: absolute paths of files and directories, which need not be there.
    package init(_ files: [String]) {
        for file in files {
            do throws(FileDiagnostic) {
                // What a relative path leads to changes with the working directory.
                guard file.begins(with: "/") else { throw .missing }
                guard let directory = try follow(file) else { continue }
                directories[PropertyKey(directory), default: Names()].all = true
                for name in try System.names(in: directory) where !name.begins(with: ".") {
                    _ = try follow("\(directory)/\(name)")
                }
            } catch {
                isComplete = false
            }
        }
    }

    /// How often the steps are looked at again that change while they are being watched.
    private static let attempts = 8

    /// Watches what paths lead to, until that is what is watched.
    ///
    /// A directory that comes after a plan was made and before its place is watched is in no plan and told of by nobody.
    ///
    /// - Parameters:
    ///   - files: absolute paths of files and directories, which need not be there.
    ///   - watch: watches what a plan names and nothing else; gives whether the kernel tells of all of it.
    /// - Returns: whether the kernel reports every change; it does not where the paths lead elsewhere each time.
    package static func settled(_ files: [String], watch: (WatchPlan) -> Bool) -> Bool {
        var plan = WatchPlan(files)
        for _ in 0..<attempts {
            let isTold = watch(plan)
            let next = WatchPlan(files)
            if next == plan { return isTold && plan.isComplete }
            plan = next
        }
        return false
    }

    /// Follows a path; gives the directory that it leads to, or nil where it leads to none.
    private mutating func follow(_ path: String) throws(FileDiagnostic) -> String? {
        var rest: [Substring] = path.parts(between: "/").reversed()
        var current = "", links = 0
        while let name = rest.popLast() {
            if name.isEmpty || name.isSame(as: ".") { continue }
            if name.isSame(as: "..") {
                current = String(current[..<(current.utf8.lastIndex(of: UInt8(ascii: "/")) ?? current.startIndex)])
                continue
            }
            let directory = PropertyKey(current.isEmpty ? "/" : current)
            directories[directory, default: Names()].some.insert(PropertyKey(String(name)))
            let next = "\(current)/\(name)"
            // What is not there can come: then the last directory that is tells of it.
            guard let status = try Self.status(ofLink: next) else { return nil }
            switch status.kind {
            case .directory: current = next
            case .link:
                links += 1
                guard links <= Self.linkLimit, let target = try System.linkTarget(next) else { return nil }
                if target.begins(with: "/") { current = "" }
                rest += target.parts(between: "/").reversed()
            case .regular, .other:
                files.insert(PropertyKey(next))
                return nil
            }
        }
        return current.isEmpty ? "/" : current
    }

    // A directory above tells when what may not be searched now may be searched.
    private static func status(ofLink path: String) throws(FileDiagnostic) -> System.Status? {
        do throws(FileDiagnostic) {
            return try System.status(ofLink: path)
        } catch .forbidden {
            return nil
        }
    }
}
