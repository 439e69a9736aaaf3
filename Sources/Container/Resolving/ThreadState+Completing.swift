/// What a factory or a completion has taken that was not complete.
enum Taken {
    /// An instance that this thread has made or waited for, and sees completed.
    case pending(PendingInstance)
    /// The parts of an instance that was found in its graph.
    case parts([PendingInstance])

    func isOf(_ other: PendingInstance) -> Bool {
        if case .pending(let pending) = self { pending === other } else { false }
    }
}

// MARK: - Taking

extension ThreadState {
    /// Notes that what is being made is made of an instance that is not complete.
    func take(_ pending: PendingInstance) { taken.append(.pending(pending)) }

    /// Notes that what is being made is made of parts that are not complete.
    func take(_ parts: [PendingInstance]) {
        let new = parts.filter { !$0.isSettled }
        if !new.isEmpty { taken.append(.parts(new)) }
    }

    /// What has been taken since there were `start`, each once.
    func parts(since start: Int) -> [PendingInstance] {
        var seen: Set<ObjectIdentifier> = []
        return taken[start...].flatMap { taken in
            switch taken {
            case .pending(let pending): [pending]
            case .parts(let parts): parts
            }
        }.filter { seen.insert(ObjectIdentifier($0)).inserted }
    }
}

// MARK: - Completing

extension ThreadState {
    /// Completes what a resolve has taken: runs what no other thread runs, and waits for the rest.
    ///
    /// - Parameter hasFailed: whether the resolve itself failed; then only shared instances, which outlive it, are completed.
    /// - Returns: the first failure.
    func finish(_ graph: Graph, hasFailed: Bool) -> ResolutionError? {
        if taken.count == graph.takenBase { return nil }
        var work = Finish(graph: graph, hasFailed: hasFailed)
        runCompletions(&work)
        awaitCompletions(&work)
        for case .pending(let pending) in taken[graph.takenBase...] where pending.maker === self { pending.settle() }
        taken.replaceSubrange(graph.takenBase..., with: work.left.map { .pending($0) })
        for graph in work.graphs { _ = graph.clear() }
        return work.failure
    }

    /// The end of one outermost resolve.
    private struct Finish {
        let graph: Graph
        let hasFailed: Bool
        var failure: ResolutionError?
        /// What cannot end before an outer resolve of this thread does.
        var left: [PendingInstance] = []
        /// Copies of the graphs of other threads whose instances this one completes, each with the instances that it started with.
        var adopted: [ObjectIdentifier: (graph: Graph, count: Int)] = [:]
        /// All copies, of which some have been replaced by wider ones.
        var graphs: [Graph] = []
    }

    private func runCompletions(_ work: inout Finish) {
        var next = work.graph.takenBase
        while next < taken.count {
            if case .pending(let pending) = taken[next], pending.isShared || !work.hasFailed { run(pending, &work) }
            next += 1
        }
    }

    /// Runs the completions of an instance and of its parts, as far as no other thread runs them.
    private func run(_ pending: PendingInstance, _ work: inout Finish) {
        if !pending.isVisible {
            guard case .built = pending.state else { return }
            pending.startCompleting(on: self)
            return complete(pending, as: pending, &work)
        }
        while let next = nextToComplete(of: pending, work) {
            complete(next, as: pending, &work)
        }
    }

    private func nextToComplete(of pending: PendingInstance, _ work: Finish) -> PendingInstance? {
        PendingInstance.monitor.withLock {
            let next = pending.nextToComplete(on: self, outer: taken[..<work.graph.takenBase])
            next?.startCompleting(on: self)
            return next
        }
    }

    private func graph(for pending: PendingInstance, as whole: PendingInstance, _ work: inout Finish) -> Graph {
        if pending.maker === self { return pending.graph }
        let (own, wider) = PendingInstance.monitor.withLock {
            (pending.graphInstances, whole.graph === pending.graph ? whole.graphInstances : [])
        }
        let instances = own.count < wider.count ? wider : own
        if let (graph, count) = work.adopted[ObjectIdentifier(pending.graph)], count >= instances.count { return graph }
        let graph = Graph(instances)
        graph.base = work.graph.base
        work.adopted[ObjectIdentifier(pending.graph)] = (graph, instances.count)
        work.graphs.append(graph)
        return graph
    }

    /// Runs completions on top of the path that led to them.
    private func complete(_ pending: PendingInstance, as whole: PendingInstance, _ work: inout Finish) {
        guard let completion = pending.completion else { return }
        let graph = graph(for: pending, as: whole, &work)
        let (depth, start) = (depth, taken.count)
        let token = push(completion, of: pending.registration, in: graph)
        var failure: ResolutionError?
        if pending.isAdoptable { sharedDepth += 1 }
        let makers = makers
        self.makers = pending.makers + (pending.maker === self ? [] : [pending.maker])
        do {
            try completion.run(Resolver(container: completion.asked, token: token))
        } catch {
            failure = ResolutionError(.completionFailed, of: error, path: path, in: completion.asked)
        }
        self.makers = makers
        if pending.isAdoptable { sharedDepth -= 1 }
        pop(to: depth)
        work.failure = work.failure ?? failure
        pending.complete(failure, parts: parts(since: start), in: graph)
    }

    private func awaitCompletions(_ work: inout Finish) {
        var next = work.graph.takenBase
        while next < taken.count {
            if case .pending(let pending) = taken[next], pending.isVisible { awaitEnd(of: pending, &work) }
            next += 1
        }
    }

    private func awaitEnd(of pending: PendingInstance, _ work: inout Finish) {
        var unneeded: [AnyObject] = []
        defer { withExtendedLifetime(unneeded) {} }
        while true {
            if pending.isShared || !work.hasFailed { run(pending, &work) }
            let isDone = PendingInstance.monitor.withLock { () -> Bool in
                unneeded += pending.endIfPossible()
                switch pending.state {
                case .failed(let error):
                    work.failure = work.failure ?? error
                    return true
                case .ended, .building: return true
                case .built where !pending.isShared && work.hasFailed,
                    .complete where !pending.isShared && work.hasFailed:
                    return true
                case .built, .completing, .complete: break
                }
                if pending.isLeft(to: taken[..<work.graph.takenBase], on: self) {
                    work.left.append(pending)
                    return true
                }
                if pending.nextToComplete(on: self, outer: taken[..<work.graph.takenBase]) == nil {
                    wait(for: pending, path: path)
                }
                return false
            }
            if isDone { return }
        }
    }
}

// MARK: - Waiting

extension ThreadState {
    /// Waits until something changes that a pending instance has to wait for. Call it under the monitor.
    func wait(for pending: PendingInstance, path: [ServiceKey]) {
        wait = (pending, path)
        pending.wakeOnChange(self)
        // A thread that has waited for an instance whose factory has returned need no longer do so in a circle.
        var others: [ThreadState] = []
        if pending.leads(to: self, { others.append($0) }) {
            for other in others {
                if let awaited = other.wait?.pending, awaited.isBuilt, awaited.leads(to: other) { other.wake() }
            }
        }
        sleep()
        wait = nil
    }
}
