extension Registration {
    /// The instance for who asked: a shared one, the graph's, or a new one.
    ///
    /// - Parameter r: who asks. Its container is this registration's or a child of it; its token says which
    ///   resolve this is a part of, and none that it begins one.
    func provide(for r: Resolver, _ arguments: Arguments) throws(ResolutionError) -> Service {
        if let target { return try provideForwarded(from: target, for: r, arguments) }
        if isWeak, !ThreadState.isVerifying, let held { return service(held: held) }
        return try unsafe ThreadState.unowned.borrow(for: r.container) { thread throws(ResolutionError) in
            guard let graph = unsafe thread.graph(of: r.token) else {
                return try begin(for: r.container, arguments, on: thread)
            }
            return try unsafe graph.borrow(for: r.container) { graph throws(ResolutionError) in
                try provide(for: r.container, arguments, on: thread, in: graph)
            }
        }
    }

    /// An outermost resolve.
    private func begin(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState
    ) throws(ResolutionError) -> Service {
        let graph = thread.beginGraph()
        defer { thread.end(graph) }
        let service: Service
        do throws(ResolutionError) {
            service = try provide(for: asked, arguments, on: thread, in: graph)
        } catch {
            _ = thread.finish(graph, hasFailed: true)
            throw error
        }
        if let failure = thread.finish(graph, hasFailed: false) { throw failure }
        return service
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
        if let found = store.find(self, for: asked) {
            if !found.parts.isEmpty { thread.take(found.parts) }
            return service(in: found.stored)
        }
        let start = thread.taken.count
        let service = try make(for: asked, arguments, on: thread, in: graph)
        let parts = thread.taken.count == start ? [] : thread.parts(since: start)
        store.keep(stored(service), of: self, for: asked, parts: parts)
        return service
    }

    /// Runs the factory, and puts its completions off to the end of the graph.
    ///
    /// - Parameter pending: what makes the instance known to others, if they share it.
    func make(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph,
        _ pending: PendingInstance? = nil
    ) throws(ResolutionError) -> Service {
        let start = thread.taken.count
        let service = try run(for: asked, arguments, on: thread, in: graph)
        if !hasCompletions, thread.taken.count == start || !isSharing {
            pending?.end(stored(service), keeping: shared(service))
            return service
        }
        try thread.checkCompletion(of: self, for: asked)
        let pending = pending ?? PendingInstance(of: self, by: thread, in: graph, isShared: isSharing)
        pending.build(
            stored(service), keeping: isSharing ? shared(service) : nil,
            completion(of: service, for: asked, on: thread, in: graph),
            parts: thread.parts(since: start))
        thread.take(pending)
        return service
    }

    private func completion(
        of service: Service, for asked: Container, on thread: ThreadState, in graph: Graph
    ) -> Completion? {
        if !hasCompletions { return nil }
        return Completion(asked: asked, path: thread.steps(since: graph), order: thread.nextToken()) { r in
            for completion in self.completions { try completion(r, service) }
        }
    }

    private func run(
        for asked: Container, _ arguments: Arguments, on thread: ThreadState, in graph: Graph
    ) throws(ResolutionError) -> Service {
        if !isVerified, thread.scratch != nil {
            throw ResolutionError(.unverified, path: thread.path(to: key), in: asked)
        }
        let token = try thread.enter(self, for: asked, in: graph)
        if isSharing { thread.sharedDepth += 1 }
        defer {
            if isSharing { thread.sharedDepth -= 1 }
            thread.leave()
        }
        do {
            return try factory(Resolver(container: asked, token: token), arguments)
        } catch {
            throw ResolutionError(of: error, path: thread.path, in: asked)
        }
    }
}
