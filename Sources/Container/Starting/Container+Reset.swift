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
    public func reset(_ scope: SharedScope) { reset(scope, service: nil) }

    /// Removes and closes the instances of a scope, as `reset(_:)` does, or only those of one service.
    ///
    /// - Parameters:
    ///   - scope: the scope whose instances are removed.
    ///   - service: the type by which callers resolve the service, with any name and arguments, or nil for all services.
    package func reset(_ scope: SharedScope, service: Any.Type?) {
        for container in sequence(first: self, next: \.parent) {
            container.run(container.removeInstances(of: scope, service: service))
        }
    }

    /// Removes and closes the instances of the session scope in this container and its parents, as `reset(_:)` does.
    public func resetSession() { reset(.session) }

    /// Removes the instances of a scope, or only those of one service, and returns their hooks. It begins an activity,
    /// which ends when they have run.
    private func removeInstances(of scope: SharedScope, service: Any.Type? = nil) -> [CloseHook] {
        var records: [ServiceRecord] = []
        // A factory that resets its own scope would otherwise be called without end.
        let own = [ResolvingThread.current.construction, PendingInstance.ofTask?.construction]
        change { registry in
            registry.closing.activities += 1
            // `close()` takes all instances itself, and must find those whose hooks it then waits for.
            guard registry.closing.isOpen else { return [] }
            let targets = service.map { registry.targets(of: $0) }
            func isRemoved(_ registration: Registration) -> Bool {
                registration.sharedScope == scope && targets?.contains(registration.id) != false
            }
            let removed = registry.slots.values.filter { isRemoved($0.registration) }
            let keys = Set(removed.flatMap(\.keys))
            for pending in registry.allSlots.compactMap(\.pending)
            where !own.contains(where: { $0 === pending.construction }) { pending.expire(ifBuiltFrom: keys) }
            records = registry.closing.removeRecords { isRemoved($0.registration) }
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
