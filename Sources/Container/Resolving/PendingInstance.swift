import SharedState

/// An instance under construction, from the start of its factory until the instance and all its parts are complete.
///
/// A pending instance exists for each shared instance under construction, and for each unshared instance whose
/// completions have not run yet. If a factory or a completion takes an instance that is still incomplete, that instance
/// becomes a *part* of the one that it builds. A shared instance is published after its own completions, those of its
/// parts, and those of their parts have run. If one of them throws, the instance is not kept. Parts may form cycles.
/// All instances of a cycle are published together.
///
/// No lock is held while a factory or a completion runs. A worker that needs a shared instance under construction does
/// one of the following:
///
/// - While another worker runs the factory or the completions, it waits. If workers would wait for each other in a
///   cycle, a worker that waits for an instance whose factory has returned takes that incomplete instance. If no
///   factory in the cycle has returned, the worker that closes the cycle throws a circular error.
/// - Otherwise it takes the incomplete instance, and completes it before its own outermost resolve returns.
///
/// So a worker waits only for a running factory or completion. It never waits for the whole outermost resolve of
/// another worker, which might in turn wait for this worker.
final class PendingInstance: @unchecked Sendable {
    // @unchecked: the monitor guards the variables as soon as other workers can find the instance, that is from the
    // beginning if it is shared, and otherwise after `show()`, which the maker calls under the monitor. Before, only
    // the maker has a reference to it: in its `taken`, in its graph, or as a part of an instance that is not visible
    // either.
    enum State {
        /// The factory is running.
        case building
        /// The factory has returned. The completions have not started.
        case built
        /// A worker is running the completions.
        case completing
        /// The completions have run, but those of a part may not have.
        case complete
        /// All completions, including those of parts, have run. Any worker may get the instance.
        case ended
        /// The factory, a completion, or a completion of a part threw this error. Nil if the factory was synchronous:
        /// then a worker that waits runs it itself.
        case failed(ResolutionError?)
    }

    let registration: Registration
    /// The worker that runs the factory.
    let maker: Worker
    /// The workers whose instances the maker was completing when it started this factory.
    let makers: [Worker]
    /// The context of the resolve that builds it.
    let context: ResolutionContext
    /// Whether its scope is shared, so that it outlives the resolve that builds it.
    let isShared: Bool
    /// Whether another worker may run its completions. True if they are synchronous and it is shared, or its maker was
    /// building or completing a shared instance when it started this factory.
    let isAdoptable: Bool

    // The monitor guards the following variables as soon as `isVisible` is true. Before, only the maker uses them.
    private(set) var state = State.building
    /// The worker that is running, or must run, the factory or the completions. Nil if any worker may run the
    /// completions, or if none are left.
    private(set) var worker: Worker?
    /// The instances that its factory or its completions took while these were incomplete.
    private(set) var parts: [PendingInstance] = []
    /// The instance in its stored form, or nil before the factory has returned.
    private(set) var stored: AnyObject?
    /// The completions to run, or nil if there are none or they have run.
    private(set) var completion: DeferredCompletion?
    /// A copy of the instances in its context, for another worker that runs its completions.
    private(set) var graphInstances: [ResolutionContext.Instance] = []
    /// The value of `Registration.resets` when the construction began.
    private let resets: Int
    /// A number that increases with each factory that returns.
    private(set) var number: UInt64 = 0
    /// The workers to wake at the next change of the state.
    private var waiters: [Worker] = []
    /// The number of the last traversal of parts that visited this instance.
    var mark: UInt64 = 0

    /// The task of an asynchronous construction, or nil.
    private var task: Task<Void, Never>?
    /// The number of workers that have asked for an asynchronous construction and have not been cancelled.
    private var askers = 0
    /// Whether the last asker has been cancelled, and the task of the construction with it.
    private(set) var isAbandoned = false

    /// Whether the outermost resolve that built it has finished.
    private(set) var isSettled = false
    /// Whether other workers can find this instance. Only the maker sets it.
    private(set) var isVisible: Bool

    init(of registration: Registration, by maker: Worker, in context: ResolutionContext, isShared: Bool) {
        self.registration = registration
        self.maker = maker
        self.context = context
        makers = maker.makers
        self.isShared = isShared
        isAdoptable = !registration.isAsync && (isShared || maker.isMakingShared)
        isVisible = isShared
        worker = maker
        resets = registration.resets
    }

    /// Whether its scope has been reset, or its registration replaced or removed, since the construction began. Then
    /// the instance is returned only to workers that waited for it before.
    var isDetached: Bool { registration.resets != resets }
}

/// The completions of one instance, which run after all factories of the resolve have returned.
struct DeferredCompletion {
    /// A service in the path to the instance.
    struct Step {
        let registration: Registration
        let asked: Container
        let role: Frame.Role
    }

    /// The container of the resolver that the completions get.
    let asked: Container
    /// The path to the instance, without the instance itself.
    let path: [Step]
}

// MARK: - The pending instances of a registration

extension PendingInstance {
    /// The shared instances under construction, by registration.
    fileprivate static let all = Guarded<[ObjectIdentifier: [PendingInstance]]>([:])
}

// The caller of these members must hold the monitor.

extension Registration {
    /// The shared instances under construction: the current one, and those that a reset of the scope has detached.
    var pending: [PendingInstance] { PendingInstance.all.withLock { $0[ObjectIdentifier(self)] ?? [] } }

    func addPending(_ pending: PendingInstance) {
        owner.beginActivity()
        PendingInstance.all.withLock { $0[ObjectIdentifier(self), default: []].append(pending) }
    }

    fileprivate func removePending(_ pending: PendingInstance) {
        let all = self.pending
        let others = all.filter { $0 !== pending }
        // An instance that a `verify()` has built was never added.
        if others.count == all.count { return }
        PendingInstance.all.withLock { $0[ObjectIdentifier(self)] = others.isEmpty ? nil : others }
        owner.endActivity()
    }
}

