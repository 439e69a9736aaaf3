package import Properties

/// The directories in which a change can affect a set of files.
///
/// Files are rarely written in place: an editor renames another file over it, Kubernetes replaces the link `..data` on the
/// way to it, a deployment renames a directory on the way. So the plan has every directory on the way to each file, with
/// the one name in it that matters.
package struct WatchPlan: Equatable {
    /// The names that matter in a directory.
    package struct Names: Equatable {
        /// Whether every name matters, since the directory is a source itself.
        package var all = false
        package var some: Set<PropertyKey> = []

        func contains(_ name: String) -> Bool { all || name.isEmpty || some.contains(PropertyKey(name)) }

        mutating func formUnion(_ other: Names) {
            all = all || other.all
            some.formUnion(other.some)
        }
    }

    /// How many links are followed on the way to one file: the limit of Linux (ELOOP).
    private static let linkLimit = 40

    /// The directories by their paths without links. The keys compare by bytes, as the system does.
    package private(set) var directories: [PropertyKey: Names] = [:]
    /// The files at the ends of the paths, by their paths without links.
    package private(set) var files: Set<PropertyKey> = []
    /// Whether every path was followed to its end, or to its first missing part.
    package private(set) var isComplete = true

    /// Follows paths as the system does, and records each step.
    ///
    /// - Parameter files: absolute paths of files and directories, which may be missing.
    package init(_ files: [String]) {
        for file in files {
            do throws(FileDiagnostic) {
                // The target of a relative path changes with the working directory.
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

    /// How often a new plan is made because the paths changed before they were watched.
    private static let attempts = 8

    /// Watches the directories of a plan until a new plan is the same.
    ///
    /// A directory that is created between the plan and the watch is in no plan, and no event reports it.
    ///
    /// - Parameters:
    ///   - files: absolute paths of files and directories, which may be missing.
    ///   - watch: watches what a plan names and nothing else. Returns whether the kernel reports all of it.
    /// - Returns: whether the kernel reports every change. False if each new plan is different.
    package static func settled(_ files: [String], watch: (WatchPlan) -> Bool) -> Bool {
        var plan = WatchPlan(files)
        for _ in 0..<attempts {
            let seesEveryChange = watch(plan)
            let next = WatchPlan(files)
            if next == plan { return seesEveryChange && plan.isComplete }
            plan = next
        }
        return false
    }

    /// Follows a path. Returns the directory at its end, or nil if there is none.
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
            // A missing path may appear later. Its nearest existing ancestor reports it.
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

    // A path that may not be searched counts as missing: a directory above it reports a change of the permissions.
    private static func status(ofLink path: String) throws(FileDiagnostic) -> System.Status? {
        do throws(FileDiagnostic) {
            return try System.status(ofLink: path)
        } catch .forbidden {
            return nil
        }
    }
}
