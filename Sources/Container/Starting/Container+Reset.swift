import SharedState

extension Container {
    /// Removes and closes the instances of a scope in this container and its parents. The next resolve builds new ones.
    ///
    /// Synchronous `onClose` closures run before this method returns, up to the first asynchronous one. A task runs the
    /// remaining closures, and `close(timeout:)` waits for it. `close(_:timeout:)` waits for all of them itself.
    ///
    /// An instance that is under construction at this time is returned only to those who already wait for it, and built
    /// again if it was made from one that is removed here. It is closed at the next reset of the scope, or with the
    /// container. While the container is being closed, a reset does nothing.
    ///
    /// - Parameter scope: the scope whose instances are removed.
    public func reset(_ scope: SharedScope) {
        run(removeInstances(of: scope))
        parent?.reset(scope)
    }

    /// Removes and closes the instances of the session scope in this container and its parents, as `reset(_:)` does.
    public func resetSession() { reset(.session) }

    /// Removes the instances of a scope, and returns their hooks. It begins an activity, which ends when they have run.
    private func removeInstances(of scope: SharedScope) -> [CloseHook] {
        var records: [ServiceRecord] = []
        // A factory that resets its own scope would otherwise be called without end.
        let own = [ResolvingThread.current.construction, PendingInstance.ofTask?.construction]
        change { registry in
            registry.closing.activities += 1
            // `close()` takes all instances itself, and must find those whose hooks it then waits for.
            guard registry.closing.isOpen else { return [] }
            let removed = registry.slots.values.filter { $0.registration.sharedScope == scope }
            let keys = Set(removed.flatMap(\.keys))
            for pending in registry.allSlots.compactMap(\.pending)
            where !own.contains(where: { $0 === pending.construction }) { pending.expire(ifBuiltFrom: keys) }
            records = registry.closing.removeRecords { $0.registration.sharedScope == scope }
            return [removed] + registry.removeInstances(of: Set(removed.map(\.registration.id)))
        }
        return records.hooksInOrder
    }

    /// Closes the instances of a scope in this container and its parents, and waits for that. The next resolve builds
    /// new ones. See `reset(_:)` for instances that are under construction.
    ///
    /// - Parameters:
    ///   - scope: the scope whose instances are removed.
    ///   - timeout: the time for all closures. See `close(timeout:)`.
    /// - Returns: the errors, with the reason `.closeFailed`, in the order in which they occurred. `onFailure(_:)` gets
    ///   them too.
    @discardableResult
    public func close(_ scope: SharedScope, timeout: Duration = defaultCloseTimeout) async -> [ResolutionError] {
        let deadline = Deadline(after: timeout)
        defer { deadline.cancel() }
        var errors: [ResolutionError] = []
        for container in sequence(first: self, next: \.parent) {
            let hooks = container.removeInstances(of: scope)
            errors += await container.run(hooks, before: deadline)
            container.endActivity()
        }
        return errors
    }
}
