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
        private static let state = Lock(State())
        private static let change = DispatchSemaphore(value: 0)

        private struct State {
            var deadlines: [ObjectIdentifier: Deadline] = [:]
            /// The time until which the thread sleeps, or nil if there is no thread yet. Deadlines after that time need
            /// not wake it, and it may be that of a deadline which has been removed.
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
            if isFirst { return DispatchQueue(label: "Container.deadlines").async { run() } }
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

/// A value that is sent once, and that threads and tasks wait for.
final class Signal<Value: Sendable>: Sendable {
    private let state = Lock(State())

    private struct State {
        var value: Value?
        /// What resumes each of those that wait.
        var waiting: [@Sendable () -> Void] = []
    }

    /// Sends the value. Only the first one counts.
    func send(_ value: Value) {
        state.withLock { $0.value = $0.value ?? value }
        wake()
    }

    /// Lets those that wait check whether their wait is over.
    func wake() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    /// Waits for the value, and returns nil if it has not been sent at the deadline.
    func value(before deadline: Deadline) async -> Value? {
        if let value = state.withLock({ $0.value }) { return value }
        deadline.whenReached { [weak self] in self?.wake() }
        return await value(until: { deadline.isReached })
    }

    /// Suspends the task until the value has been sent.
    ///
    /// - Parameter isOver: whether the wait ends without a value, which is checked at each `wake()`.
    /// - Returns: the value, or nil if it has not been sent.
    nonisolated(nonsending) func value(until isOver: () -> Bool = { false }) async -> Value? {
        var canGo = false
        while !canGo {
            await withCheckedContinuation { continuation in
                canGo = self.canGo(isOver) { continuation.resume() }
                if canGo { continuation.resume() }
            }
        }
        return state.withLock { $0.value }
    }

    /// Blocks the thread until the value has been sent. The parameter and the result are those of `value(until:)`.
    @discardableResult
    func block(until isOver: () -> Bool = { false }) -> Value? {
        let semaphore = DispatchSemaphore(value: 0)
        while !canGo(isOver, orResume: { semaphore.signal() }) { semaphore.wait() }
        return state.withLock { $0.value }
    }

    /// Returns whether a wait is over. Otherwise the next `wake()` resumes the caller.
    private func canGo(_ isOver: () -> Bool, orResume resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            let canGo = state.value != nil || isOver()
            if !canGo { state.waiting.append(resume) }
            return canGo
        }
    }
}
