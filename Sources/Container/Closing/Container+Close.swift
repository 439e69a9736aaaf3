import Dispatch
import SharedState

extension Container {
    /// The time that closing has by default.
    public static let defaultCloseTimeout = Duration.seconds(10)

    /// Closes the shared instances that this container has made, by the `onClose` of their registrations.
    ///
    /// From the call on, this container resolves nothing: `require` throws `.closed`. Asynchronous constructions in
    /// progress are cancelled. When all constructions have ended, the instances are closed one after another: each
    /// before the instances that it was built from, and before those that a `Lazy` or `Provider` gave it. Otherwise the
    /// instance that was completed last is the first. If one fails, the others are still closed. `onFailure(_:)` gets
    /// each error. This holds also if the calling task is cancelled.
    ///
    /// At the deadline, the method returns whatever the closures do: the task of the closure in progress is cancelled,
    /// and all closures that are left are started in order without waiting for them. Each of these is an error too.
    ///
    /// A container does not close its parent or its children, so close the children first. A second call waits for the
    /// first and returns its errors.
    ///
    /// - Parameter timeout: the time for the whole closing.
    /// - Returns: the errors, with the reason `.closeFailed`, in the order in which they occurred.
    @discardableResult
    public func close(timeout: Duration = defaultCloseTimeout) async -> [ResolutionError] {
        begin(.stopping)
        var removed: [Any] = []
        let (isFirst, phase) = registry.withWrite { registry in
            guard registry.closing.isOpen else { return (false, registry.closing.phase) }
            if registry.closing.activities == 0, !registry.closing.records.contains(where: \.hasHooks) {
                removed = registry.removeAll()
                registry.closing.phase = .closed([])
            } else {
                removed = registry.removeRegistrations()
                registry.closing.phase = .closing(Signal())
            }
            return (true, registry.closing.phase)
        }
        withExtendedLifetime(removed) {}
        switch phase {
        case .open: return []
        case .closed(let errors): return errors
        case .closing(let end):
            if isFirst { end.send(await close(before: Deadline(after: timeout))) }
            return await end.value() ?? []
        }
    }

    private func close(before deadline: Deadline) async -> [ResolutionError] {
        defer { deadline.cancel() }
        var errors = await waitForActivities(before: deadline)
        let records = registry.withWrite { registry in
            registry.closing.isDrained = true
            return registry.closing.removeRecords { _ in true }
        }
        errors += await run(records.hooksInOrder, before: deadline)
        // Releases the instances only now, because those that are closed may use the others.
        change { registry in
            registry.closing.phase = .closed(errors)
            defer { registry.slots = registry.slots.filter { $0.value.pending != nil } }
            return [registry.slots]
        }
        withExtendedLifetime(records) {}
        return errors
    }

    /// Waits until all constructions have ended, and returns an error for each that has not ended by the deadline.
    private func waitForActivities(before deadline: Deadline) async -> [ResolutionError] {
        let idle = Signal<Void>()
        let constructions = registry.withWrite { registry in
            registry.closing.idle = idle
            if registry.closing.activities == 0 { idle.send(()) }
            return registry.allSlots.compactMap(\.pending)
        }
        for construction in constructions { construction.cancel() }
        if await idle.value(before: deadline) != nil { return [] }
        let late = registry.withRead { $0.allSlots.compactMap(\.pending?.key) }
        let errors = late.sorted { $0.description < $1.description }
            .map { ResolutionError(.closeFailed, path: [$0], detail: deadline.text) }
        errors.forEach(report)
        return errors
    }

    /// Runs hooks one after another, and returns their errors.
    func run(_ hooks: [CloseHook], before deadline: Deadline) async -> [ResolutionError] {
        var errors: [ResolutionError] = []
        for hook in hooks {
            guard let error = await run(hook, before: deadline) else { continue }
            errors.append(error)
            report(error)
        }
        return errors
    }

    /// Runs a hook, and waits for it until the deadline.
    private func run(_ hook: CloseHook, before deadline: Deadline) async -> ResolutionError? {
        let end = Signal<ResolutionError?>()
        var task: Task<Void, Never>?
        if hook.isSynchronous {
            // It may block, so it must not occupy a thread of the pool that runs tasks.
            DispatchQueue(label: "Container.close").async { end.send(hook.runNow()) }
        } else {
            task = Task.detached { end.send(await hook.run()) }
        }
        if let result = await end.value(before: deadline) { return result }
        task?.cancel()
        return ResolutionError(.closeFailed, path: [hook.key], detail: deadline.text)
    }
}

// MARK: - Hooks of removed instances

extension Container {
    /// Runs the hooks of removed instances: the synchronous ones at once, and the first asynchronous one and all that
    /// follow it in a task. `close()` waits for all of them: the caller has begun an activity, which ends here.
    func run(_ hooks: [CloseHook]) {
        var rest = hooks[...]
        while let hook = rest.first, hook.isSynchronous {
            hook.runNow().map(report)
            rest = rest.dropFirst()
        }
        if rest.isEmpty { return endActivity() }
        Task.detached { [rest] in
            for hook in rest { await hook.run().map(self.report) }
            self.endActivity()
        }
    }

    func endActivity() {
        registry.withWrite { $0.closing.endActivity() }?.send(())
    }
}
