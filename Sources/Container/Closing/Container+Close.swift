import SharedState

extension Container {
    /// The default timeout of closing.
    public static let defaultCloseTimeout = Duration.seconds(10)

    /// Closes the shared instances of this container by the `onClose` of their registrations.
    ///
    /// From the call on, this container builds nothing: `require` throws `.closed`. A complete shared instance without
    /// runtime arguments is still found until its own closing begins, so a hook can use the services that are closed
    /// later. So is what is complete in the parents, open or closing. Asynchronous constructions in progress are
    /// cancelled. The registrations, and what their factories capture, are released at the end of the closing.
    ///
    /// When all constructions have ended, the instances are closed one after another, beginning with the instance that
    /// became complete last. But each is closed before the instances that it was built from or got from a `Lazy` or
    /// `Provider`. If the closing of one instance fails, the others are still closed. `onFailure(_:)` gets each error.
    /// This holds also if the calling task is cancelled.
    ///
    /// At the deadline, the method returns whatever the closures do: the task of the closure in progress is cancelled,
    /// and all closures that are left are started in order without waiting for them. Each of them is an error, too,
    /// which names the service that has used up the time.
    ///
    /// A container does not close its parent or its children, so close the children first. A second call waits for the
    /// first and returns its errors. In a closure of `onClose` that the closing runs, a call returns at once, without
    /// errors. In a closure that a reset, a replacement or a failure runs, the closing waits for the closure, at
    /// most until the deadline, when the closure and those after it are errors, too.
    ///
    /// - Parameter timeout: the time for the whole closing.
    /// - Returns: the errors, with the reason `.closeFailed` or `.notClosed`, in the order of their occurrence.
    @discardableResult
    public func close(timeout: Duration = defaultCloseTimeout) async -> [ResolutionError] {
        begin(.stopping)
        var removed = Removed()
        var pending: [SharedInstance] = []
        var settled: Signal<Void>?
        let (isFirst, phase) = registry.withWrite { registry -> (Bool, ClosingPhase) in
            guard registry.isOpen else { return (false, registry.life.closing.phase) }
            // Without hooks, nothing but a `deinit` could observe an order.
            let isIdle =
                registry.life.closing.pendingWork.isEmpty && !registry.life.closing.toClose.contains(where: \.hasHooks)
                && registry.life.following.lateFormers.isEmpty
            let taken = isIdle ? registry.life.closing.takeAll() : []
            pending = isIdle ? [] : registry.building
            if isIdle { removed = registry.endClosing([]) } else { registry.beginClosing(Signal()) }
            removed.shared += taken
            settled = registry.life.following.takeSettled(isEnd: true)
            return (true, registry.life.closing.phase)
        }
        withExtendedLifetime(removed) {}
        settled?.send(())
        if !isFirst, isInHook { return [] }
        switch phase {
        case .open: return []
        case .closed(let errors): return errors
        case .closing(let end):
            if isFirst { end.send(await close(pending, before: Deadline(after: timeout))) }
            return await end.value() ?? []
        }
    }

    /// Whether the caller is a hook of this container, which its closing waits for.
    private var isInHook: Bool {
        Frame.current?.chain.contains { $0.role == .closing && $0.isActive && $0.isFor(self) } == true
    }

    private func close(_ pending: [SharedInstance], before deadline: Deadline) async -> [ResolutionError] {
        defer { deadline.cancel() }
        let start = ContinuousClock.now
        var (errors, delay) = await waitForPendingWork(pending, before: deadline)
        delay?.time = .now - start
        let complete = registry.withWrite { $0.life.closing.takeAll() }
        // The instances are released only after the last hook, because a closed instance may still be used by others.
        let teardown = Teardown(of: departed(complete), pendingIn: [], areFound: true)
        errors += await teardown.run(before: deadline, after: delay)
        // They were reported when they reached their limits, and nothing waits for them.
        errors += registry.withRead { $0.life.following.lateFormers }.map { key in
            ResolutionError(
                .closeFailed, path: [key], detail: "the closing of the former \(key) has not ended", isFormer: true)
        }
        change { [errors] in $0.endClosing(errors) }
        teardown.release()
        return errors
    }

    /// Waits until all pending work has ended: constructions, and hooks that a reset, a replacement or a failure runs.
    ///
    /// - Returns: an error for each construction and each hook that has not ended by the deadline, and the first of them.
    private func waitForPendingWork(
        _ pending: [SharedInstance], before deadline: Deadline
    ) async -> ([ResolutionError], ClosingDelay?) {
        let idle = Signal<Void>()
        let hook = registry.withWrite { registry in
            registry.life.closing.pendingWork.signalIdle(idle)
            return registry.life.closing.pendingWork.openHooks.first?.delaying
        }
        for shared in pending { shared.cancel() }
        let first = pending.first.map { delaying($0, among: pending) }
        let awaited = first ?? hook
        if let awaited { begin(closing: awaited, isConstruction: first != nil) }
        defer { if let awaited { end(closing: awaited) } }
        if await idle.value(before: deadline) != nil { return ([], nil) }
        // Read before `expire` ends the waits of hooks for each other.
        let hooks = registry.withRead { $0.life.closing.pendingWork.openHooks }
            .map { (instance: $0.instance, delay: ClosingDelay(of: $0.delaying)) }
        for signal in registry.withWrite({ $0.life.closing.pendingWork.expire() }) { signal.send(()) }
        let open = pending.filter { !$0.phase.hasEnded }.sorted { $0.key.description < $1.key.description }
        let constructions = open.map { shared in
            (instance: shared, delay: ClosingDelay(of: delaying(shared, among: open), isConstruction: true))
        }
        let late = constructions + hooks
        let errors = late.map { $0.delay.error(of: $0.instance, deadline) }
        errors.forEach(report)
        return (errors, late.first?.delay)
    }

    /// Returns the instance under construction that delays another one: the last in the chain of instances that wait
    /// for each other. An instance that waits for none delays itself.
    private func delaying(_ shared: SharedInstance, among all: [SharedInstance]) -> SharedInstance {
        var (next, seen) = (shared, Set([shared.id]))
        while true {
            let awaited = next.taken.awaited.map(\.id)
            guard let other = all.first(where: { awaited.contains($0.id) }), seen.insert(other.id).inserted else {
                return next
            }
            next = other
        }
    }

    /// Writes which instances with hooks are open when the container is released, for debug builds.
    func warnIfOpen() {
        let open = registry.withRead { $0.life.closing.toClose.filter(\.hasHooks).map(\.key) }
        if open.isEmpty { return }
        let names = open.map(\.description).joined(separator: ", ")
        StandardError.writeLine("Container: released without close() and still open: \(names). Await close() first")
    }

    /// Takes over complete instances that were removed from the registry of this container.
    func departed(_ removed: [SharedInstance]) -> [Departed] {
        Departed.removed(removed.map { Member(shared: $0, container: self) })
    }

    func endPendingWork() { registry.withWrite { $0.life.closing.pendingWork.end() }?.send(()) }
}
