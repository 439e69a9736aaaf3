import SharedState

/// One or more incomplete instances that a factory or a completion has taken.
enum Taken {
    /// An instance that this worker has built or adopted. The worker completes it, or waits until another worker does.
    case pending(PendingInstance)
    /// The incomplete parts of an instance that the context already had. They become parts of the instance under
    /// construction too. The resolve that took them first completes them.
    case parts([PendingInstance])

    func isOf(_ other: PendingInstance) -> Bool {
        if case .pending(let pending) = self { pending === other } else { false }
    }
}

// MARK: - Taking

extension Worker {
    /// Records that the innermost factory or completion has taken an incomplete instance.
    func take(_ pending: PendingInstance) { taken.append(.pending(pending)) }

    /// Records the incomplete parts of an instance that the innermost factory or completion took from the context.
    func take(_ parts: [PendingInstance]) {
        let new = parts.filter(\.isUnsettled)
        if !new.isEmpty { taken.append(.parts(new)) }
    }

    /// Returns the instance of a registration or a `DeferredService` in a context, or nil, and takes its incomplete
    /// parts.
    func find(_ owner: AnyObject, for asked: Container, in context: ResolutionContext) -> AnyObject? {
        guard let found = context.find(owner, for: asked) else { return nil }
        if !found.parts.isEmpty { take(found.parts) }
        return found.stored
    }

    /// Keeps an instance in a context, with the incomplete instances that its factory has taken.
    func keep(
        _ stored: AnyObject, of owner: AnyObject, for asked: Container, in context: ResolutionContext,
        takenSince start: Int
    ) {
        context.keep(stored, of: owner, for: asked, parts: taken.count == start ? [] : parts(since: start))
    }

    /// The instances in `taken` from an index to the end, without duplicates.
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

extension Worker {
    /// Completes the instances that an outermost resolve has taken. Runs the completions that no other worker is
    /// running, and waits for the others.
    ///
    /// - Parameters:
    ///   - context: the context of the resolve.
    ///   - hasFailed: whether a factory of the resolve threw. Then only shared instances are completed, because they
    ///     outlive the resolve.
    /// - Returns: the first error of a completion, or nil.
    func finish(_ context: ResolutionContext, hasFailed: Bool) -> ResolutionError? {
        if taken.count == outermost.takenBase, context.deferredServices.isEmpty { return nil }
        var work = Completing(context: context, hasFailed: hasFailed, next: outermost.takenBase)
        while true {
            switch nextStep(&work) {
            case .complete(let pending):
                let running = start(pending)
                end(running, failure(of: running), &work)
            case .wait: sleep()
            case .done: return end(&work)
            }
        }
    }

    /// Completes the instances that an asynchronous outermost resolve has taken. It suspends where `finish` sleeps. If
    /// the task is cancelled, it waits no longer, but still runs the completions that it can.
    nonisolated(nonsending) func finishAsync(_ context: ResolutionContext, hasFailed: Bool) async -> ResolutionError? {
        if taken.count == outermost.takenBase, context.deferredServices.isEmpty { return nil }
        var work = Completing(context: context, hasFailed: hasFailed, next: outermost.takenBase)
        while true {
            switch nextStep(&work) {
            case .complete(let pending):
                let running = start(pending)
                end(running, await failureAsync(of: running), &work)
            case .wait:
                if await suspend() {
                    work.isCancelled = true
                    work.failure = work.failure ?? .cancelled(path: path)
                }
            case .done: return end(&work)
            }
        }
    }

    /// The state of one call of `finish`.
    private struct Completing {
        let context: ResolutionContext
        let hasFailed: Bool
        /// The index in `taken` of the instance to complete next.
        var next: Int
        /// Whether all completions that this worker can run have run, so that it waits for those of other workers.
        var isAwaiting = false
        /// Whether the task is cancelled.
        var isCancelled = false
        var failure: ResolutionError?
        /// The instances that are left to an outer resolve of this worker.
        var left: [PendingInstance] = []
        /// Objects to release outside the monitor.
        var unneeded: [AnyObject] = []
    }

    /// What a worker does next to complete the instances that a resolve has taken.
    private enum Step {
        /// It runs the completions of a taken instance or of a part of one.
        case complete(PendingInstance)
        /// It sleeps until another worker wakes it.
        case wait
        case done
    }

    private func nextStep(_ work: inout Completing) -> Step {
        while true {
            if work.next == taken.count {
                if work.isAwaiting { return .done }
                work.isAwaiting = true
                work.next = outermost.takenBase
            } else if case .pending(let pending) = taken[work.next], let step = step(for: pending, &work) {
                return step
            } else {
                work.next += 1
            }
        }
    }

