import SharedState
import Synchronization

// MARK: - Building

extension AsyncConstruction {
    /// Starts the task. It runs on this thread until it first suspends, so that a factory which does not suspend costs no
    /// change of threads.
    func start(with arguments: StoredInstance?) {
        let run: @Sendable () async -> Void = { await Self.$starter.withValue(self) { await self.run(arguments) } }
        let task =
            if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
                Task.immediateDetached(operation: run)
            } else {
                Task.detached(operation: run)
            }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    private func run(_ arguments: StoredInstance?) async {
        let graph = Graph(of: pending, isOutermost: true)
        defer { graph.dropCompletions() }
        let request = Request(
            registration: pending.registration, container: pending.container, levels: 0, arguments: arguments,
            parent: nil)
        var built = false
        do throws(ResolutionError) {
            let instance = try await request.runFactory(in: graph)
            pending.enter(.built(instance))
            built = true
            request.complete(instance, in: graph)
            try await graph.complete()
        } catch {
            state.withLock { $0.error = error }
            if built { return [pending].discard() }
            pending.container.abandon(pending)
            return pending.enter(.failed)
        }
        if pending.isStale { return [pending].discard() }
        pending.publish()
    }
}

// MARK: - Waiting

extension AsyncConstruction {
    /// Waits for the instance.
    ///
    /// - Parameter path: the services that have led to the instance, and the instance itself.
    /// - Returns: the instance, or nil if its construction was cancelled by others or must be repeated.
    /// - Throws: the error of the construction, a circular error, or `.cancelled`.
    nonisolated(nonsending) func value(path: [ServiceKey]) async throws(ResolutionError) -> StoredInstance? {
        let asker = Self.current
        if let asker, let circle = AsyncWaits.add(self, of: asker, path: path) {
            throw ResolutionError(.circular, path: circle).with(path: circle)
        }
        defer { if let asker { AsyncWaits.remove(self, of: asker) } }
        // Whoever asks for a construction that has been cancelled waits for its end, and builds anew.
        let isAsker = state.withLock { state in
            if !state.isCancelled { state.askers += 1 }
            return !state.isCancelled
        }
        if !pending.phase.hasEnded { await pending.end() }
        switch pending.phase {
        case .complete(let instance): return instance
        case .building, .built:
            if isAsker { leave() }
            throw .cancelled(path: path)
        case .failed:
            guard let error = state.withLock({ $0.error }) else { return nil }
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

/// Which asynchronous constructions wait for which others. A wait that would close a circle is an error.
private enum AsyncWaits {
    private struct Wait {
        let awaited: AsyncConstruction
        /// From the service of the construction that waits to the awaited one.
        let path: [ServiceKey]
    }

    /// A lock of the whole process, which each wait of one construction for another takes twice.
    private static let waits = Lock<[ObjectIdentifier: [Wait]]>([:])

    /// Records that a construction waits for another one.
    ///
    /// - Returns: the path around the circle that the wait would close. Nil if there is none.
    static func add(_ awaited: AsyncConstruction, of asker: AsyncConstruction, path: [ServiceKey]) -> [ServiceKey]? {
        // The path of a resolve in a task that the factory has started does not begin with its service.
        let path = path.first == asker.pending.key ? path : [asker.pending.key] + path
        return waits.withLock { waits in
            if let rest = way(from: awaited, to: asker, waits) { return path + rest }
            waits[ObjectIdentifier(asker), default: []].append(Wait(awaited: awaited, path: path))
            return nil
        }
    }

    static func remove(_ awaited: AsyncConstruction, of asker: AsyncConstruction) {
        waits.withLock { waits in
            let key = ObjectIdentifier(asker)
            guard let index = waits[key]?.firstIndex(where: { $0.awaited === awaited }) else { return }
            waits[key]?.remove(at: index)
            if waits[key]?.isEmpty == true { waits[key] = nil }
        }
    }

    /// The services through which one construction waits for another one, without its own. Nil if it does not.
    private static func way(
        from start: AsyncConstruction, to end: AsyncConstruction, _ waits: [ObjectIdentifier: [Wait]]
    ) -> [ServiceKey]? {
        var seen: Set<ObjectIdentifier> = []
        var open: [(construction: AsyncConstruction, way: [ServiceKey])] = [(start, [])]
        while let (construction, way) = open.popLast() {
            if construction === end { return way }
            if !seen.insert(ObjectIdentifier(construction)).inserted { continue }
            for wait in waits[ObjectIdentifier(construction)] ?? [] {
                open.append((wait.awaited, way + wait.path.dropFirst()))
            }
        }
        return nil
    }
}
