import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The metadata of a set of files. If two fingerprints of the same files differ, a file has changed in between.
struct FileFingerprint: Equatable {
    private enum Entry: Equatable {
        /// The status of a path; nil if nothing is there.
        case found(System.Status?)
        /// A name in a directory, as bytes.
        case name([UInt8])
        /// The status or the names cannot be read.
        case failed(FileDiagnostic)
    }
    private var entries: [Entry] = []

    /// Reads the status of files. For a directory, also reads the names and the status of the files in it.
    init(_ files: [String]) {
        for file in files { add(file) }
    }

    private mutating func add(_ file: String) {
        guard case .found(let status?) = addStatus(of: file), status.kind == .directory else { return }
        do throws(FileDiagnostic) {
            // Sorting is not needed: a file system lists an unchanged directory in the same order each time.
            for name in try System.names(in: file) where !name.begins(with: ".") {
                entries.append(.name(Array(name.utf8)))
                addStatus(of: "\(file)/\(name)")
            }
        } catch {
            entries.append(.failed(error))
        }
    }

    @discardableResult
    private mutating func addStatus(of path: String) -> Entry {
        let entry: Entry
        do throws(FileDiagnostic) {
            entry = .found(try System.status(at: path))
        } catch {
            entry = .failed(error)
        }
        entries.append(entry)
        return entry
    }

    /// Whether the last change of every file is longer ago than `age`.
    ///
    /// False if a timestamp is in the future, since the age of the file is then unknown. If the system clock was set
    /// forward after a change, the result may be true too early. A reload then reads files that may be incomplete, and
    /// the change that completes them causes another reload.
    func isOlder(than age: Duration) -> Bool {
        let now = Duration.seconds(Date().timeIntervalSince1970)
        return entries.allSatisfy { entry in
            guard case .found(let status?) = entry else { return true }
            return now - max(status.modified, status.changed) > age
        }
    }

    /// The coarsest timestamp resolution of the file systems in use, that of FAT. Two changes within this time can have
    /// the same timestamp.
    static let coarsestStep = Duration.seconds(2)
}

/// Measures how long a set of files has not changed.
///
/// This is the longer one of two times: the age of the newest timestamp, and the time since the first `update` with the
/// current state. The second one is also valid if a timestamp is in the future.
struct Stillness {
    private let clock = ContinuousClock()
    private var seen: FileFingerprint?
    private var since: ContinuousClock.Instant

    /// Creates an instance without files.
    init() { since = clock.now }

    /// Records the current state of the files.
    ///
    /// - Returns: whether the files changed since the last call. True for the first call.
    mutating func update(_ current: FileFingerprint) -> Bool {
        if current == seen { return false }
        (seen, since) = (current, clock.now)
        return true
    }

    /// Whether the files of the last `update` have not changed for longer than a duration.
    func lasts(_ time: Duration) -> Bool {
        guard let seen else { return false }
        return clock.now - since > time || seen.isOlder(than: time)
    }
}
