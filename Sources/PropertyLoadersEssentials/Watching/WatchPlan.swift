package import Properties

/// The directories in which a change can affect a set of files.
///
/// Files are rarely written in place: an editor renames a new file over the old one, Kubernetes replaces the link
/// `..data` in the path of a file, and a deployment renames a directory in the path. So the plan contains every
/// directory in the path of each file, and the name in it that the path uses.
package struct WatchPlan: Equatable {
    /// The names in a directory whose changes can affect a file.
    package struct Names: Equatable {
        /// Whether every name matters, because the directory itself is a source.
        package var all = false
        package var some: Set<PropertyKey> = []

        func contains(_ name: String) -> Bool { all || name.isEmpty || some.contains(PropertyKey(name)) }

        mutating func formUnion(_ other: Names) {
            all = all || other.all
            some.formUnion(other.some)
        }
    }

    /// The maximum number of links in one path, the same as on Linux (ELOOP).
    private static let linkLimit = 40

    /// The directories, by their paths without links. `PropertyKey` compares bytes, as the system does.
    package private(set) var directories: [PropertyKey: Names] = [:]
    /// The paths of the existing files, with all links resolved.
    package private(set) var files: Set<PropertyKey> = []
    /// Whether every path was followed to its end, or to its first missing part. Otherwise the files must be polled.
    package private(set) var isComplete = true

    /// Creates a plan: follows each path like the system, and records the directory and the name of each step.
    ///
    /// - Parameter files: absolute paths of files and directories, which may be missing.
    package init(_ files: [String]) {
        for file in files {
            do throws(FileDiagnostic) {
                // A relative path is not watched, since its target depends on the working directory.
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

    /// The maximum number of attempts to watch paths that change during each attempt.
    private static let attempts = 8

    /// Watches the directories of a plan, and repeats this with a new plan until two successive plans are equal.
    ///
    /// A directory may be created after the plan, but before its parent is watched. It is then missing from the plan,
    /// and no event reports it. The next plan contains it.
    ///
    /// - Parameters:
    ///   - files: absolute paths of files and directories, which may be missing.
    ///   - watch: watches the directories of a plan, and stops watching all others. Returns whether the kernel reports
    ///     every change in them.
    /// - Returns: whether the kernel reports every change. False if no two successive plans are equal.
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

    /// Follows a path, and records each step. Returns the directory at its end without links, or nil if no directory is
    /// there.
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
            guard let status = try status(ofLink: next) else {
                // A link may lead to a path that is not UTF-8, which cannot be followed here.
                if FileDiagnostic.mayBeBytes(next) { isComplete = false }
                return nil
            }
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

    // A path without search permission counts as missing. A watched directory above it reports a change of the
    // permissions, but not of another rule that denies access, such as one of SELinux.
    private mutating func status(ofLink path: String) throws(FileDiagnostic) -> System.Status? {
        do throws(FileDiagnostic) {
            return try System.status(ofLink: path)
        } catch .forbidden {
            isComplete = false
            return nil
        }
    }
}