    /// The next step for a taken instance, or nil if there is none before the next instance's turn.
    private func step(for pending: PendingInstance, _ work: inout Completing) -> Step? {
        if !pending.isVisible {
            guard !work.hasFailed, case .built = pending.state else { return nil }
            pending.startCompleting(on: self)
            return .complete(pending)
        }
        return Container.withMonitor {
            if pending.isUnneeded { return nil }
            let outer = taken[..<outermost.takenBase]
            if let next = pending.nextToComplete(on: self, outer: outer) {
                next.startCompleting(on: self)
                return .complete(next)
            }
            // The worker has also taken the shared instance in whose graph an unshared one is, and waits for that.
            if !work.isAwaiting || !pending.isShared { return nil }
            work.unneeded += pending.endIfPossible()
            switch pending.state {
            case .failed(let error):
                work.failure = work.failure ?? error
                return nil
            case .ended, .building: return nil
            case .built, .completing, .complete: break
            }
            if pending.isLeft(to: outer, on: self) {
                work.left.append(pending)
                return nil
            }
            if work.isCancelled { return nil }
            if !outermost.isAsync, pending.closure.contains(where: \.needsTask) {
                work.failure =
                    work.failure ?? .asynchronous(pending.registration, path: path(to: pending.registration.key))
                return nil
            }
            startWaiting(for: pending, path: path)
            return .wait
        }
    }

    private func end(_ work: inout Completing) -> ResolutionError? {
        let base = outermost.takenBase
        // Released after `taken` has changed, because that may run the `deinit` of a user's type, which may resolve.
        let former = taken[base...]
        defer { withExtendedLifetime(former) {} }
        for case .pending(let pending) in former where pending.maker === self { pending.settle() }
        taken.replaceSubrange(base..., with: work.left.map { .pending($0) })
        let isComplete = work.failure == nil && !work.hasFailed && work.left.isEmpty
        if isComplete { work.context.settle() }
        if work.failure != nil { completeLater(former, except: work.left) }
        return work.failure
    }

    /// Completes in tasks the shared instances that this worker has built and that still wait for parts of other
    /// workers, when the resolve has failed. Otherwise nobody would publish them, and `close` would wait for them in
    /// vain.
    private func completeLater(_ former: ArraySlice<Taken>, except left: [PendingInstance]) {
        for case .pending(let pending) in former where pending.isShared && pending.maker === self {
            let isInProgress = Container.withMonitor { pending.isInProgress }
            if !isInProgress || left.contains(where: { $0 === pending }) { continue }
            // The task retains the container, because the registration does not.
            Task { [owner = pending.registration.owner] in
                let worker = Worker(isAsync: true)
                let (context, outer) = worker.begin(isAsync: true)
                worker.take(pending)
                _ = await worker.finishAsync(context, hasFailed: true)
                worker.end(context, outer: outer)
                withExtendedLifetime(owner) {}
            }
        }
    }

    /// The completions of an instance that this worker runs.
    private struct Running {
        let pending: PendingInstance
        /// The instance in its stored form.
        let stored: AnyObject
        /// The container and the token of the resolver that the completions get.
        let asked: Container
        let token: UInt64
        // The state of the worker before they began.
        let depth: Int
        let taken: Int
        let makers: [Worker]
    }

    private func start(_ pending: PendingInstance) -> Running {
        guard let completion = pending.completion, let stored = pending.stored else {
            preconditionFailure("an instance with completions has been built")
        }
        let (depth, makers) = (depth, makers)
        let token = push(completion, of: pending.registration, in: pending.context)
        self.makers = pending.makers + (pending.maker === self ? [] : [pending.maker])
        return Running(
            pending: pending, stored: stored, asked: completion.asked, token: token, depth: depth, taken: taken.count,
            makers: makers)
    }

    /// Runs the completions of an instance and returns their error, or nil.
    private func failure(of running: Running) -> ResolutionError? {
        do {
            for completion in running.pending.registration.options.completions {
                guard case .synchronous(let run) = completion else {
                    throw ResolutionError.asynchronous(running.pending.registration, path: path)
                }
                try run(Resolver(container: running.asked, token: running.token), running.stored)
            }
        } catch {
            return ResolutionError(.completionFailed, of: error, path: path)
        }
        return nil
    }

    nonisolated(nonsending) private func failureAsync(of running: Running) async -> ResolutionError? {
        do {
            for completion in running.pending.registration.options.completions {
                switch completion {
                case .synchronous(let run):
                    try asCurrent { try run(Resolver(container: running.asked, token: running.token), running.stored) }
                case .asynchronous(let run):
                    // Safe: a shared instance is `Sendable`, or its registration is `unchecked:`. An unshared one
                    // belongs to a graph that this task uses alone until the completion ends.
                    nonisolated(unsafe) let stored = running.stored
                    let (asked, token) = (running.asked, running.token)
                    try await asWorkerOfTask {
                        try await run(AsyncResolver(container: asked, token: token, worker: self), unsafe stored)
                    }
                }
            }
        } catch {
            return .inTask(.completionFailed, of: error, path: path)
        }
        return nil
    }

    private func end(_ running: Running, _ failure: ResolutionError?, _ work: inout Completing) {
        makers = running.makers
        pop(to: running.depth)
        work.failure = work.failure ?? failure
        running.pending.complete(failure, parts: parts(since: running.taken))
    }
}
