import SharedState
import Synchronization

/// A shared instance, from the claim of its construction until it is closed. All of its state is here.
///
/// A thread builds it as a member of its `Construction`, or a task builds it in a construction of its own. The registry
/// finds it.
final class SharedInstance: Sendable {
    let registration: Registration
    /// Identifies the instance.
    let id = SharedInstance.lastID.wrappingAdd(1, ordering: .relaxed).newValue
    /// Identifies the container that the instance belongs to.
    let containerID: ObjectIdentifier
    /// The construction that builds it.
    let construction: Construction
    /// Whether it is built to replace an instance that follows its settings. If the other instance is not current any
    /// more when this instance is complete, this instance is closed.
    let isSuccessor: Bool
    /// The properties that it has read, if it follows its settings.
    let reads: ReadLog?
    /// The properties of its container, with a record of the reads, if it follows its settings.
    let properties: PropertyStore?
    /// The runtime arguments that it is built from, or nil if there are none.
    let arguments: RuntimeArguments?
    /// The dependencies that it has taken.
    let taken = Taken()
    private let state = Lock(State())

    enum Phase: Sendable {
        /// The factory runs.
        case building
        /// The factory has returned, and the instance is not complete. Only its construction, and the constructions
        /// that are merged with it, may use it.
        case built(StoredInstance)
        case complete(StoredInstance)
        /// The instance of a weak scope is complete.
        case weak(WeakInstance)
        /// It could not be built. Nil if its publication was refused, because the container is closed, or because it should
        /// replace an instance that is not current any more. Those who wait ask again then.
        case failed(ResolutionError?)
        /// It is to be closed. A closing container still finds it until its hooks run.
        case closing
        case closed
    }

    private struct State {
        var phase = Phase.building
        var completionOrder: UInt64 = 0
        /// Wakes the threads and tasks that wait for the next phase, and passes the instance of a weak scope on to
        /// them. Nil if none waits.
        var phaseSignal: Signal<StoredInstance>?
        /// The task that builds it, if no thread does. Of the task-local values of its callers, it has only
        /// `Container.taskGlobal`. It goes on if they are cancelled.
        var task: Task<Void, Never>?
        var isCancelled = false
        /// Whether another instance has replaced it, because its settings have changed.
        var isFormer = false
    }

    init(
        of registration: Registration, in container: Container, _ construction: Construction = Construction(),
        isSuccessor: Bool = false, _ arguments: RuntimeArguments? = nil
    ) {
        (self.registration, self.construction, self.isSuccessor) = (registration, construction, isSuccessor)
        self.arguments = arguments
        containerID = ObjectIdentifier(container)
        reads = registration.follows ? ReadLog() : nil
        properties = reads.map { PropertyStore(viewOf: container.properties, loggingTo: $0) }
    }

    var key: ServiceKey { registration.key }

    func belongs(to container: Container) -> Bool { containerID == ObjectIdentifier(container) }

    /// Whether another instance has replaced it, because its settings have changed.
    var isFormer: Bool { state.withLock { $0.isFormer } }

    /// Records that another instance has replaced it.
    func becomeFormer() { state.withLock { $0.isFormer = true } }

    /// The complete instance of a weak scope, or nil if nobody keeps it alive. Only the `SharedInstance` refers to it, and
    /// a claim compares its runtime arguments.
    var livingInstance: StoredInstance? { registration.isWeak && key.hasNoArguments ? phase.instance : nil }
}

// MARK: - Phases

/// The objects that a change of the phase has replaced. The caller releases them after unlocking: see `Lock`.
struct FormerPhase: Sendable {
    let phase: SharedInstance.Phase
    /// Whether the new phase is `.weak`: the waiting threads and tasks then get the instance, which nothing else keeps.
    fileprivate let becameWeak: Bool
    fileprivate let phaseSignal: Signal<StoredInstance>?

    /// Wakes the threads and tasks that have waited for the change. An instance of a weak scope stays alive until they
    /// have taken it.
    func wake() {
        if becameWeak, let instance { phaseSignal?.send(instance) } else { phaseSignal?.wake() }
    }

    /// The instance, if it was built.
    var instance: StoredInstance? {
        switch phase {
        case .built(let instance), .complete(let instance): instance
        default: nil
        }
    }
}

extension SharedInstance.Phase {
    /// Whether a wait for the instance is over.
    var hasEnded: Bool {
        switch self {
        case .building, .built: false
        default: true
        }
    }

