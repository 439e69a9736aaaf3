import SharedState
import Synchronization

/// The reads of a store: the names, and the node that was found for each, or nil.
///
/// A start logs all reads of its store, of its parents, and of all their children. The construction of a service that
/// follows its settings logs its own reads. So a read is in the log of each start that runs, and in the log of the
/// construction.
package final class ReadLog: Sendable {
    /// One read.
    struct Read: Sendable {
        /// The name, or nil for all properties.
        let key: PropertyKey?
        /// The node that the name had, or nil if it had none.
        let node: PropertyNode?
        /// The error of the read, or nil.
        let problem: PropertyError?
        /// Repeats the read in another state. Nil if the declared keys are checked instead.
        let check: ReadCheck?

        /// Two reads of one state with equal IDs are one.
        var id: ReadCheck.ID { ReadCheck.ID(key: key, type: check?.id.type) }

        /// Whether another read of the state is the same.
        func isRepeated(by other: Read) -> Bool {
            problem == nil && check?.id.type == other.check?.id.type && key == other.key
        }
    }

    private struct State {
        var isOpen = true
        var reads: [Read] = []
        /// The state that was read last, and the index of the first of its reads.
        var state: MergedState?
        var start = 0
        /// The names and types of these reads without an error, if there are many.
        var known: Set<ReadCheck.ID> = []

        /// Whether a read repeats an earlier read, which a loop may do very often.
        mutating func isKnown(_ read: Read, in new: MergedState) -> Bool {
            if state !== new { (state, start, known) = (new, reads.count, []) }
            if read.problem != nil { return false }
            // Up to 16 are searched one by one, which is faster.
            if reads.count - start < 16 { return reads[start...].contains { $0.isRepeated(by: read) } }
            if known.isEmpty { known.formUnion(reads[start...].filter { $0.problem == nil }.map(\.id)) }
            return !known.insert(read.id).inserted
        }
    }
    private let state = Lock(State())

    package init() {}

    /// The reads until now.
    var reads: [Read] { state.withLock { $0.reads } }

    /// The names that have been read, sorted.
    package var names: [String] { Set(reads.compactMap { $0.key?.rawValue }).sorted() }

    /// Ends the log, and returns its reads.
    func end() -> [Read] { close().reads }

    /// Ends the log.
    ///
    /// - Returns: the state that all reads have seen, or nil if they have seen several or none.
    func endState() -> MergedState? {
        let state = close()
        return state.start == 0 ? state.state : nil
    }

    /// Ends the log, and returns its records.
    private func close() -> State {
        // The state of the properties is released after unlocking: see `Lock`.
        state.withLock { state in
            let former = state
            (state.isOpen, state.state, state.known) = (false, nil, [])
            return former
        }
    }

    fileprivate func add(_ read: Read, in new: MergedState) {
        let former = state.withLock { state -> MergedState? in
            let former = state.state
            if state.isOpen, !state.isKnown(read, in: new) { state.reads.append(read) }
            return former
        }
        withExtendedLifetime(former) {}
    }
}

extension [ReadLog] {
    /// Adds the read of a property or table, or of all properties for nil.
    ///
    /// - Parameters:
    ///   - key: the name.
    ///   - state: the state that was read.
    ///   - problem: the error of the read, or nil.
    ///   - check: repeats the read in another state.
    func add(
        _ key: PropertyKey?, in state: MergedState, _ problem: PropertyError? = nil,
        check: @autoclosure () -> ReadCheck? = nil
    ) {
        if isEmpty { return }
        let read = ReadLog.Read(key: key, node: state.node(read: key), problem: problem, check: check())
        for log in self { log.add(read, in: state) }
    }
}

/// The logs of the starts that run in a store, its parents and its children.
final class StartLogs: Sendable {
    private let logs = Lock<[ReadLog]>([])
    private let count = Atomic(0)

    /// Whether no start runs. One relaxed atomic load checks this, which is the only cost of logs while there are none.
    @inline(__always)
    var isEmpty: Bool { count.load(ordering: .relaxed) == 0 }

    var all: [ReadLog] { isEmpty ? [] : logs.withLock { $0 } }

    /// Begins to log all reads.
    func begin() -> ReadLog {
        let log = ReadLog()
        logs.withLock { $0.append(log) }
        count.add(1, ordering: .relaxed)
        return log
    }

    /// Ends a log, and returns its reads.
    func end(_ log: ReadLog) -> [ReadLog.Read] {
        count.subtract(1, ordering: .relaxed)
        // The log, which refers to states, is released after unlocking: see `Lock`.
        _ = logs.withLock { logs in
            logs.firstIndex { $0 === log }.map { logs.remove(at: $0) }
        }
        return log.end()
    }
}
