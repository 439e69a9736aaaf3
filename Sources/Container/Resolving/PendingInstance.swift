import SharedState

/// An instance from the start of its factory until it and all its parts are complete.
///
/// There is one for each shared instance under construction, and one for each other instance with completions that have
/// not run yet. If an instance is made of another one that is incomplete, the other is a part of it. A shared instance
/// is published when its completions and those of all its parts, and of their parts, have run. If one of them throws,
/// the instance is not kept. Parts may form circles; all instances of a circle end together.
///
/// No lock is held while a factory or a completion runs. A thread that needs an instance
///
/// - waits while another thread runs the factory or the completions. If that thread in turn waits for this one, the
///   first thread takes the instance as it is if a factory of the circle has returned, and gets an error if none has;
/// - otherwise takes the instance as it is, and completes it before its own outermost resolve returns.
///
/// So a thread never waits for the outer resolve of another thread, which might itself wait for this thread.
final class PendingInstance {
    enum State {
        /// Its factory runs.
        case building
        /// Its factory has returned; its completions have not started.
        case built
        /// Its completions run.
        case completing
        /// Its completions have run, but perhaps not those of its parts.
        case complete
        /// All completions have run: any thread may get it.
        case ended
        /// A completion of it or of a part threw this error; nil if the factory threw, so that there is no instance.
        case failed(ResolutionError?)
    }

    let registration: Registration
    let maker: ThreadState
    /// The threads whose instances the maker was completing when it began this one.
    let makers: [ThreadState]
    /// The context of the resolve that makes it.
    let context: ResolutionContext
    /// Whether it outlives the resolve that makes it.
    let isShared: Bool
    /// Whether another thread may run its completions: it is shared, or was made for a shared instance alone.
    let isAdoptable: Bool

    // The monitor guards all of this once other threads can find the instance: see `isVisible`.
    private(set) var state = State.building
    /// The thread that this instance waits for.
    private(set) var worker: ThreadState?
    /// The instances that it is made of and that were incomplete at that time.
    private(set) var parts: [PendingInstance] = []
    /// The instance as its registration stores it, once its factory has returned.
    private(set) var stored: AnyObject?
    /// What the scope keeps of it: the instance itself or a `Weak`.
    private var kept: AnyObject?
    /// The completions that have not run yet.
    private(set) var completion: DeferredCompletion?
    /// The instances of its context, for a thread that adopts it.
    private(set) var graphInstances: [ResolutionContext.Instance] = []
    /// How often the instance of its registration had been forgotten when the construction began.
    private let resets: Int
    private var waiters: [ThreadState] = []
    /// The number of the last walk along parts that has visited it.
    var mark: UInt64 = 0

    /// Whether the resolve that made it has returned.
    private(set) var isSettled = false
    /// Whether other threads can find it. Only its maker changes it.
    private(set) var isVisible: Bool

    init(of registration: Registration, by maker: ThreadState, in context: ResolutionContext, isShared: Bool) {
        self.registration = registration
        self.maker = maker
        self.context = context
        makers = maker.makers
        self.isShared = isShared
        isAdoptable = isShared || maker.isMakingShared
        isVisible = isShared
        worker = maker
        resets = registration.resets
    }

    /// Whether its scope has been reset, or its key registered again, since the construction began. Then only threads
    /// that have asked before get it.
    var isDetached: Bool { registration.resets != resets }
}

/// The closures of `initCompleted` for one instance, to be called when no factory of the resolve runs any more.
struct DeferredCompletion {
    /// A part of the path that has led to the instance.
    struct Step {
        let registration: Registration
        let asked: Container
        let role: Frame.Role
    }

    let asked: Container
    /// The path to the instance, without the instance.
    let path: [Step]
    /// A number that grows with each completion of a thread.
    let order: UInt64
    /// Calls the user's closures.
    let run: (Resolver) throws -> Void
}

// MARK: - Of a registration

extension PendingInstance {
    /// The shared instances under construction, by registration.
    fileprivate static let all = Guarded<[ObjectIdentifier: [PendingInstance]]>([:])
}

// Call these under the monitor.

extension Registration {
    /// The shared instance under construction, and those whose scope has been reset since they began.
    var pending: [PendingInstance] { PendingInstance.all.withLock { $0[ObjectIdentifier(self)] ?? [] } }

