import Synchronization

/// What is read from a store and those above and below it while a check at start runs.
final class ReadRecord: Sendable {
    /// One read.
    struct Note: Sendable {
        /// What was read; nil for all properties.
        let key: PropertyKey?
        /// What was wrong, where somebody could not go on without the value or the value was not what was asked for.
        let problem: PropertyError?
    }

    private let listeners = Atomic(0)
    private let notes = Mutex<[Note]>([])

    /// Whether reads are to be noted: one relaxed load, which is all that this costs a read otherwise.
    @inline(__always)
    var isOn: Bool { listeners.load(ordering: .relaxed) > 0 }

    /// Notes a read of one property or table, or of all properties for nil.
    func add(_ key: PropertyKey?, _ problem: PropertyError?) {
        guard isOn else { return }
        notes.withLock { $0.append(Note(key: key, problem: problem)) }
    }

    /// Runs a function and gives what was read in the meantime, on any thread.
    func listen(to body: () throws -> Void) -> (notes: [Note], error: (any Error)?) {
        let first = notes.withLock { $0.count }
        listeners.add(1, ordering: .relaxed)
        var failure: (any Error)?
        do { try body() } catch { failure = error }
        let found = notes.withLock { Array($0[min(first, $0.count)...]) }
        if listeners.subtract(1, ordering: .relaxed).newValue == 0 {
            // Given out of the lock: a note holds a state, whose end may run a user's deinit.
            _ = notes.withLock { notes in
                defer { notes = [] }
                return notes
            }
        }
        return (found, failure)
    }
}
