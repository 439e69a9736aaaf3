import Properties

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a set of files looks like without reading them, to see whether they changed.
struct FileFingerprint: Equatable {
    private let statuses: [String: System.Status?]

    /// Looks at files, and at what is in directories.
    init(_ files: [String]) {
        var statuses: [String: System.Status?] = [:]
        for file in files {
            let status = System.status(at: file)
            statuses[file] = .some(status)
            guard status?.kind == .directory, let names = try? System.names(in: file) else { continue }
            for name in names where !name.begins(with: ".") {
                statuses["\(file)/\(name)"] = .some(System.status(at: "\(file)/\(name)"))
            }
        }
        self.statuses = statuses
    }

    /// Whether the last change is long enough ago to be seen by its time: a file system counts in steps, and within
    /// one step two changes look like one.
    var isSettled: Bool {
        let now = Date().timeIntervalSince1970
        return statuses.values.allSatisfy { status in
            guard let modified = status?.modified.first, let changed = status?.changed.first else { return true }
            return now - Double(max(modified, changed)) > Self.coarsestStep
        }
    }

    /// The coarsest step that a file system in use counts in, in seconds: 2, FAT's.
    private static let coarsestStep = 2.0
}
