extension Registration {
    /// The shared instance, made by this thread or by another, for which it waits.
    func share(
        _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if let scratch = thread.scratch {
            return try makeOnce(in: scratch, for: unsafe owner, arguments, on: thread, in: graph)
        }
        switch try claim(on: thread) {
        case .made(let stored): return service(in: stored)
        case .held(let object): return service(held: object)
        case .construct(let construction):
            do throws(ResolutionError) {
                return try make(for: unsafe owner, arguments, on: thread, in: graph, construction)
            } catch {
                construction.end(with: nil)
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
