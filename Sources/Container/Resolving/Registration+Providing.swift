import Synchronization

extension Registration {
    /// The instance for who asked: a shared one, the graph's, or a new one.
    ///
    /// - Parameters:
    ///   - asked: the container that was asked, which is this registration's or a child of it.
    ///   - graph: the resolve that this is a part of; nil begins one.
    func provide(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph?
    ) throws(ResolutionError) -> Service {
        if case .forward(let forward, _) = source { return try forward(asked, arguments, thread, graph) }
        if let service = sharedService(on: thread) { return service }
        guard let graph else { return try provideOutermost(for: asked, arguments, on: thread) }
        switch scope {
        case .transient: return try make(for: asked, arguments, on: thread, in: graph)
        case .graph: return try makeOnce(in: graph, for: asked, arguments, on: thread, in: graph)
        case .shared: return try share(arguments, on: thread, in: graph)
        }
    }

    /// The same as `provide`, as a type that this registration is forwarded for.
    func provideView<View>(
        of type: View.Type, for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph?
    ) throws(ResolutionError) -> View {
        if thread.scratch == nil, let instance = retainedInstance(on: thread), let view = instance.view(as: type) {
            return view
        }
        let service = try provide(for: asked, arguments, on: thread, in: graph)
        guard let view = service as? View else {
            throw ResolutionError(.wrongType, path: thread.path(to: key), in: asked, detail: "\(type)")
        }
        return view
    }

    /// Begins a graph, and ends it: with its completions, and with its instances let go.
    private func provideOutermost(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState
    ) throws(ResolutionError) -> Service {
        let graph = Graph(base: thread.depth)
        let service: Service
        do throws(ResolutionError) {
            service = try provide(for: asked, arguments, on: thread, in: graph)
        } catch {
            _ = graph.finish(on: thread, failed: true)
            throw error
        }
        if let failure = graph.finish(on: thread, failed: false) { throw failure }
        return service
    }
}

// MARK: - Making

extension Registration {
    private func makeOnce(
        in store: Graph, for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if let found = store.find(self, for: asked, as: Service.self) { return found.value }
        let service = try make(for: asked, arguments, on: thread, in: graph)
        store.keep(Instance(service), of: self, for: asked)
        return service
    }

    /// Runs the factory, and puts its completions off to the end of the graph.
    private func make(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        let service = try run(for: asked, arguments, on: thread, in: graph)
        if !completions.isEmpty {
            try thread.checkCompletion(of: self, for: asked)
            let path = thread.path(since: graph)
            graph.add(
                Completion(registration: self, asked: asked, isShared: false, path: path) {
                    (token) throws(ResolutionError) in try self.complete(service, for: asked, token)
                })
        }
        return service
    }

    private func run(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        guard case .factory(let factory) = source else { preconditionFailure("a forward has no factory") }
        if !isVerified, thread.scratch != nil {
            throw ResolutionError(.unverified, path: thread.path(to: key), in: asked)
        }
        let token = try thread.enter(self, for: asked, in: graph)
        defer { thread.leave() }
        do {
            return try factory(Resolver(container: asked, token: token), arguments)
        } catch {
            throw ResolutionError(of: error, path: thread.path, in: asked)
        }
    }

    private func complete(_ service: Service, for asked: Container, _ token: UInt64) throws(ResolutionError) {
        do {
            for completion in completions { try completion(Resolver(container: asked, token: token), service) }
        } catch {
            throw ResolutionError(of: error, path: ThreadState.current.path, in: asked)
        }
    }
}

// MARK: - Sharing

extension Registration {
    /// The shared instance's service, if there is one already.
    ///
    /// No lock, no cast, and no reference count but the one of the service: while it is copied, the thread
    /// shows by its `reading` that the instance must not be freed.
    @inline(__always)
    func sharedService(on thread: ThreadState) -> Service? {
        guard let instance = unsafe protectedInstance(on: thread) else { return nil }
        // This registration alone stores its instance, and does so as an `Instance<Service>`.
        let service = unsafe instance._withUnsafeGuaranteedRef {
            unsafe unsafeDowncast($0, to: Instance<Service>.self).value
        }
        thread.reading.store(0, ordering: .releasing)
        return service
    }

    private func retainedInstance(on thread: ThreadState) -> Instance<Service>? {
        guard let found = unsafe protectedInstance(on: thread) else { return nil }
        let instance = unsafe unsafeDowncast(found.takeUnretainedValue(), to: Instance<Service>.self)
        thread.reading.store(0, ordering: .releasing)
        return instance
    }

    @inline(__always)
    private func protectedInstance(on thread: ThreadState) -> Unmanaged<AnyObject>? {
        while let found = unsafe instance.load(), thread.scratch == nil {
            let address = UInt(bitPattern: unsafe found.toOpaque())
            thread.reading.store(address, ordering: .sequentiallyConsistent)
            if instance.address() == address { return unsafe found }
            thread.reading.store(0, ordering: .releasing)
        }
        return nil
    }

    private func share(
        _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if let scratch = thread.scratch {
            return try makeOnce(in: scratch, for: unsafe owner, arguments, on: thread, in: graph)
        }
        switch try claim(on: thread) {
        case .made(let instance):
            // As in `sharedService`.
            return unsafe unsafeDowncast(instance, to: Instance<Service>.self).value
        case .held(let object):
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
        let instance = Instance(service)
        let object = type(of: service as Any) is any AnyObject.Type ? service as AnyObject : nil
        if completions.isEmpty {
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