// MARK: - Transitions

// These methods release objects outside the monitor, because the `deinit` of an instance or of a captured object is
// user code.

extension PendingInstance {
    /// Records that the factory has returned.
    ///
    /// - Parameters:
    ///   - stored: the instance in its stored form.
    ///   - completion: the completions, or nil if there are none.
    ///   - parts: the incomplete instances that the factory has taken.
    func build(_ stored: AnyObject, _ completion: DeferredCompletion?, parts: [PendingInstance]) {
        synchronized {
            self.stored = stored
            self.completion = completion
            number = Self.newMark()
            add(parts, in: context)
            change(to: completion == nil ? .complete : .built)
        }
    }

    private func add(_ new: [PendingInstance], in context: ResolutionContext) {
        parts += new
        if !isVisible { return }
        if context === self.context { graphInstances = context.instances }
        for part in new {
            part.show()
            if !part.isShared, part.context === context { part.graphInstances = context.instances }
        }
        for instance in context.instances { for part in instance.parts { part.show() } }
    }

    /// Makes it and its parts visible to other workers.
    private func show() {
        if isVisible { return }
        isVisible = true
        for part in parts { part.show() }
    }

    /// Records that the factory threw.
    func fail(_ error: ResolutionError? = nil) { synchronized { change(to: .failed(error)) } }

    /// Publishes an instance that has neither completions nor parts.
    func end(_ stored: AnyObject) {
        synchronized {
            self.stored = stored
            publish()
        }
    }

    /// Records that a worker starts the completions. The caller must hold the monitor.
    func startCompleting(on worker: Worker) {
        state = .completing
        self.worker = worker
    }

    /// Records that the completions have run, or that one has thrown `failure`. `new` are the instances that they took.
    func complete(_ failure: ResolutionError?, parts new: [PendingInstance], in context: ResolutionContext) {
        let former = synchronized { () -> DeferredCompletion? in
            add(new, in: context)
            change(to: failure.map { .failed($0) } ?? .complete)
            defer { completion = nil }
            return completion
        }
        withExtendedLifetime(former) {}
    }

    /// Records that the outermost resolve that built it has finished.
    func settle() {
        let former = synchronized { () -> [PendingInstance] in
            isSettled = true
            if isVisible { return [] }
            // Breaks reference cycles between instances that are parts of each other.
            defer { parts = [] }
            return parts
        }
        withExtendedLifetime(former) {}
    }

    /// Publishes the instance and all its parts if all of them are complete, or marks it as failed if a part has
    /// failed. The caller must hold the monitor.
    ///
    /// - Returns: the objects to release outside the monitor.
    func endIfPossible() -> [AnyObject] {
        guard isBuilt else { return [] }
        let closure = closure
        var isComplete = true
        for part in closure {
            switch part.state {
            case .failed(let error):
                // The worker that is running the completions still uses the instance.
                if case .completing = state { return [] }
                return fail(with: closure, error)
            case .complete: break
            case .building, .built, .completing, .ended: isComplete = false
            }
        }
        if !isComplete { return [] }
        for part in Self.inOrderOfCompletion(closure) { part.publish() }
        return closure.flatMap { $0.dismantle() }
    }

    /// Marks it as failed, together with the parts that no resolve will complete any more.
    ///
    /// - Returns: the objects to release outside the monitor.
    private func fail(with closure: [PendingInstance], _ error: ResolutionError?) -> [AnyObject] {
        let failed = closure.filter { $0 === self || !$0.isShared && $0.isSettled && $0.isBuilt }
        for part in failed { part.change(to: .failed(error)) }
        return failed.flatMap { $0.dismantle() }
    }

    /// Removes the references to parts and to the graph, so that cycles of instances are released.
    ///
    /// - Returns: the objects to release outside the monitor.
    private func dismantle() -> [AnyObject] {
        defer { (parts, graphInstances) = ([], []) }
        return parts + graphInstances.map(\.stored)
    }

    /// Wakes a worker at the next change of this instance or one of its parts. The caller must hold the monitor.
    func wakeOnChange(_ worker: Worker) { for part in closure { part.waiters.append(worker) } }

    private func synchronized<Result>(_ body: () -> Result) -> Result {
        isVisible ? Container.withMonitor(body) : body()
    }

    private func change(to new: State) {
        state = new
        switch new {
        case .building, .completing: break
        case .built: worker = isAdoptable ? nil : maker
        case .complete: worker = nil
        case .ended, .failed:
            worker = nil
            if isShared { registration.removePending(self) }
        }
        for waiter in waiters { waiter.wake() }
        waiters = []
    }

    private func publish() {
        // An instance that a `verify()` has built is not in `registration.pending`, so it is not kept.
        if let stored, registration.pending.contains(where: { $0 === self }) {
            if !isDetached { registration.keep(registration.kept(stored)) }
            registration.owner.keepOpen(CloseHook.hooks(of: registration, stored))
        }
        change(to: .ended)
    }
}

// MARK: - Asynchronous constructions

extension PendingInstance {
    /// Sets the task that builds the instance.
    func begin(_ new: Task<Void, Never>) { synchronized { task = new } }

    /// Records that a worker waits for the construction. The caller must hold the monitor.
    func join() { askers += 1 }

    /// Records that a worker that had joined was cancelled, and cancels the construction if it was the last one.
    func leave() {
        let abandoned = synchronized { () -> Task<Void, Never>? in
            askers -= 1
            isAbandoned = askers == 0
            if isAbandoned { maker.isOver = true }
            return isAbandoned && isInProgress ? task : nil
        }
        abandoned?.cancel()
    }
}
