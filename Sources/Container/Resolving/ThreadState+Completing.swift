import SharedState

/// One or more incomplete instances that a factory or a completion has taken.
enum Taken {
    /// An instance that this thread has built or adopted. The thread completes it, or waits until another thread does.
    case pending(PendingInstance)
    /// The incomplete parts of an instance that the context already had. They become parts of the instance under
    /// construction too. The resolve that took them first completes them.
    case parts([PendingInstance])

    func isOf(_ other: PendingInstance) -> Bool {
        if case .pending(let pending) = self { pending === other } else { false }
    }
}

// MARK: - Taking

extension ThreadState {
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

extension ThreadState {
    /// Completes the instances that an outermost resolve has taken. Runs the completions that no other thread is
    /// running, and waits for the others.
    ///
    /// - Parameters:
    ///   - context: the context of the resolve.
    ///   - hasFailed: whether a factory of the resolve threw. Then only shared instances are completed, because they
    ///     outlive the resolve.
    /// - Returns: the first error of a completion, or nil.
    func finish(_ context: ResolutionContext, hasFailed: Bool) -> ResolutionError? {
        if taken.count == context.takenBase { return nil }
        var work = Finish(context: context, hasFailed: hasFailed)
        runCompletions(&work)
        awaitCompletions(&work)
        for case .pending(let pending) in taken[context.takenBase...] where pending.maker === self { pending.settle() }
        taken.replaceSubrange(context.takenBase..., with: work.left.map { .pending($0) })
        for context in work.copies { _ = context.clear() }
        return work.failure
    }

    /// The state of one call of `finish`.
    private struct Finish {
        let context: ResolutionContext
        let hasFailed: Bool
        var failure: ResolutionError?
        /// The instances that are left to an outer resolve of this thread.
        var left: [PendingInstance] = []
        /// Copies of the contexts of other threads whose instances this thread completes. `count` is the number of
        /// instances that were copied.
        var adopted: [ObjectIdentifier: (context: ResolutionContext, count: Int)] = [:]
        /// All copies, including those in `adopted` that a copy with more instances has replaced.
        var copies: [ResolutionContext] = []
    }

    private func runCompletions(_ work: inout Finish) {
        var next = work.context.takenBase
        while next < taken.count {
            if case .pending(let pending) = taken[next], pending.isShared || !work.hasFailed { run(pending, &work) }
            next += 1
        }
    }

    /// Runs the completions of an instance and of its parts, except those that other threads are running.
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
        Container.monitor.withLock {
            let next = pending.nextToComplete(on: self, outer: taken[..<work.context.takenBase])
            next?.startCompleting(on: self)
            return next
        }
    }

    /// The context in which the completions of an instance run. If another thread built the instance, this is a copy of
    /// its context, because that thread may still change the original.
    private func context(for pending: PendingInstance, as whole: PendingInstance, _ work: inout Finish)
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

    /// Runs the completions of one instance. `whole` is the instance that contains it, or the instance itself.
    private func complete(_ pending: PendingInstance, as whole: PendingInstance, _ work: inout Finish) {
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

    private func awaitCompletions(_ work: inout Finish) {
        var next = work.context.takenBase
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
            let isDone = Container.monitor.withLock { () -> Bool in
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
                if pending.isLeft(to: taken[..<work.context.takenBase], on: self) {
                    work.left.append(pending)
                    return true
                }
                if pending.nextToComplete(on: self, outer: taken[..<work.context.takenBase]) == nil {
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
    /// Waits until a pending instance or one of its parts changes. The caller must hold the monitor.
    func wait(for pending: PendingInstance, path: [ServiceKey]) {
        wait = (pending, path)
        pending.wakeOnChange(self)
        // If this wait closes a cycle of waiting threads, wakes those in the cycle that wait for an instance whose
        // factory has returned: they can now take the incomplete instance.
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
