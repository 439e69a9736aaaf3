// These methods are like those without `async` in `Registration+Providing.swift`, for a worker that can suspend. They
// run on the actor of the caller, so that a synchronous factory runs where it would run without `await`.

extension Registration {
    /// Returns an instance as the scope requires: the shared one, the one of the resolver's graph, or a new one.
    ///
    /// - Parameters:
    ///   - r: the resolver. If it has no worker, or its factory has returned, this is an outermost resolve.
    ///   - arguments: the runtime arguments, whose types are those in the key.
    /// - Returns: the instance in its stored form.
    /// - Throws: the error of a factory or a completion, a circular error, or `.cancelled`.
    nonisolated(nonsending) func provide(
        for r: AsyncResolver, _ arguments: any Sendable
    ) async throws(ResolutionError) -> AnyObject {
        if isPerChild, r.container !== owner {
            return try await r.container.adopt(self).provide(for: r, arguments)
        }
        if let target {
            return try view(of: try await target.provide(for: r, arguments), from: target, on: r.activeWorker)
        }
        if let worker = r.activeWorker, let context = worker.context(of: r.token) {
            return try await instance(for: r.container, arguments, on: worker, in: context)
        }
        while true {
            do throws(ResolutionError) {
                return try await outermostInstance(for: r, arguments)
            } catch {
                // If another task failed a shared instance by its cancellation, this task builds it again.
                if error.reason != .cancelled || Task.isCancelled { throw error }
            }
        }
    }

    /// Builds an instance in a graph of its own.
    nonisolated(nonsending) private func outermostInstance(
        for r: AsyncResolver, _ arguments: any Sendable
    ) async throws(ResolutionError) -> AnyObject {
        let worker = Worker.ofTask ?? Worker(isAsync: true)
        let (context, outer) = worker.begin(from: r.token == 0 ? r.container : nil, isAsync: true)
        defer { worker.end(context, outer: outer) }
        let instance: AnyObject
        do throws(ResolutionError) {
            instance = try await self.instance(for: r.container, arguments, on: worker, in: context)
        } catch {
            _ = await worker.finishAsync(context, hasFailed: true)
            throw error
        }
        if let failure = await worker.finishAsync(context, hasFailed: false) { throw failure }
        worker.reportCapture(of: self, in: context)
        return instance
    }

    nonisolated(nonsending) func instance(
        for asked: Container, _ arguments: any Sendable, on worker: Worker, in context: ResolutionContext
    ) async throws(ResolutionError) -> AnyObject {
        switch options.scope {
        case .transient: return try await make(for: asked, arguments, on: worker, in: context)
        case .graph:
            if let found = worker.find(self, for: asked, in: context) { return found }
            let start = worker.taken.count
            let stored = try await make(for: asked, arguments, on: worker, in: context)
            worker.keep(stored, of: self, for: asked, in: context, takenSince: start)
            return stored
        case .shared: return try await share(arguments, on: worker)
        }
    }
}

// MARK: - Making

extension Registration {
    nonisolated(nonsending) private func make(
        for asked: Container, _ arguments: any Sendable, on worker: Worker, in context: ResolutionContext,
        _ pending: PendingInstance? = nil
    ) async throws(ResolutionError) -> AnyObject {
        let start = worker.taken.count
        let stored = try await run(for: asked, arguments, on: worker, in: context)
        return try deferCompletions(of: stored, takenSince: start, for: asked, on: worker, in: context, pending)
    }

    nonisolated(nonsending) private func run(
        for asked: Container, _ arguments: any Sendable, on worker: Worker, in context: ResolutionContext
    ) async throws(ResolutionError) -> AnyObject {
        let token = try worker.enter(self, for: asked, in: context)
        defer { worker.leave() }
        switch source {
        case .asyncFactory(let factory):
            do {
                return try await worker.asWorkerOfTask {
                    try await factory(AsyncResolver(container: asked, token: token, worker: worker), arguments)
                }
            } catch {
                throw .inTask(.factoryFailed, of: error, path: worker.path)
            }
        case .factory(let factory):
            var built: [Registration] = []
            while true {
                do {
                    return try worker.asCurrent { try factory(Resolver(container: asked, token: token), arguments) }
                } catch {
                    let failure = ResolutionError.inTask(.factoryFailed, of: error, path: worker.path)
                    try await worker.buildMissing(after: failure, &built, in: context)
                }
            }
        case .forward: preconditionFailure("a forward has no factory")
        }
    }
}

// MARK: - Sharing

extension Registration {
    /// Returns the shared instance. If it does not exist, this method builds it, or waits for the worker that does.
    nonisolated(nonsending) private func share(
        _ arguments: any Sendable, on worker: Worker
    ) async throws(ResolutionError) -> AnyObject {
        var request = SharedRequest(isAsync: true)
        var built: [Registration] = []
        // If this worker does not build the instance after all, the graph of its attempts is abandoned.
        defer { request.context?.abandon() }
        while true {
            do throws(ResolutionError) {
                switch try claim(&request, on: worker) {
                case .made(let stored): return stored
                case .held(let object): return stored(object)
                case .construct(let pending) where isAsync: construct(pending, arguments)
                case .construct(let pending):
                    request.context = pending.context
                    let stored = try worker.asCurrent { () throws(ResolutionError) in
                        try construct(pending, for: owner, arguments, on: worker)
                    }
                    request.context = nil
                    return stored
                case .wait:
                    if await worker.suspend() {
                        request.leave()
                        throw ResolutionError.cancelled(path: worker.path(to: key))
                    }
                }
            } catch {
                // Only a synchronous factory needs a missing service.
                guard let context = request.context else { throw error }
                // The factory has returned. It still counts as running, so that a circle is an error.
                _ = try worker.enter(self, for: owner, in: context)
                defer { worker.leave() }
                try await worker.buildMissing(after: error, &built, in: context)
            }
        }
    }

    /// Starts an asynchronous construction, in a task and a graph of its own: it goes on if the task that asked for the
    /// instance is cancelled, and its unshared instances stay in one task.
    private func construct(_ pending: PendingInstance, _ arguments: any Sendable) {
        // The task retains the container, because the registration does not.
        pending.begin(
            Task { [owner] in
                let worker = pending.maker
                let (context, outer) = worker.begin(isAsync: true)
                var hasFailed = false
                do throws(ResolutionError) {
                    _ = try await self.make(for: owner, arguments, on: worker, in: pending.context, pending)
                } catch {
                    hasFailed = true
                    pending.fail(error)
                    pending.context.abandon()
                }
                _ = await worker.finishAsync(context, hasFailed: hasFailed)
                Container.withMonitor { worker.isOver = true }
                worker.end(context, outer: outer)
                if self.isWeak { owner.releaseRetired() }
            })
    }
}
