extension Registration {
    /// The shared instance, made by this thread or by another, for which it waits.
    func share(
        _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if let scratch = thread.scratch {
            return try makeOnce(in: scratch, for: unsafe owner, arguments, on: thread, in: graph)
        }
        let claim = if let existing { existing } else { try claim(on: thread) }
        switch claim {
        case .made(let stored): return service(in: stored)
        case .held(let object):
            // A weak scope keeps objects that came as this service.
            if isClass { return service(in: object) }
            guard let service = object as? Service else { preconditionFailure("it was stored as this service") }
            return service
        case .construct(let construction):
            return try construct(construction, arguments, on: thread, in: graph)
        }
    }

    private func construct(
        _ construction: Construction, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        let service: Service
        do throws(ResolutionError) {
            service = try run(for: unsafe owner, arguments, on: thread, in: graph)
        } catch {
            construction.abandon()
            throw error
        }
        if !hasCompletions {
            construction.publish(shared(service))
            return service
        }
        construction.hasReturned(stored(service))
        let path = thread.path(since: graph)
        graph.add(
            Completion(registration: self, asked: unsafe owner, isShared: true, path: path) {
                (token) throws(ResolutionError) in
                do throws(ResolutionError) {
                    try self.complete(service, for: unsafe self.owner, token)
                } catch {
                    construction.abandon()
                    throw error
                }
                construction.publish(self.shared(service))
            })
        return service
    }

    /// What everybody gets: in a weak scope only an object, and that as long as somebody else keeps it.
    private func shared(_ service: Service) -> AnyObject {
        if !isWeak { return stored(service) }
        return Weak(type(of: service as Any) is any AnyObject.Type ? service as AnyObject : nil)
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
            Construction.monitor.withLock { if target.instance.isCurrent(stored) { keep(self.stored(view)) } }
            return view
        }
        do { return try factory(r, arguments) } catch {
            throw ResolutionError(of: error, path: ThreadState.current.path(to: key), in: r.container)
        }
    }
}
