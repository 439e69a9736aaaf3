extension Registration {
    /// The instance for who asked: a shared one, the graph's, or a new one.
    ///
    /// - Parameter r: who asks. Its container is this registration's or a child of it; its token says which
    ///   resolve this is a part of, and none that it begins one.
    func provide(for r: Resolver, _ arguments: Arguments) throws(ResolutionError) -> Service {
        if isForward { return try provideForwarded(for: r, arguments) }
        let thread = ThreadState.current
        if let graph = thread.graph(of: r.token) {
            return try provide(for: r.container, arguments, on: thread, in: graph)
        }
        let graph = thread.beginGraph()
        let service: Service
        do throws(ResolutionError) {
            service = try provide(for: r.container, arguments, on: thread, in: graph)
        } catch {
            _ = graph.finish(on: thread, failed: true)
            thread.end(graph)
            throw error
        }
        let failure = graph.finish(on: thread, failed: false)
        thread.end(graph)
        if let failure { throw failure }
        return service
    }

    @inline(never)
    private func provideForwarded(for r: Resolver, _ arguments: Arguments) throws(ResolutionError) -> Service {
        do { return try factory(r, arguments) } catch {
            throw ResolutionError(of: error, path: ThreadState.current.path(to: key), in: r.container)
        }
    }

    /// The same as a type that this registration is forwarded for.
    func provideView<View>(
        of type: View.Type, for r: Resolver, _ arguments: Arguments
    ) throws(ResolutionError) -> View {
        if let view = sharedView(of: type) { return view }
        let service = try provide(for: r, arguments)
        guard let view = service as? View else {
            throw ResolutionError(
                .wrongType, path: ThreadState.current.path(to: key), in: r.container, detail: "\(type)")
        }
        return view
    }

    private func provide(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        switch scope {
        case .transient: try make(for: asked, arguments, on: thread, in: graph)
        case .graph: try makeOnce(in: graph, for: asked, arguments, on: thread, in: graph)
        case .shared: try share(arguments, on: thread, in: graph)
        }
    }
}

// MARK: - Making

extension Registration {
    func makeOnce(
        in store: Graph, for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if let found = store.find(self, for: asked, as: Service.self) { return found.copy() }
        let service = try make(for: asked, arguments, on: thread, in: graph)
        store.keep(instanceType.init(service), of: self, for: asked)
        return service
    }

    /// Runs the factory, and puts its completions off to the end of the graph.
    func make(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        let service = try run(for: asked, arguments, on: thread, in: graph)
        if hasCompletions {
            try thread.checkCompletion(of: self, for: asked)
            let path = thread.path(since: graph)
            graph.add(
                Completion(registration: self, asked: asked, isShared: false, path: path) {
                    (token) throws(ResolutionError) in try self.complete(service, for: asked, token)
                })
        }
        return service
    }

    func run(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
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

    func complete(_ service: Service, for asked: Container, _ token: UInt64) throws(ResolutionError) {
        do {
            for completion in completions { try completion(Resolver(container: asked, token: token), service) }
        } catch {
            throw ResolutionError(of: error, path: ThreadState.current.path, in: asked)
        }
    }
}
