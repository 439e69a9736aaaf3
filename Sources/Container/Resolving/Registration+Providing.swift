import SharedState

extension Registration {
    /// Returns an instance as the scope requires: the shared one, the one of the resolver's graph, or a new one.
    ///
    /// - Parameters:
    ///   - r: the resolver. Its container is the owner of this registration or a descendant of the owner. Its token
    ///     identifies the resolve that this one is nested in. If the token is 0, or its factory has returned, this is
    ///     an outermost resolve.
    ///   - arguments: the runtime arguments, whose types are those in the key.
    /// - Returns: the instance in its stored form.
    /// - Throws: the error of a factory or a completion, or a circular error.
    func provide(for r: Resolver, _ arguments: Any) throws(ResolutionError) -> AnyObject {
        if let target { return try view(of: target, for: r, arguments) }
        let thread = ThreadState.current
        if isWeak, thread.scratch == nil, let held { return stored(held) }
        if let context = thread.context(of: r.token) {
            return try instance(for: r.container, arguments, on: thread, in: context)
        }
        let context = thread.beginContext()
        defer { thread.end(context) }
        let result = Result { () throws(ResolutionError) in
            try instance(for: r.container, arguments, on: thread, in: context)
        }
        switch result {
        case .success(let instance):
            if let failure = thread.finish(context, hasFailed: false) { throw failure }
            return instance
        case .failure(let error):
            _ = thread.finish(context, hasFailed: true)
            throw error
        }
    }

    private func instance(
        for asked: Container, _ arguments: Any, on thread: ThreadState, in context: ResolutionContext
    ) throws(ResolutionError) -> AnyObject {
        switch options.scope {
        case .transient: try make(for: asked, arguments, on: thread, in: context)
        case .graph: try makeOnce(in: context, for: asked, arguments, on: thread, in: context)
        case .shared: try share(arguments, on: thread, in: context)
        }
    }

    /// Returns the instance of the registration that this one forwards to, cast to the service type of this one.
    ///
    /// If the instance is shared, this registration keeps it too, so that later lookups need no cast.
    private func view(of target: Registration, for r: Resolver, _ arguments: Any) throws(ResolutionError) -> AnyObject {
        let instance = try target.provide(for: r, arguments)
        guard let view = form.object(for: target.form.value(in: instance)) else {
            throw ResolutionError(.wrongType, path: ThreadState.current.path(to: target.key), detail: "\(key.service)")
        }
        if isSharing, !isWeak {
            Container.monitor.withLock { if target.instance.isCurrent(instance) { keep(view) } }
        }
        return view
    }
}

// MARK: - Making

extension Registration {
    /// Returns the instance of this registration in `store`, or builds one and keeps it there. `store` is the context
    /// of the resolve, or the one with the shared instances of a `verify()`.
    private func makeOnce(
        in store: ResolutionContext, for asked: Container, _ arguments: Any, on thread: ThreadState,
        in context: ResolutionContext
    ) throws(ResolutionError) -> AnyObject {
        if let found = store.find(self, for: asked) {
            if !found.parts.isEmpty { thread.take(found.parts) }
            return found.stored
        }
        let start = thread.taken.count
        let stored = try make(for: asked, arguments, on: thread, in: context)
        let parts = thread.taken.count == start ? [] : thread.parts(since: start)
        store.keep(stored, of: self, for: asked, parts: parts)
        return stored
    }

    /// Runs the factory, and defers the completions to the end of the resolve. `pending` is the pending instance that
    /// other threads wait for, or nil if the instance is not shared.
    private func make(
        for asked: Container, _ arguments: Any, on thread: ThreadState, in context: ResolutionContext,
        _ pending: PendingInstance? = nil
    ) throws(ResolutionError) -> AnyObject {
        let start = thread.taken.count
        let stored = try run(for: asked, arguments, on: thread, in: context)
        if options.completions.isEmpty, thread.taken.count == start || !isSharing {
            pending?.end(stored, keeping: kept(stored))
            return stored
        }
        try thread.checkCompletion(of: self, for: asked)
        let pending = pending ?? PendingInstance(of: self, by: thread, in: context, isShared: isSharing)
        pending.build(
            stored, keeping: isSharing ? kept(stored) : nil,
            completion(of: stored, for: asked, on: thread, in: context), parts: thread.parts(since: start))
        thread.take(pending)
        return stored
    }

    private func completion(
        of stored: AnyObject, for asked: Container, on thread: ThreadState, in context: ResolutionContext
    ) -> DeferredCompletion? {
        if options.completions.isEmpty { return nil }
        return DeferredCompletion(asked: asked, path: thread.steps(since: context), order: thread.nextToken()) { r in
            for completion in self.options.completions { try completion(r, stored) }
        }
    }

