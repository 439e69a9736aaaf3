import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The metadata of a set of files, which tells whether the files changed.
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

    /// Takes the status of files, and of the files in directories.
    init(_ files: [String]) {
        for file in files { add(file) }
    }

    private mutating func add(_ file: String) {
        guard case .found(let status?) = addStatus(of: file), status.kind == .directory else { return }
        do throws(FileDiagnostic) {
            // A file system lists the names of one state in one order.
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

    /// Whether the last change is longer ago than a duration.
    ///
    /// False if the time of a file is in the future, which tells nothing.
    func isOlder(than age: Duration) -> Bool {
        let now = Duration.seconds(Date().timeIntervalSince1970)
        return entries.allSatisfy { entry in
            guard case .found(let status?) = entry else { return true }
            return now - max(status.modified, status.changed) > age
        }
    }

    /// The coarsest resolution of time of a file system in use: that of FAT. Two changes within it look like one.
    static let coarsestStep = Duration.seconds(2)
}

/// Tells for how long a set of files has not changed.
///
/// It goes by the times of the files. If those are in the future, it goes by the calls of `update`.
struct Stillness {
    private let clock = ContinuousClock()
    private var seen: FileFingerprint?
    private var since: ContinuousClock.Instant

    /// Begins without files.
    init() { since = clock.now }

    /// Records the files as they are now.
    ///
    /// - Returns: whether they changed since the last call. True for the first call.
    mutating func update(_ current: FileFingerprint) -> Bool {
        if current == seen { return false }
        (seen, since) = (current, clock.now)
        return true
    }

    /// Whether the files of the last update have not changed for a duration.
    func lasts(_ time: Duration) -> Bool {
        guard let seen else { return false }
        return clock.now - since > time || seen.isOlder(than: time)
    }
}
