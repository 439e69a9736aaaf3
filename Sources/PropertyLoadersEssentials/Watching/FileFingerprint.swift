import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a set of files looks like without reading them, to see whether they changed.
struct FileFingerprint: Equatable {
    private enum Entry: Equatable {
        /// The status of a path; nil if nothing is there.
        case found(System.Status?)
        /// A name in a directory.
        case name([UInt8])
        /// The status or the names cannot be read.
        case failed(FileDiagnostic)
    }
    private var entries: [Entry] = []

    /// Takes the status of files, and of what is in directories.
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

    /// Whether the last change is longer ago than a time.
    ///
    /// It is not where a file's time is in the future, since then nobody knows when the file changed.
    func isOlder(than age: Duration) -> Bool {
        let now = Date().timeIntervalSince1970
        return entries.allSatisfy { entry in
            guard case .found(let status?) = entry,
                let time = [status.modified, status.changed].max(by: Self.isEarlier)
            else { return true }
            return now - Double(time.first ?? 0) - Double(time.last ?? 0) / 1e9 > age / .seconds(1)
        }
    }

    private static func isEarlier(_ time: [Int64], _ other: [Int64]) -> Bool { time.lexicographicallyPrecedes(other) }

    /// The coarsest step in which a file system in use counts time: that of FAT. Two changes within it look like one.
    static let coarsestStep = Duration.seconds(2)
}

/// Tells since when a set of files has not changed.
///
/// The times of files tell it, unless they are in the future: then only what was seen of them counts.
struct Stillness {
    private let clock = ContinuousClock()
    private var seen: FileFingerprint?
    private var since: ContinuousClock.Instant

    /// Begins with files that were never seen.
    init() { since = clock.now }

    /// Takes note of the files as they are now.
    ///
    /// - Returns: whether they changed since the last call; the first call is a change.
    mutating func update(_ current: FileFingerprint) -> Bool {
        if current == seen { return false }
        (seen, since) = (current, clock.now)
        return true
    }

    /// Whether the files of the last update have not changed for a time.
    func lasts(_ time: Duration) -> Bool {
        guard let seen else { return false }
        return clock.now - since > time || seen.isOlder(than: time)
    }
}
