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
    // @unchecked: the monitor guards the variables if other workers can find the instance, that is if it is in the
    // graph of a shared service. Otherwise only the maker has a reference to it: in its `taken`, in the graph of its
    // outermost resolve, or as a part of another such instance. The context has one user at a time.
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
    /// The graph that it is part of. If it is shared, that is its own one.
    let context: ResolutionContext
    /// Whether its scope is shared, so that it outlives the resolve that builds it.
    var isShared: Bool { registration.isSharing }
    /// Whether other workers can find this instance: it is shared, or it is in the graph of a shared instance.
    let isVisible: Bool

    // The monitor guards the following variables if `isVisible` is true. Otherwise only the maker uses them.
    private(set) var state = State.building
    /// The instances that its factory or its completions took while these were incomplete.
    private(set) var parts: [PendingInstance] = []
    /// The instance in its stored form, or nil before the factory has returned.
    private(set) var stored: AnyObject?
    /// The completions to run, or nil if there are none or they have run.
    private(set) var completion: DeferredCompletion?
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
    private var isSettled = false

    init(of registration: Registration, by maker: Worker, in context: ResolutionContext) {
        self.registration = registration
        self.maker = maker
        self.context = context
        makers = maker.makers
        isVisible = context.service != nil
        resets = registration.resets
        if isShared { context.whole = self }
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
            self.parts = parts
            if isShared { context.end() }
            change(to: completion == nil ? .complete : .built)
        }
    }

    /// Records that the factory of a shared instance threw.
    func fail(_ error: ResolutionError? = nil) {
        synchronized {
            context.end()
            change(to: .failed(error))
        }
    }

    /// Publishes a shared instance that has neither completions nor parts.
    func end(_ stored: AnyObject) {
        let former = synchronized { () -> [AnyObject] in
            self.stored = stored
            context.end()
            context.settle()
            publish()
            return dismantle()
        }
        withExtendedLifetime(former) {}
    }

    /// Records that a worker starts the completions. The caller must hold the monitor if other workers can find the
    /// instance.
    func startCompleting(on worker: Worker) {
        state = .completing
        if isVisible { context.begin(on: worker) }
    }

    /// Records that the completions have run, or that one has thrown `failure`. `new` are the instances that they took.
    func complete(_ failure: ResolutionError?, parts new: [PendingInstance]) {
        let former = synchronized { () -> (DeferredCompletion?, [AnyObject]) in
            parts += new
            if isVisible { context.end() }
            defer { completion = nil }
            if failure != nil || context.hasFailed {
                return (completion, failWithGraph(failure ?? context.failure))
            }
            change(to: .complete)
            return (completion, [])
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

    /// Whether the outermost resolve that built it has not finished yet.
    var isUnsettled: Bool { synchronized { !isSettled } }

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
                // A worker that is running completions still uses the graph.
                if context.user != nil { return [] }
                return failWithGraph(error)
            case .complete: break
            case .building, .built, .completing, .ended: isComplete = false
            }
        }
        if !isComplete { return [] }
        for part in closure where part.isShared { part.context.settle() }
        for part in Self.inOrderOfCompletion(closure) { part.publish() }
        return closure.flatMap { $0.dismantle() }
    }

    /// Marks it as failed, and with it the shared instance in whose graph it is. If a worker still runs a completion of
    /// the graph, that one marks the shared instance later.
    ///
    /// - Returns: the objects to release outside the monitor.
    private func failWithGraph(_ error: ResolutionError?) -> [AnyObject] {
        change(to: .failed(error))
        defer { parts = [] }
        if !isVisible { return parts }
        context.fail(error)
        if context.user != nil { return parts }
        let others = context.whole.flatMap { $0.isBuilt ? $0.failWithGraph(error) : nil }
        return parts + (others ?? []) + context.dismantle()
    }

    /// Removes the references to parts and from its own graph, so that cycles of instances are released.
    ///
    /// - Returns: the objects to release outside the monitor.
    private func dismantle() -> [AnyObject] {
        defer { parts = [] }
        return parts + (isShared ? context.dismantle() : [])
    }

    /// Wakes a worker at the next change of this instance or one of its parts. The caller must hold the monitor.
    func wakeOnChange(_ worker: Worker) { for part in closure { part.waiters.append(worker) } }

    private func synchronized<Result>(_ body: () -> Result) -> Result {
        isVisible ? Container.withMonitor(body) : body()
    }

    private func change(to new: State) {
        state = new
        switch new {
        case .building, .built, .completing, .complete: break
        case .ended, .failed: if isShared { registration.removePending(self) }
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
