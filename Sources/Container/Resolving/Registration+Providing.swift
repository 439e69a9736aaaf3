import SharedState

extension Registration {
    /// Returns the instance for a resolver: a shared one, the one of its graph, or a new one.
    ///
    /// - Parameters:
    ///   - r: the resolver. Its container is this registration's or a child of it. Its token tells which resolve this
    ///     is a part of; without one, or with one of a factory that has returned, this is an outermost resolve.
    ///   - arguments: the runtime arguments, of the types in the key.
    /// - Returns: the instance as it is stored.
    /// - Throws: the error of a factory or completion, or a circular error.
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

    /// The instance of the registration that this one forwards to, as this registration's type.
    ///
    /// A shared instance is kept here too, so that later lookups find it without a cast.
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
    /// The instance that a context has, or a new one. `store` is the context that keeps it: that of the resolve, or of a
    /// `verify()`.
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

    /// Runs the factory, and defers the completions to the end of the resolve. `pending` is the instance under
    /// construction, if others share it.
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
    /// The shared instance, made by this thread, or by another one that this thread waits for.
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

    /// What the scope keeps of an instance: in a weak scope only an object, as long as somebody else keeps it alive.
    private func kept(_ stored: AnyObject) -> AnyObject {
        if !isWeak { return stored }
        let value = form.value(in: stored)
        return Weak(type(of: value) is any AnyObject.Type ? value as AnyObject : nil)
    }

    /// The object of a weak scope, as long as somebody keeps it alive.
    var held: AnyObject? {
        owner.hazard.protect {
            instance.withObject { ($0 as? Weak)?.object } ?? nil
        }
    }

    /// The object of a weak scope, as an instance is stored.
    private func stored(_ held: AnyObject) -> AnyObject {
        if !isBoxed { return held }
        guard let stored = form.object(for: held) else { preconditionFailure("it was stored as this service") }
        return stored
    }
}

// MARK: - Claiming

extension Registration {
    /// What a thread finds when it asks for a shared instance.
    private enum Claim {
        /// An instance as it is stored.
        case made(AnyObject)
        /// The object that a weak scope has not kept alive.
        case held(AnyObject)
        /// Nobody has made it: the thread that asked does.
        case construct(PendingInstance)
    }

    /// Finds the shared instance, waits for the thread that makes it, or lets this thread make it.
    ///
    /// - Throws: a circular error if the wait would never end.
    private func claim(on thread: ThreadState, in context: ResolutionContext) throws(ResolutionError) -> Claim {
        var unneeded: [AnyObject] = []
        defer { withExtendedLifetime(unneeded) {} }
        return try Container.monitor.withLock { () throws(ResolutionError) in
            var awaited: PendingInstance?
            while true {
                // Whatever has happened to the key meanwhile: the thread has asked before.
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
        // Nobody replaces it while this thread has the monitor.
        return instance.copy().map { .made($0) }
    }

    /// What this thread was making when the scope was reset. A circle that it closes continues with that.
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
