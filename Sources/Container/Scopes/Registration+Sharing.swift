/// What a thread finds when it asks for a shared instance.
enum Claim {
    /// As it is stored.
    case made(AnyObject)
    /// The object that a weak scope has not kept alive.
    case held(AnyObject)
    /// Nobody has made it: the thread that asked does.
    case construct(PendingInstance)
}

extension Registration {
    /// The shared instance, made by this thread or by another, for which it waits.
    func share(
        _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if let scratch = thread.scratch {
            return try makeOnce(in: scratch, for: unsafe owner, arguments, on: thread, in: graph)
        }
        switch try claim(on: thread, in: graph) {
        case .made(let stored): return service(in: stored)
        case .held(let object): return service(held: object)
        case .construct(let pending):
            do throws(ResolutionError) {
                return try make(for: unsafe owner, arguments, on: thread, in: graph, pending)
            } catch {
                pending.fail()
                throw error
            }
        }
    }

    /// The service in an object that a weak scope has kept, which came as this service.
    func service(held object: AnyObject) -> Service {
        if isClass { return service(in: object) }
        guard let service = object as? Service else { preconditionFailure("it was stored as this service") }
        return service
    }

    /// What everybody gets: in a weak scope only an object, and that as long as somebody else keeps it.
    func shared(_ service: Service) -> AnyObject {
        if !isWeak { return stored(service) }
        return Weak(type(of: service as Any) is any AnyObject.Type ? service as AnyObject : nil)
    }
}

// MARK: - Claiming

extension AnyRegistration {
    /// Finds the shared instance, waits for the thread that makes it, or takes it upon this thread to make it.
    ///
    /// - Throws: a circular error where the wait would never end.
    fileprivate func claim(on thread: ThreadState, in graph: Graph) throws(ResolutionError) -> Claim {
        var unneeded: [AnyObject] = []
        defer { withExtendedLifetime(unneeded) {} }
        return try PendingInstance.monitor.withLock { () throws(ResolutionError) in
            var awaited: PendingInstance?
            while true {
                // Whatever has happened to the key meanwhile: the thread has asked before.
                if let awaited, case .ended = awaited.state, let stored = awaited.stored { return .made(stored) }
                if awaited?.isInProgress != true {
                    awaited = pendingBefore(on: thread)
                    if awaited == nil, let existing { return existing }
                }
                guard let current = awaited ?? pending.first(where: { !$0.isDetached }) else {
                    return .construct(construct(on: thread, in: graph))
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
        return instance.copy().map { .made($0) }
    }

    /// What this thread was making when the scope was reset. A circle that it closes goes on with that.
    private func pendingBefore(on thread: ThreadState) -> PendingInstance? {
        pending.first { pending in pending.maker === thread || thread.makers.contains { $0 === pending.maker } }
    }

    private func construct(on thread: ThreadState, in graph: Graph) -> PendingInstance {
        let new = PendingInstance(of: self, by: thread, in: graph, isShared: true)
        pending.append(new)
        return new
    }

    private func wait(for pending: PendingInstance, on thread: ThreadState) throws(ResolutionError) {
        if let circle = pending.deadlock(of: thread) {
            let path = thread.path(to: key) + circle.flatMap { $0.wayOn }
            throw ResolutionError(.circular, path: path, in: unsafe owner)
        }
        thread.wait(for: pending, path: thread.path(to: key))
    }

    /// The object of a weak scope, as long as somebody keeps it alive. It takes no lock.
    var held: AnyObject? {
        guard let instance = instance.copy() else { return nil }
        // A weak scope stores nothing else.
        return unsafe unsafeDowncast(instance, to: Weak.self).object
    }

    /// Forgets the instances of some registrations, and of those that are being made. Call it under the monitor.
    ///
    /// - Returns: the instances, to be released when the monitor is free: their `deinit` is user code.
    static func forget(_ registrations: [AnyRegistration]) -> [AnyObject] {
        var instances: [AnyObject] = []
        for registration in registrations {
            for pending in registration.pending { pending.detach() }
            if let instance = registration.instance.exchange(nil) { instances.append(instance) }
        }
        return instances
    }
}

// MARK: - Forwarding

extension Registration {
    /// What the registration that this one stands for gives. What that shares is kept here too, as this type, so that
    /// from the second time on nobody casts it.
    @inline(never)
    func provideForwarded(
        from target: AnyRegistration, for r: Resolver, _ arguments: Arguments
    ) throws(ResolutionError) -> Service {
        if !isWeak, !ThreadState.isVerifying, let stored = target.instance.copy(),
            let view = target.view(of: stored, as: Service.self)
        {
            PendingInstance.monitor.withLock { if target.instance.isCurrent(stored) { keep(self.stored(view)) } }
            return view
        }
        do { return try factory(r, arguments) } catch {
            throw ResolutionError(of: error, path: ThreadState.current.path(to: key), in: r.container)
        }
    }
}
