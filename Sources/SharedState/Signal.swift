import Dispatch
import Synchronization

/// A value that is sent once, and that threads and tasks wait for.
package final class Signal<Value: Sendable>: Sendable {
    private let state = Lock(State())

    package init() {}

    private struct State {
        var value: Value?
        /// Resumes each waiting thread or task.
        var waiting: [@Sendable () -> Void] = []
    }

    /// Sends the value. Only the first value counts.
    package func send(_ value: Value) {
        state.withLock { $0.value = $0.value ?? value }
        wake()
    }

    /// Makes the waiting threads and tasks check whether their wait is over.
    package func wake() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    /// The value if it has been sent.
    package var sent: Value? { state.withLock { $0.value } }

    /// Waits for the value, and returns nil if it has not been sent at the deadline.
    package func value(before deadline: Deadline) async -> Value? {
        if let value = state.withLock({ $0.value }) { return value }
        deadline.whenReached { [weak self] in self?.wake() }
        return await value(until: { deadline.isReached })
    }

    /// Suspends the task until the value has been sent.
    ///
    /// - Parameter isOver: whether the wait ends without a value, which is checked at each `wake()`.
    /// - Returns: the value, or nil if it has not been sent.
    nonisolated(nonsending) package func value(until isOver: () -> Bool = { false }) async -> Value? {
        var canGo = false
        while !canGo {
            await withCheckedContinuation { continuation in
                canGo = self.canGo(isOver) { continuation.resume() }
                if canGo { continuation.resume() }
            }
        }
        return state.withLock { $0.value }
    }

    /// Blocks the thread until the value has been sent. The parameter and the result are the same as in
    /// `value(until:)`.
    @discardableResult
    package func block(until isOver: () -> Bool = { false }) -> Value? {
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
