import SharedState
import Synchronization

/// A shared instance under construction, from the start of its factory until it is complete or has failed.
final class PendingInstance: Sendable {
    let registration: Registration
    /// The container that the instance belongs to.
    let container: Container
    /// The construction that it is a member of, or nil if a task builds it.
    let construction: Construction?
    /// The replacement that it is built for, or nil.
    let replacement: Replacement?
    /// What it reads, if it follows its settings.
    let reads: RecordedReads?
    /// The properties of its container, with a record of the reads, if it follows its settings.
    let properties: PropertyStore?
    private let state = Lock(State())

    private struct State {
        var phase = Phase.building
        /// Increases with each factory that returns.
        var number: UInt64 = 0
        var takes: [Take] = []
        var isStale = false
        /// Wakes the threads that wait, if there are any.
        var wakeThreads: (@Sendable () -> Void)?
        /// Wakes the tasks that wait.
        var continuations: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    enum Phase {
        /// The factory runs.
        case building
        /// The factory has returned, and the instance is not complete. Only its construction may use it.
        case built(StoredInstance)
        case complete(StoredInstance)
        case failed

        var hasEnded: Bool {
            switch self {
            case .building, .built: false
            case .complete, .failed: true
            }
        }
    }

    init(
        of registration: Registration, in container: Container, _ construction: Construction?,
        for replacement: Replacement? = nil
    ) {
        (self.registration, self.container, self.construction) = (registration, container, construction)
        self.replacement = replacement
        reads = registration.follows ? RecordedReads() : nil
        properties = reads.map { PropertyStore(recording: $0, of: container.properties) }
    }

    var key: ServiceKey { registration.key }
    var phase: Phase { state.withLock { $0.phase } }
    /// The place of the instance among those whose factories have returned.
    var number: UInt64 { state.withLock { $0.number } }

    /// Changes the phase, and wakes those that wait for this instance.
    func enter(_ phase: Phase) {
        typealias Continuations = [UInt64: CheckedContinuation<Void, Never>]
        let (wakeThreads, continuations) = state.withLock { state -> ((@Sendable () -> Void)?, Continuations) in
            state.phase = phase
            if !phase.hasEnded {
                state.number = Self.newID()
                return (state.wakeThreads, [:])
            }
            defer { state.continuations = [:] }
            return (state.wakeThreads, state.continuations)
        }
        wakeThreads?()
        for continuation in continuations.values { continuation.resume() }
    }

    /// Records that a thread is about to wait.
    func expectWaiter(_ wakeThreads: @escaping @Sendable () -> Void) {
        state.withLock { $0.wakeThreads = wakeThreads }
    }

    private static let lastID = Atomic<UInt64>(0)

    private static func newID() -> UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Suspends the task until the instance is complete or has failed, or until the task is cancelled.
    nonisolated(nonsending) func end() async {
        let id = Self.newID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // A cancellation that came before leaves its mark.
                    let isOver = state.phase.hasEnded || Task.isCancelled
                    if !isOver { state.continuations[id] = continuation }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.continuations.removeValue(forKey: id) }?.resume()
        }
    }
}

// MARK: - What it is built from

extension PendingInstance {
    /// Records that a factory or a completion of this instance is about to take a service.
    func take(_ key: ServiceKey, isDeferred: Bool = false) {
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