    private func run(
        for asked: Container, _ arguments: Any, on thread: ThreadState, in context: ResolutionContext
    ) throws(ResolutionError) -> AnyObject {
        guard case .factory(let factory) = source else { preconditionFailure("a forward has no factory") }
        if !options.isVerified, thread.scratch != nil {
            throw ResolutionError(.unverified, path: thread.path(to: key))
        }
        let token = try thread.enter(self, for: asked, in: context)
        if isSharing { thread.sharedDepth += 1 }
        defer {
            if isSharing { thread.sharedDepth -= 1 }
            thread.leave()
        }
        do {
            return try factory(Resolver(container: asked, token: token), arguments)
        } catch {
            throw ResolutionError(.factoryFailed, of: error, path: thread.path)
        }
    }
}

// MARK: - Sharing

extension Registration {
    /// Returns the shared instance. If it does not exist, this thread builds it, or waits for the thread that does.
    private func share(
        _ arguments: Any, on thread: ThreadState, in context: ResolutionContext
    ) throws(ResolutionError) -> AnyObject {
        if let scratch = thread.scratch {
            return try makeOnce(in: scratch, for: owner, arguments, on: thread, in: context)
        }
        switch try claim(on: thread, in: context) {
        case .made(let stored): return stored
        case .held(let object): return stored(object)
        case .construct(let pending):
            defer { if isWeak { owner.releaseRetired() } }
            do throws(ResolutionError) {
                return try make(for: owner, arguments, on: thread, in: context, pending)
            } catch {
                pending.fail()
                throw error
            }
        }
    }

    /// The object that the scope keeps of an instance: the stored instance, or in a weak scope a weak reference to it.
    /// A value that is not an object is not kept in a weak scope.
    private func kept(_ stored: AnyObject) -> AnyObject {
        if !isWeak { return stored }
        let value = form.value(in: stored)
        return Weak(type(of: value) is any AnyObject.Type ? value as AnyObject : nil)
    }

    /// The instance of a weak scope, or nil if it has been released.
    var held: AnyObject? {
        owner.hazard.protect {
            instance.withObject { ($0 as? Weak)?.object } ?? nil
        }
    }

    /// Returns the stored form of the instance of a weak scope.
    private func stored(_ held: AnyObject) -> AnyObject {
        if !isBoxed { return held }
        guard let stored = form.object(for: held) else { preconditionFailure("it was stored as this service") }
        return stored
    }
}

// MARK: - Claiming

extension Registration {
    /// The result of a thread's request for a shared instance.
    private enum Claim {
        /// The instance exists. The object is its stored form.
        case made(AnyObject)
        /// The instance of a weak scope exists. The object is the instance itself, not its stored form.
        case held(AnyObject)
        /// The instance does not exist. The thread that requested it must build it.
        case construct(PendingInstance)
    }

    /// Finds the shared instance, waits for the thread that builds it, or assigns its construction to this thread.
    ///
    /// - Throws: a circular error if the wait would be a deadlock.
    private func claim(on thread: ThreadState, in context: ResolutionContext) throws(ResolutionError) -> Claim {
        var unneeded: [AnyObject] = []
        defer { withExtendedLifetime(unneeded) {} }
        return try Container.monitor.withLock { () throws(ResolutionError) in
            var awaited: PendingInstance?
            while true {
                // A thread that waited for an instance gets it even if its key has been reset or registered again.
                if let awaited, case .ended = awaited.state, let stored = awaited.stored { return .made(stored) }
                if awaited?.isInProgress != true {
                    awaited = pendingBefore(on: thread)
                    if awaited == nil, let existing { return existing }
                }
                guard let current = awaited ?? pending.first(where: { !$0.isDetached }) else {
                    let new = PendingInstance(of: self, by: thread, in: context, isShared: true)
                    addPending(new)
                    return .construct(new)
                }
                awaited = current
                if current.isOpen(to: thread), let stored = current.stored {
                    thread.take(current)
                    return .made(stored)
                }
                unneeded += current.endIfPossible()
                if current.isInProgress { try wait(for: current, on: thread) }
            }
        }
    }

    private var existing: Claim? {
        if isWeak { return held.map { .held($0) } }
        // No hazard is needed: this thread holds the monitor, so no other thread can replace the instance.
        return instance.copy().map { .made($0) }
    }

    /// The pending instance that was made by this thread, or by a thread whose instances this thread is completing. It
    /// is used even if the scope has been reset meanwhile, so that services that need each other get the same
    /// instances.
    private func pendingBefore(on thread: ThreadState) -> PendingInstance? {
        pending.first { pending in pending.maker === thread || thread.makers.contains { $0 === pending.maker } }
    }

    private func wait(for pending: PendingInstance, on thread: ThreadState) throws(ResolutionError) {
        if let circle = pending.deadlock(of: thread) {
            throw ResolutionError(.circular, path: thread.path(to: key) + circle.flatMap { $0.wayOn })
        }
        thread.wait(for: pending, path: thread.path(to: key))
    }
}
