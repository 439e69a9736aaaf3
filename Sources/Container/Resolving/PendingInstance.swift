import SharedState

/// An instance from the start of its factory until it and everything that it is made of is complete.
///
/// There is one for each shared instance that is under construction, and one for each other instance whose
/// completions have still to run. What an instance has taken while it was incomplete itself is a part of it. A shared
/// instance is published when its completions and those of all its parts, and of their parts, have run; where one of
/// them throws, it is not kept. Parts may form circles: then all of them end together.
///
/// No lock is held while a factory or a completion runs. A thread that needs an instance
///
/// - waits while another thread runs its factory or its completions, unless that thread waits for this one: then the
///   circle is open where a factory has returned, and an error where none has;
/// - else takes it as it is and completes it before its own outermost resolve returns.
///
/// So no thread waits for an outer resolve of another thread, which might itself wait for this one.
final class PendingInstance {
    enum State {
        /// Its factory runs.
        case building
        /// Its factory has returned; its completions have still to run.
        case built
        /// Its completions run.
        case completing
        /// Its completions have run; those of its parts perhaps not.
        case complete
        /// Everything has: everybody may have it.
        case ended
        /// With what a completion threw, its own or a part's; `nil` where the factory threw, so that there is no instance.
        case failed(ResolutionError?)
    }

    let registration: Registration
    let maker: ThreadState
    /// The threads whose resolves need it: its maker's, and those that its maker was completing instances of.
    let makers: [ThreadState]
    /// The resolve that it is made in.
    let context: ResolutionContext
    /// Whether it outlives the resolve that makes it.
    let isShared: Bool
    /// Whether another thread may run its completions: it is shared, or was made for a shared instance alone.
    let isAdoptable: Bool

    // The monitor guards all of this once other threads can find the instance: see `isVisible`.
    private(set) var state = State.building
    /// The thread that has to go on before this instance can.
    private(set) var worker: ThreadState?
    /// What it has taken that was not complete by then.
    private(set) var parts: [PendingInstance] = []
    /// The instance as its registration stores it, from the return of its factory on.
    private(set) var stored: AnyObject?
    /// What the scope keeps of it.
    private var kept: AnyObject?
    /// What has still to run.
    private(set) var completion: DeferredCompletion?
    /// The instances of its context, for a thread that adopts it.
    private(set) var graphInstances: [ResolutionContext.Instance] = []
    /// How often the instance of its registration had been forgotten when the construction began.
    private let resets: Int
    private var waiters: [ThreadState] = []
    /// The last walk along parts that has come by.
    var mark: UInt64 = 0

    /// Whether the resolve that made it has returned.
    private(set) var isSettled = false
    /// Whether other threads can find it. Changed by its maker alone.
    private(set) var isVisible: Bool

    /// - Parameter isShared: whether it outlives the resolve that makes it.
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

    /// Whether its scope has been reset, or its key registered anew: it goes only to threads that have asked before.
    var isDetached: Bool { registration.resets != resets }
}

/// What `initCompleted` has asked for, for one instance.
struct DeferredCompletion {
    let asked: Container
    /// What led to the instance, without itself.
    let path: [Step]
    /// A number that grows with each of a thread's.
    let order: UInt64
    /// Calls the user's closures.
    let run: (Resolver) throws -> Void
}

// MARK: - Of a registration

extension PendingInstance {
    /// Those of shared scopes, by registration. Guarded by the monitor.
    nonisolated(unsafe) fileprivate static var all: [ObjectIdentifier: [PendingInstance]] = [:]
}

// Call these under the monitor.

extension Registration {
    /// The shared instance that is under construction, and those that were when the scope was reset.
    var pending: [PendingInstance] { unsafe PendingInstance.all[ObjectIdentifier(self)] ?? [] }

    func addPending(_ pending: PendingInstance) {
        unsafe PendingInstance.all[ObjectIdentifier(self), default: []].append(pending)
    }

    fileprivate func removePending(_ pending: PendingInstance) {
        let others = self.pending.filter { $0 !== pending }
        unsafe PendingInstance.all[ObjectIdentifier(self)] = others.isEmpty ? nil : others
    }
}

// MARK: - Its way

// What ends leaves the monitor first: the last release of an instance, or of what a closure has captured, is user code.

extension PendingInstance {
    /// The factory has returned.
    ///
    /// - Parameters:
    ///   - stored: the instance as its registration stores it.
    ///   - kept: what a shared scope keeps of it.
    ///   - completion: what has still to run, if anything.
    ///   - parts: what its factory has taken that was not complete.
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

    /// Lets other threads find it.
    private func show() {
        if isVisible { return }
        isVisible = true
        for part in parts { part.show() }
    }

    /// The factory threw.
    func fail() { synchronized { change(to: .failed(nil)) } }

    /// Everything has been done for an instance that has no completions and no parts.
    func end(_ stored: AnyObject, keeping kept: AnyObject) {
        synchronized {
            self.stored = stored
            self.kept = kept
            publish()
        }
    }

    /// Notes that a thread runs its completions. Call it under the monitor.
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
            // Else two that are parts of each other would stay.
            defer { parts = [] }
            return parts
        }
        withExtendedLifetime(former) {}
    }

    /// Publishes it with all its parts where all of them are complete, or lets it fail where one has failed. Call it
    /// under the monitor.
    ///
    /// - Returns: what is no longer needed, to be released when the monitor is free.
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

    /// Fails, with those parts that no resolve completes any more.
    private func fail(with closure: [PendingInstance], _ error: ResolutionError?) -> [AnyObject] {
        let failed = closure.filter { $0 === self || !$0.isShared && $0.isSettled && $0.isBuilt }
        for part in failed { part.change(to: .failed(error)) }
        return failed.flatMap { $0.dismantle() }
    }

    /// Takes apart what has ended, so that no two keep each other.
    private func dismantle() -> [AnyObject] {
        defer { (parts, graphInstances) = ([], []) }
        return parts + graphInstances.map(\.stored)
    }

    /// Adds a thread to those that are woken when something changes that this instance has to wait for. Call it
    /// under the monitor.
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
            registration.removePending(self)
        }
        for waiter in waiters { waiter.wake() }
        waiters = []
    }

    private func publish() {
        // The instance of a `verify()` is in the scope of that alone.
        if let kept, !isDetached, registration.pending.contains(where: { $0 === self }) { registration.keep(kept) }
        change(to: .ended)
    }
}
