/// The metadata of a set of files, and the contents of those that have changed a short time ago.
///
/// On a file system whose times are whole seconds, a file can change again without a change of its metadata. If the
/// times of a file are younger than two seconds, its contents are therefore compared as well, now and at the next
/// check.
package struct FileFingerprint {
    private struct State {
        /// The status, or the reason why it cannot be read. The status is nil if nothing is there.
        let status: Result<System.Status?, FileDiagnostic>
        /// The hash of the contents, or nil if they were not read.
        var contents: Int?
        /// Whether the file may change again without a change of its status.
        var isUnsettled = false
    }

    /// The age from which on the status of a file changes with each change of the file.
    private static let settledAge = Duration.seconds(2)
    /// The limit on the size of a file whose contents are compared, in bytes.
    private static let sizeLimit = 16 << 20

    private let now: Duration
    private let former: [PropertyKey: State]
    private var states: [PropertyKey: State] = [:]
    /// The directories that were read, since links can lead to one in several ways or in a circle.
    private var directories: Set<System.FileID> = []

    /// Reads the status of files. For a directory, also reads the names and the status of all files in it.
    ///
    /// - Parameters:
    ///   - files: the paths.
    ///   - former: the earlier fingerprint, which the new fingerprint is compared with.
    ///   - now: the time since 1970.
    package init(_ files: [String], after former: FileFingerprint? = nil, now: Duration = System.now) {
        (self.now, self.former) = (now, former?.states ?? [:])
        for file in files { add(file) }
    }

    /// Whether a file has changed since an earlier fingerprint of the same files.
    package func differs(from former: FileFingerprint) -> Bool {
        guard states.count == former.states.count else { return true }
        return states.contains { path, state in
            guard let other = former.states[path], other.status == state.status else { return true }
            guard let one = state.contents, let two = other.contents else { return false }
            return one != two
        }
    }

    private mutating func add(_ path: String) {
        let key = PropertyKey(path)
        var state = State(status: Result { () throws(FileDiagnostic) in try System.status(at: path) })
        defer { states[key] = state }
        guard case .success(let status?) = state.status else { return }
        switch status.kind {
        case .directory:
            guard directories.insert(status.id).inserted else { return }
            do throws(FileDiagnostic) {
                for name in try System.names(in: path) where !name.begins(with: ".") { add("\(path)/\(name)") }
            } catch {
                state = State(status: .failure(error))
            }
        case .regular:
            state.isUnsettled = max(status.modified, status.changed) > now - Self.settledAge
            if state.isUnsettled || former[key]?.isUnsettled == true {
                let bytes = try? RegularFile.bytes(at: path, limit: Self.sizeLimit)
                state.contents = bytes?.hashValue
            }
        case .pipe, .other: break
        }
    }
}
