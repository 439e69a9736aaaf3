import SharedState
import Synchronization

/// The construction of a shared instance in a task of its own.
///
/// The task does not inherit the task-local values of who asked, and goes on if one of several askers is cancelled. If
/// the last one is, so is the construction.
final class AsyncConstruction: Sendable {
    let pending: PendingInstance
    let state = Lock(State())

    struct State {
        var task: Task<Void, Never>?
        /// The number of tasks that wait and have not been cancelled.
        var askers = 0
        var isCancelled = false
        var error: ResolutionError?
    }

    /// The construction whose factory or completion has started this task, directly or through other tasks.
    @TaskLocal static var starter: AsyncConstruction?

    /// The construction that a resolve in this task belongs to, or nil. It counts as waiting for what the task resolves.
    static var current: AsyncConstruction? { starter.flatMap { $0.pending.phase.hasEnded ? nil : $0 } }

    init(of pending: PendingInstance) { self.pending = pending }

    /// Asks the construction to end.
    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
