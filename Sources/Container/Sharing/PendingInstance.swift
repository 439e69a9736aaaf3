import SharedState
import Synchronization

/// A shared instance under construction, from the start of its factory until it is complete or has failed.
///
/// A thread builds it as a member of its `Construction`, or a task builds it in one of its own.
final class PendingInstance: Sendable {
    let registration: Registration
    /// The container that the instance belongs to.
    let container: Container
    /// The construction that it is a member of.
    let construction: Construction
    /// The replacement that it is built for, or nil.
    let replacement: Replacement?
    /// What it reads, if it follows its settings.
    let reads: ReadLog?
    /// The properties of its container, with a record of the reads, if it follows its settings.
    let properties: PropertyStore?
    let state = Lock(State())
    /// Wakes those that wait when the phase has changed.
    let changed = Signal<Void>()

    struct State {
        var phase = Phase.building
        /// Increases with each factory that returns.
        var number: UInt64 = 0
        var takes: [Take] = []
        var isStale = false
        /// The task that builds it, if no thread does. It does not inherit the task-local values of who asked, and goes
        /// on if one of several askers is cancelled. If the last one is, so is the construction.
        var task: Task<Void, Never>?
        /// The number of tasks that wait and have not been cancelled.
        var askers = 0
        var isCancelled = false
    }

    enum Phase {
        /// The factory runs.
        case building
        /// The factory has returned, and the instance is not complete. Only its construction may use it.
        case built(StoredInstance)
        case complete(StoredInstance)
        /// The error is that of a task. A thread throws it.
        case failed(ResolutionError?)

        var hasEnded: Bool {
            switch self {
            case .building, .built: false
            case .complete, .failed: true
            }
        }
    }

    init(
        of registration: Registration, in container: Container, _ construction: Construction = Construction(),
        for replacement: Replacement? = nil
    ) {
        (self.registration, self.container, self.construction) = (registration, container, construction)
        self.replacement = replacement
        reads = registration.follows ? ReadLog() : nil
        properties = reads.map { PropertyStore(loggingTo: $0, of: container.properties) }
    }

    var key: ServiceKey { registration.key }
    var phase: Phase { state.withLock { $0.phase } }

    /// The place of the instance among those whose factories have returned.
    var number: UInt64 { state.withLock { $0.number } }

    private static let lastNumber = Atomic<UInt64>(0)

    /// Changes the phase, and wakes those that wait for this instance.
    func enter(_ phase: Phase) {
        state.withLock { state in
            state.phase = phase
            if !phase.hasEnded { state.number = Self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
        }
        changed.wake()
    }

    /// Suspends the task until the instance is complete or has failed, or until the task is cancelled.
    nonisolated(nonsending) func end() async {
        await withTaskCancellationHandler {
            _ = await changed.value(until: { phase.hasEnded || Task.isCancelled })
        } onCancel: {
            changed.wake()
        }
    }
}

// MARK: - What it is built from

extension PendingInstance {
    /// Records that a factory or a completion of this instance is about to take a service from a container.
    func take(_ key: ServiceKey, from container: Container, isDeferred: Bool = false) {
        let key = container.registration(of: key)?.registration.target?.key ?? key
        state.withLock { $0.takes.append(Take(key: key, isDeferred: isDeferred)) }
    }

    var takes: [Take] { state.withLock { $0.takes } }

    /// Whether the instance must not be used, because it may have been built from an instance that a reset has closed.
    var isStale: Bool { state.withLock { $0.isStale } }

    /// Marks the instance as stale if it has taken one of some services.
    func expire(ifBuiltFrom keys: Set<ServiceKey>) {
        state.withLock { state in
            if state.takes.contains(where: { !$0.isDeferred && keys.contains($0.key) }) { state.isStale = true }
        }
    }
}

// MARK: - Tasks

extension PendingInstance {
    /// The instance that a task builds and for which the current task runs, or nil. It counts as waiting for what the
    /// current task resolves.
    static var ofTask: PendingInstance? { Frame.inTask?.user.flatMap { $0.phase.hasEnded ? nil : $0 } }

    /// Asks the task to end.
    func cancel() {
        let running = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        running?.cancel()
    }
}
