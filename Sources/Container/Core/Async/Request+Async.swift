import SharedState

// The half of a request with `await`: its methods are like those without `async`, for a service that is built in a task.
// They run on the actor of the caller.

extension Request {
    /// Returns an unshared instance: the instance in the graph, or a new instance.
    nonisolated(nonsending) func unshared(in graph: Graph) async throws(ResolutionError) -> StoredInstance {
        if !registration.isAsync { return try unshared(in: graph, on: .current) }
        if let found = find(in: graph) { return found }
        return try keep(await runFactory(in: graph), in: graph)
    }

    nonisolated(nonsending) private func runFactory(in graph: Graph) async throws(ResolutionError) -> StoredInstance {
        guard case .asyncFactory(let factory) = registration.source else {
            return try runFactory(in: graph, on: .current)
        }
        try parent.check(.factory, of: registration, for: container)
        let frame = Frame(registration, for: container, in: graph, after: parent, .factory, above: levelsAbove)
        if frame.level > Frame.maximumLevels { throw tooDeep("than \(Frame.maximumLevels)") }
        let r = AsyncResolver(Resolver(container: container, frame: frame, graph: graph))
        do {
            return try await frame.run(inTask: { try await factory(r) })
        } catch {
            throw .inTask(.factoryFailed, of: error, path: frame.path)
        }
    }

    /// Returns the shared instance. If it does not exist, a task or this thread builds it.
    ///
    /// - Returns: the instance, or nil if the registration has been replaced meanwhile.
    nonisolated(nonsending) func shared() async throws(ResolutionError) -> StoredInstance? {
        let owner = owner
        if !registration.isAsync {
            // `Waits` need not know this wait: a thread never waits for a task, so it closes no circle.
            while let shared = owner.current(of: registration), !shared.phase.hasEnded {
                let waiting = beginWait(for: shared)
                defer { waiting?.taken.endWait(for: shared) }
                await shared.waitForEnd(shared.phaseSignal)
                if Task.isCancelled, !shared.phase.hasEnded { throw ResolutionError.cancelled(path: path) }
            }
            // If another thread begins to build it just now, this thread blocks until the construction has ended.
            return try shared(on: .current)
        }
        while true {
            switch claim(for: nil, isAsync: !Task.isCancelled) {
            case .complete(let shared, let instance): return try record(shared, instance)
            case .new(let shared):
                let waiting = beginWait(for: shared)
                defer { waiting?.taken.endWait(for: shared) }
                let phaseSignal = shared.phaseSignal
                start(shared)
                let instance = try await shared.value(path: path, phaseSignal)
                if let instance { return try recordIfOpen(shared, instance) }
            case .underConstruction(let shared):
                let waiting = beginWait(for: shared)
                defer { waiting?.taken.endWait(for: shared) }
                let instance = try await shared.value(path: path, shared.phaseSignal)
                if let instance { return try recordIfOpen(shared, instance) }
            case .registrationChanged: return nil
            case .refused(.asynchronous): throw ResolutionError.cancelled(path: path)
            case .refused(let refusal): throw error(refusal)
            }
        }
    }

    /// Starts the task that builds a shared instance. It runs on this thread until it first suspends, so that a factory
    /// which does not suspend costs no change of threads. If the stack has no room for it, another thread runs it.
    func start(_ shared: SharedInstance) {
        let request = ofFactory, global = Container.taskGlobal
        let run: @Sendable () async -> Void = {
            await Container.$taskGlobal.withValue(global) { await request.buildInTask(shared) }
        }
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
            ResolvingThread.current.hasRoom(onLevel: request.levelsAbove + 1)
        {
            shared.setTask(Task.immediateDetached(operation: run))
        } else {
            shared.setTask(Task.detached(operation: run))
        }
    }

    /// Builds a shared instance in this task.
    private func buildInTask(_ shared: SharedInstance) async {
        let graph = Graph(of: shared)
        var instance: StoredInstance?
        var failure: ResolutionError?
        do throws(ResolutionError) {
            instance = try await runFactory(in: graph)
            if let instance {
                shared.enter(.built(instance)).wake()
                scheduleCompletions(of: instance, in: graph)
            }
            try await graph.runCompletions()
        } catch {
            failure = error
        }
        let member = Member(shared: shared, container: owner)
        if failure == nil, let instance {
            member.publishAndFinish(instance)
            return graph.forgetAll()
        }
        let ending = Ending(failed: [member], with: failure)
        ResolvingThread.current.release(shared, of: owner) {
            instance = nil
            graph.forgetAll()
        }
        ending.finish()
    }
}

extension ResolutionError {
    /// Wraps the error that a factory or a completion threw in a task. If the task is cancelled, the reason is
    /// `.cancelled`. Otherwise the cancellation of another task is only a cause, so that no caller tries again because
    /// of it.
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

extension Container {
    /// The current instance of a registration.
    fileprivate func current(of registration: Registration) -> SharedInstance? {
        registry.withRead { $0.current(of: registration) }
    }
}
