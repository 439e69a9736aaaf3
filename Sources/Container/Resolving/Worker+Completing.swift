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
        let new = parts.filter { !$0.isSettled }
        if !new.isEmpty { taken.append(.parts(new)) }
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
        if taken.count == context.takenBase { return nil }
        var work = Completing(context: context, hasFailed: hasFailed, next: context.takenBase)
        while true {
            switch nextStep(&work) {
            case .complete(let pending, let whole): complete(pending, as: whole, &work)
            case .wait: sleep()
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
        var failure: ResolutionError?
        /// The instances that are left to an outer resolve of this worker.
        var left: [PendingInstance] = []
        /// Copies of the contexts of other workers whose instances this worker completes. `count` is the number of
        /// instances that were copied.
        var adopted: [ObjectIdentifier: (context: ResolutionContext, count: Int)] = [:]
        /// All copies, including those in `adopted` that a copy with more instances has replaced.
        var copies: [ResolutionContext] = []
        /// Objects to release outside the monitor.
        var unneeded: [AnyObject] = []
    }

    /// What a worker does next to complete the instances that a resolve has taken.
    private enum Step {
        /// It runs the completions of an instance. `whole` is the taken instance that contains it, or the instance
        /// itself.
        case complete(PendingInstance, as: PendingInstance)
        /// It sleeps until another worker wakes it.
        case wait
        case done
    }

    private func nextStep(_ work: inout Completing) -> Step {
        while true {
            if work.next == taken.count {
                if work.isAwaiting { return .done }
                work.isAwaiting = true
                work.next = work.context.takenBase
            } else if case .pending(let pending) = taken[work.next], let step = step(for: pending, &work) {
                return step
            } else {
                work.next += 1
            }
        }
    }

    /// The next step for a taken instance, or nil if there is none before the next instance's turn.
    private func step(for pending: PendingInstance, _ work: inout Completing) -> Step? {
        let isCompleted = pending.isShared || !work.hasFailed
        if !pending.isVisible {
            guard isCompleted, case .built = pending.state else { return nil }
            pending.startCompleting(on: self)
            return .complete(pending, as: pending)
        }
        return Container.monitor.withLock {
            let outer = taken[..<work.context.takenBase]
            if isCompleted, let next = pending.nextToComplete(on: self, outer: outer) {
                next.startCompleting(on: self)
                return .complete(next, as: pending)
            }
            if !work.isAwaiting { return nil }
            work.unneeded += pending.endIfPossible()
            switch pending.state {
            case .failed(let error):
                work.failure = work.failure ?? error
                return nil
            case .ended, .building: return nil
            case .built where !isCompleted, .complete where !isCompleted: return nil
            case .built, .completing, .complete: break
            }
            if pending.isLeft(to: outer, on: self) {
                work.left.append(pending)
                return nil
            }
            startWaiting(for: pending, path: path)
            return .wait
        }
    }

    private func end(_ work: inout Completing) -> ResolutionError? {
        let base = work.context.takenBase
        for case .pending(let pending) in taken[base...] where pending.maker === self { pending.settle() }
        taken.replaceSubrange(base..., with: work.left.map { .pending($0) })
        for context in work.copies { _ = context.clear() }
        return work.failure
    }

    /// The context in which the completions of an instance run. If another worker built the instance, this is a copy of
    /// its context, because that worker may still change the original.
    private func context(for pending: PendingInstance, as whole: PendingInstance, _ work: inout Completing)
        -> ResolutionContext
    {
        if pending.maker === self { return pending.context }
        let (own, wider) = Container.monitor.withLock {
            (pending.graphInstances, whole.context === pending.context ? whole.graphInstances : [])
        }
        let instances = own.count < wider.count ? wider : own
        if let (context, count) = work.adopted[ObjectIdentifier(pending.context)], count >= instances.count {
            return context
        }
        let context = ResolutionContext(instances)
        context.base = work.context.base
        work.adopted[ObjectIdentifier(pending.context)] = (context, instances.count)
        work.copies.append(context)
        return context
    }

    /// Runs the completions of one instance.
    private func complete(_ pending: PendingInstance, as whole: PendingInstance, _ work: inout Completing) {
        guard let completion = pending.completion else { return }
        let context = context(for: pending, as: whole, &work)
        let (depth, start) = (depth, taken.count)
        let token = push(completion, of: pending.registration, in: context)
        var failure: ResolutionError?
        if pending.isAdoptable { sharedDepth += 1 }
        let makers = makers
        self.makers = pending.makers + (pending.maker === self ? [] : [pending.maker])
        do {
            try completion.run(Resolver(container: completion.asked, token: token))
        } catch {
            failure = ResolutionError(.completionFailed, of: error, path: path)
        }
        self.makers = makers
        if pending.isAdoptable { sharedDepth -= 1 }
        pop(to: depth)
        work.failure = work.failure ?? failure
        pending.complete(failure, parts: parts(since: start), in: context)
    }
}
