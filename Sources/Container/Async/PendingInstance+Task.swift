import SharedState
import Synchronization

// MARK: - Building

extension PendingInstance {
    /// Starts the task that builds the instance. It runs on this thread until it first suspends, so that a factory which
    /// does not suspend costs no change of threads.
    func start(with arguments: StoredInstance?) {
        let run: @Sendable () async -> Void = { await self.build(arguments) }
        let new =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediateDetached(operation: run)
            } else {
                Task.detached(operation: run)
            }
        let isCancelled = state.withLock { state in
            state.task = new
            return state.isCancelled
        }
        if isCancelled { new.cancel() }
    }

    private func build(_ arguments: StoredInstance?) async {
        let graph = Graph(of: self)
        defer { graph.dropCompletions() }
        let request = Request(
            registration: registration, container: container, home: container, arguments: arguments, parent: nil)
        do throws(ResolutionError) {
            let instance = try await request.runFactory(in: graph)
            enter(.built(instance))
            request.complete(instance, in: graph, on: .current)
            try await graph.complete()
        } catch {
            if case .built = phase { [self].discard(error) } else { fail(error) }
            return
        }
        if isStale { [self].discard() } else { publish() }
    }
}

// MARK: - Waiting

extension PendingInstance {
    /// Waits for the instance, which a task builds.
    ///
    /// - Parameter path: the services that have led to the instance, and the instance itself.
    /// - Returns: the instance, or nil if its construction was cancelled by others or must be repeated.
    /// - Throws: the error of the construction, a circular error, or `.cancelled`.
    nonisolated(nonsending) func value(path: [ServiceKey]) async throws(ResolutionError) -> StoredInstance? {
        let asker = Self.ofTask
        // The path of a resolve in a task that the factory has started does not begin with its service.
        if let asker,
            let circle = Waits.add(
                self, of: asker.construction, path: path.first == asker.key ? path : [asker.key] + path)
        {
            throw ResolutionError(.circular, path: circle).with(path: circle)
        }
        defer { if let asker { Waits.remove(self, of: asker.construction) } }
        // Whoever asks for a construction that has been cancelled waits for its end, and builds anew.
        let isAsker = state.withLock { state in
            if !state.isCancelled { state.askers += 1 }
            return !state.isCancelled
        }
        if !phase.hasEnded { await end() }
        switch phase {
        case .complete(let instance): return instance
        case .building, .built:
            if isAsker { leave() }
            throw .cancelled(path: path)
        case .failed(let error):
            guard let error else { return nil }
            if error.reason == .cancelled {
                if Task.isCancelled { throw .cancelled(path: path) }
                return nil
            }
            throw error.with(path: path.dropLast() + error.keys)
        }
    }

    /// Records that a task which waited has been cancelled.
    private func leave() {
        let isLast = state.withLock { state in
            state.askers -= 1
            return state.askers == 0
        }
        if isLast { cancel() }
    }
}
