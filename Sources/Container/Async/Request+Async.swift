import SharedState

// These methods are like those without `async` in `Request.swift`, for a service that is built in a task. They run on the
// actor of the caller.

extension Request {
    /// Returns an unshared instance: the one of the graph, or a new one.
    nonisolated(nonsending) func unshared(in graph: Graph) async throws(ResolutionError) -> StoredInstance {
        if !registration.isAsync { return try unshared(in: graph, on: .current) }
        if let found = find(in: graph) { return found }
        return try keep(await runFactory(in: graph), in: graph, on: .current)
    }

    nonisolated(nonsending) func runFactory(in graph: Graph) async throws(ResolutionError) -> StoredInstance {
        guard case .asyncFactory(let factory) = registration.source else {
            return try runFactory(in: graph, on: .current)
        }
        try parent.check(.factory, of: registration, for: container)
        let frame = Frame(registration, for: container, in: graph, after: parent, .factory)
        let r = AsyncResolver(Resolver(container: container, frame: frame, graph: graph))
        defer { frame.end() }
        do {
            return try await Frame.$inTask.withValue(frame) { try await factory(r) }
        } catch {
            throw .inTask(.factoryFailed, of: error, path: frame.path)
        }
    }

    /// Returns the shared instance. If it does not exist, a task or this thread builds it.
    nonisolated(nonsending) func shared() async throws(ResolutionError) -> StoredInstance {
        let (owner, replacement) = (owner, replacement)
        if !registration.isAsync {
            while let pending = owner.registry.withRead({ $0[registration.id, replacement]?.pending }) {
                await pending.end()
                if Task.isCancelled, !pending.phase.hasEnded { throw .cancelled(path: path) }
            }
            // If another thread begins to build it just now, this one blocks until that has ended.
            return try shared(on: .current)
        }
        while true {
            switch owner.claim(registration, for: nil, replacement, isAsync: !Task.isCancelled) {
            case .instance(let instance): return instance
            case .closed: throw ResolutionError(.closed, path: path)
            case nil: throw .cancelled(path: path)
            case .pending(let pending, let isNew):
                if isNew { pending.start(with: arguments) }
                guard let instance = try await pending.value(path: path) else { continue }
                if !owner.isOpen { throw ResolutionError(.closed, path: path) }
                return instance
            }
        }
    }
}

extension Graph {
    /// Runs the completions of an outermost resolve in this task. Then all its instances are complete.
    nonisolated(nonsending) func complete() async throws(ResolutionError) {
        while let completion = takeCompletion() { try await completion.run() }
        settle()
    }

    /// Runs the completions of an outermost resolve on this thread. Then all its instances are complete.
    func complete(on thread: ResolvingThread) throws(ResolutionError) {
        while let completion = takeCompletion() { try completion.run(on: thread) }
        settle()
    }
}

extension ResolutionError {
    /// The error for an error that a factory or a completion threw in a task. If the task is cancelled, that is the
    /// reason. Otherwise the cancellation of another task is only a cause, so that nobody tries again because of it.
    static func inTask(_ reason: Reason, of error: any Error, path: [ServiceKey]) -> ResolutionError {
        let inner = error as? ResolutionError
        if Task.isCancelled {
            return ResolutionError(.cancelled, path: inner?.keys ?? path, cause: inner?.cause ?? error)
        }
        if inner?.reason == .cancelled { return ResolutionError(reason, path: path, cause: error) }
        return ResolutionError(reason, of: error, path: path)
    }

    static func cancelled(path: [ServiceKey]) -> ResolutionError {
        ResolutionError(.cancelled, path: path, cause: CancellationError())
    }
}
