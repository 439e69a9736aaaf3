// MARK: - Reading

extension Registration {
    /// The shared instance, if there is one already.
    private var sharedInstance: Instance<Service>? {
        if ThreadState.isVerifying { return nil }
        // This registration alone stores its instance, and does so as an `Instance<Service>`.
        return instance.copy().map { unsafe unsafeDowncast($0, to: Instance<Service>.self) }
    }

    /// The shared instance as another type, if there is one already and it is of that type.
    func sharedView<View>(of type: View.Type) -> View? { sharedInstance?.view(as: type) }
}

// MARK: - Making

extension Registration {
    /// The shared instance, made by this thread or by another, for which it waits.
    func share(
        _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if let scratch = thread.scratch {
            return try makeOnce(in: scratch, for: unsafe owner, arguments, on: thread, in: graph)
        }
        switch try claim(on: thread) {
        case .made(let instance):
            // As in `sharedInstance`.
            return unsafe unsafeDowncast(instance, to: Instance<Service>.self).copy()
        case .held(let object):
            // A weak scope keeps objects that came as this service; of a class the reference is all there is to it.
            if isClass { return unsafe unsafeBitCast(object, to: Service.self) }
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
        let instance = instanceType.init(service)
        let object = type(of: service as Any) is any AnyObject.Type ? service as AnyObject : nil
        if !hasCompletions {
            construction.publish(instance, object: object)
            return service
        }
        construction.hasReturned(instance)
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
                construction.publish(instance, object: object)
            })
        return service
    }
}
