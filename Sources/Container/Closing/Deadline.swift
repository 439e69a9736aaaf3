import Dispatch
import SharedState
import Synchronization

/// A time at which something that waits goes on.
final class Deadline: Sendable {
    /// The time that the caller gave, for messages.
    let text: String
    private let end: DispatchTime
    private let state = Lock(State())

    private struct State {
        var isReached = false
        var isWatched = false
        var actions: [@Sendable () -> Void] = []
    }

    /// Creates a deadline.
    ///
    /// - Parameter timeout: the time until the deadline. A time of more than a century is that of a century.
    init(after timeout: Duration) {
        text = "\(timeout)"
        let seconds = min(max(timeout / .seconds(1), 0), 3_155_760_000)
        end = .now() + seconds
        if seconds == 0 { state.withLock { $0.isReached = true } }
    }

    var isReached: Bool { state.withLock { $0.isReached } }

    /// Runs a closure at the deadline, or at once if it has been reached.
    func whenReached(_ action: @escaping @Sendable () -> Void) {
        let (isReached, isFirst) = state.withLock { state in
            defer { state.isWatched = true }
            if !state.isReached { state.actions.append(action) }
            return (state.isReached, !state.isReached && !state.isWatched)
        }
        if isReached { action() }
        if isFirst { DeadlineThread.add(self) }
    }

    /// Releases what waits for the deadline. It is not reached any more.
    func cancel() {
        let isWatched = state.withLock { state in
            state.actions = []
            return state.isWatched
        }
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

    /// The thread that waits for all deadlines of the process. The timers of tasks and of Dispatch are not used: the
    /// former stay in memory until their time although they are cancelled, and the latter need free file descriptors.
    private enum DeadlineThread {
        private static let deadlines = Lock<[Deadline]?>(nil)
        private static let change = DispatchSemaphore(value: 0)

        static func add(_ deadline: Deadline) {
            let (isFirst, isNext) = deadlines.withLock { all in
                let (isFirst, next) = (all == nil, all?.map(\.end).min())
                all = (all ?? []) + [deadline]
                return (isFirst, next.map { deadline.end < $0 } ?? true)
            }
            if isFirst { DispatchQueue(label: "Container.deadlines").async { run() } }
            if isNext { change.signal() }
        }

        static func remove(_ deadline: Deadline) { deadlines.withLock { $0?.removeAll { $0 === deadline } } }

        private static func run() -> Never {
            while true {
                let next = deadlines.withLock { $0?.map(\.end).min() }
                _ = change.wait(timeout: next ?? .distantFuture)
                let now = DispatchTime.now()
                let reached = deadlines.withLock { all in
                    let reached = all?.filter { $0.end <= now } ?? []
                    all?.removeAll { $0.end <= now }
                    return reached
                }
                for deadline in reached { deadline.reach() }
            }
        }
    }
}

/// A value that is sent once, and that one task waits for.
final class Signal<Value: Sendable>: Sendable {
    private let state = Lock(State())

    private struct State {
        var value: Value?
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// Sends the value. Only the first one counts.
    func send(_ value: Value) {
        let waiting = state.withLock { state in
            state.value = state.value ?? value
            return state.continuation.take()
        }
        waiting?.resume()
    }

    /// Waits for the value, and returns nil if it has not been sent at the deadline.
    func value(before deadline: Deadline) async -> Value? {
        deadline.whenReached { [weak self] in self?.state.withLock { $0.continuation.take() }?.resume() }
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                let isOver = state.value != nil || deadline.isReached
                if !isOver { state.continuation = continuation }
                return isOver
            }
            if isOver { continuation.resume() }
        }
        return state.withLock { $0.value }
    }
}