    /// Whether it could not be built, or its publication was refused.
    var hasFailed: Bool { if case .failed = self { true } else { false } }

    /// The complete instance, or nil.
    var instance: StoredInstance? {
        switch self {
        case .complete(let instance): instance
        case .weak(let reference): reference.instance
        default: nil
        }
    }
}

extension SharedInstance {
    var phase: Phase { state.withLock { $0.phase } }

    /// The position of the instance in the order of completion, or, until it is complete, in the order in which
    /// factories have returned.
    var completionOrder: UInt64 { state.withLock { $0.completionOrder } }

    private static let lastID = Atomic<UInt64>(0)
    private static let lastOrder = Atomic<UInt64>(0)

    /// Changes the phase. This is the only place that does.
    ///
    /// - Returns: the objects that the caller releases after unlocking, when it has woken the waiting threads and
    ///   tasks.
    func enter(_ phase: Phase) -> FormerPhase {
        state.withLock { state in
            var becameWeak = false
            if case .weak = phase { becameWeak = true }
            let former = FormerPhase(phase: state.phase, becameWeak: becameWeak, phaseSignal: state.phaseSignal)
            switch phase {
            case .built, .complete, .weak:
                state.completionOrder = Self.lastOrder.wrappingAdd(1, ordering: .relaxed).newValue
            default: break
            }
            if phase.hasEnded { state.phaseSignal = nil }
            state.phase = phase
            return former
        }
    }

    /// The signal that wakes the waiting threads and tasks. A caller that starts the construction gets it first.
    var phaseSignal: Signal<StoredInstance> {
        state.withLock { state in
            let signal = state.phaseSignal ?? Signal()
            state.phaseSignal = signal
            return signal
        }
    }

    /// Makes the waiting threads and tasks check whether their wait is over.
    func wake() { state.withLock { $0.phaseSignal }?.wake() }

    /// Suspends the task until the instance is complete or has failed, or until the task is cancelled.
    ///
    /// - Parameter phaseSignal: the signal, which the caller has got before the end.
    /// - Returns: the instance if its scope is weak, or nil.
    @discardableResult
    nonisolated(nonsending) func waitForEnd(_ phaseSignal: Signal<StoredInstance>) async -> StoredInstance? {
        await withTaskCancellationHandler {
            await phaseSignal.value(until: { phase.hasEnded || Task.isCancelled })
        } onCancel: {
            phaseSignal.wake()
        }
    }
}

// MARK: - Tasks

extension SharedInstance {
    /// Sets the task that builds it.
    func setTask(_ task: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// Asks the task to end.
    func cancel() {
        let running = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        running?.cancel()
    }

    /// Waits for the instance, which a task builds.
    ///
    /// - Parameters:
    ///   - path: the services that have led to the instance, and the instance itself.
    ///   - phaseSignal: the signal of the instance, which the caller has got before it started the construction.
    /// - Returns: the instance, or nil if the caller must ask again.
    /// - Throws: the error of the construction, a circular error, or `.cancelled`.
    nonisolated(nonsending) func value(
        path: [ServiceKey], _ phaseSignal: Signal<StoredInstance>
    ) async throws(ResolutionError) -> StoredInstance? {
        // While this task waits, the instance whose construction has led to it counts as waiting.
        let waiting = Frame.activeInTask?.instanceUnderConstruction
        // The path of a resolve in a task that the factory has started does not begin with its service.
        if let waiting,
            let circle = Waits.add(
                self, of: waiting.construction, path: path.first == waiting.key ? path : [waiting.key] + path)
        {
            throw ResolutionError(.circular, path: circle, detail: "asynchronous").with(path: circle)
        }
        defer { if let waiting { Waits.remove(self, of: waiting.construction) } }
        let weak = await waitForEnd(phaseSignal)
        switch phase {
        case .complete(let instance): return instance
        // The sender of the signal has kept the instance until then.
        case .weak(let reference): return weak ?? reference.instance ?? phaseSignal.sent
        case .closing, .closed: return nil
        case .building, .built: throw .cancelled(path: path)
        case .failed(let error):
            guard let error else { return nil }
            if error.reason == .cancelled {
                if Task.isCancelled { throw .cancelled(path: path) }
                return nil
            }
            throw error.with(path: path.dropLast() + error.keys)
        }
    }
}
