import Dispatch
import Synchronization

extension Duration {
    /// The duration, limited to 0 s to one century, so that no sum of it overflows.
    package var bounded: Duration { max(.zero, min(self, .seconds(3_155_760_000))) }
}

/// A time after which waiting code continues.
package final class Deadline: Sendable {
    /// The time that the caller gave, for messages.
    package let text: String
    private let end: DispatchTime
    private let state = Lock(State())

    private struct State {
        var isReached = false
        var isWatched = false
        var actions: [@Sendable () -> Void] = []
    }

    /// Creates a deadline.
    ///
    /// - Parameter timeout: the time until the deadline. A time of more than a century counts as a century.
    package init(after timeout: Duration) {
        text = "\(timeout)"
        let seconds = timeout.bounded / .seconds(1)
        end = .now() + seconds
        if seconds == 0 { state.withLock { $0.isReached = true } }
    }

    package var isReached: Bool { state.withLock { $0.isReached } }

    /// Runs a closure at the deadline, or at once if it has been reached.
    package func whenReached(_ action: @escaping @Sendable () -> Void) {
        let (isReached, isFirst) = state.withLock { state in
            defer { state.isWatched = true }
            if !state.isReached { state.actions.append(action) }
            return (state.isReached, !state.isReached && !state.isWatched)
        }
        if isReached { action() }
        if isFirst { DeadlineThread.add(self) }
    }

    /// Releases the closures that wait for the deadline, and ends it.
    package func cancel() {
        let (isWatched, actions) = state.withLock { state in
            defer { state.actions = [] }
            return (state.isWatched, state.actions)
        }
        // The actions are released after unlocking: see `Lock`.
        withExtendedLifetime(actions) {}
        if isWatched { DeadlineThread.remove(self) }
    }

    private func reach() {
        let actions = state.withLock { state in
            defer { state.actions = [] }
            state.isReached = true
            return state.actions
        }
        for action in actions { action() }
    }

    /// The thread that waits for all deadlines of the process. The timers of tasks are not used, because they stay in
    /// memory until their time although they are cancelled. The timers of Dispatch are not used, because they need free
    /// file descriptors.
    private enum DeadlineThread {
        private static let state = Lock(State())
        private static let change = DispatchSemaphore(value: 0)

        private struct State {
            var deadlines: [ObjectIdentifier: Deadline] = [:]
            /// The time until which the thread sleeps, or nil if there is no thread yet. Deadlines after that time need
            /// not wake it. The deadline of that time may have been removed.
            var wakeTime: DispatchTime?
        }

        static func add(_ deadline: Deadline) {
            let (isFirst, isNext) = state.withLock { state in
                state.deadlines[ObjectIdentifier(deadline)] = deadline
                let former = state.wakeTime
                let isNext = former.map { deadline.end < $0 } ?? true
                if isNext { state.wakeTime = deadline.end }
                return (former == nil, isNext)
            }
            if isFirst { return DispatchQueue(label: "SharedState.deadlines").async { run() } }
            if isNext { change.signal() }
        }

        static func remove(_ deadline: Deadline) {
            state.withLock { $0.deadlines[ObjectIdentifier(deadline)] = nil }
        }

        private static func run() -> Never {
            while true {
                let (reached, next) = state.withLock { state in
                    let now = DispatchTime.now()
                    let reached = state.deadlines.values.filter { $0.end <= now }
                    for deadline in reached { state.deadlines[ObjectIdentifier(deadline)] = nil }
                    let next = state.deadlines.values.map(\.end).min() ?? .distantFuture
                    state.wakeTime = next
                    return (reached, next)
                }
                for deadline in reached { deadline.reach() }
                _ = change.wait(timeout: next)
            }
        }
    }
}