    func addPending(_ pending: PendingInstance) {
        PendingInstance.all.withLock { $0[ObjectIdentifier(self), default: []].append(pending) }
    }

    fileprivate func removePending(_ pending: PendingInstance) {
        let others = self.pending.filter { $0 !== pending }
        PendingInstance.all.withLock { $0[ObjectIdentifier(self)] = others.isEmpty ? nil : others }
    }
}

// MARK: - Transitions

// Objects are released outside the monitor: the `deinit` of an instance, or of what a closure has captured, is user
// code.

extension PendingInstance {
    /// The factory has returned.
    ///
    /// - Parameters:
    ///   - stored: the instance as its registration stores it.
    ///   - kept: what a shared scope keeps of it.
    ///   - completion: the completions, or nil.
    ///   - parts: the incomplete instances that its factory has taken.
    func build(
        _ stored: AnyObject, keeping kept: AnyObject?, _ completion: DeferredCompletion?, parts: [PendingInstance]
    ) {
        synchronized {
            self.stored = stored
            self.kept = kept
            self.completion = completion
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

    /// Lets other threads find it and its parts.
    private func show() {
        if isVisible { return }
        isVisible = true
        for part in parts { part.show() }
    }

    /// The factory threw.
    func fail() { synchronized { change(to: .failed(nil)) } }

    /// Publishes an instance that has neither completions nor parts.
    func end(_ stored: AnyObject, keeping kept: AnyObject) {
        synchronized {
            self.stored = stored
            self.kept = kept
            publish()
        }
    }

    /// Records that a thread runs its completions. Call it under the monitor.
    func startCompleting(on thread: ThreadState) {
        state = .completing
        worker = thread
    }

    /// Its completions have run, or one has thrown.
    func complete(_ failure: ResolutionError?, parts new: [PendingInstance], in context: ResolutionContext) {
        let former = synchronized { () -> DeferredCompletion? in
            add(new, in: context)
            change(to: failure.map { .failed($0) } ?? .complete)
            defer { completion = nil }
            return completion
        }
        withExtendedLifetime(former) {}
    }

    /// The resolve that made it returns.
    func settle() {
        let former = synchronized { () -> [PendingInstance] in
            isSettled = true
            if isVisible { return [] }
            // Otherwise two instances that are parts of each other would leak.
            defer { parts = [] }
            return parts
        }
        withExtendedLifetime(former) {}
    }

    /// Publishes it with all its parts if all of them are complete, or lets it fail if one of them has failed. Call it
    /// under the monitor.
    ///
    /// - Returns: the objects to release outside the monitor.
    func endIfPossible() -> [AnyObject] {
        guard isBuilt else { return [] }
        let closure = closure
        var isComplete = true
        for part in closure {
            switch part.state {
            case .failed(let error):
                // The thread that runs its completions still needs it.
                if case .completing = state { return [] }
                return fail(with: closure, error)
            case .complete: break
            case .building, .built, .completing, .ended: isComplete = false
            }
        }
        if !isComplete { return [] }
        for part in closure { part.publish() }
        return closure.flatMap { $0.dismantle() }
    }

    /// Lets it fail, together with the parts that no resolve completes any more.
    private func fail(with closure: [PendingInstance], _ error: ResolutionError?) -> [AnyObject] {
        let failed = closure.filter { $0 === self || !$0.isShared && $0.isSettled && $0.isBuilt }
        for part in failed { part.change(to: .failed(error)) }
        return failed.flatMap { $0.dismantle() }
    }

    /// Removes its references to parts, so that circles of instances are freed.
    private func dismantle() -> [AnyObject] {
        defer { (parts, graphInstances) = ([], []) }
        return parts + graphInstances.map(\.stored)
    }

    /// Wakes a thread when this instance or one of its parts changes. Call it under the monitor.
    func wakeOnChange(_ thread: ThreadState) { for part in closure { part.waiters.append(thread) } }

    private func synchronized<Result>(_ body: () -> Result) -> Result {
        isVisible ? Container.monitor.withLock(body) : body()
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
        // An instance that a `verify()` has made is not in the list.
        if let kept, !isDetached, registration.pending.contains(where: { $0 === self }) { registration.keep(kept) }
        change(to: .ended)
    }
}
