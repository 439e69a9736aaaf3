import SharedState

extension Container {
    /// Removes and closes the instances of a scope in this container and its parents. The next resolve builds new ones.
    ///
    /// Synchronous `onClose` closures run before this method returns, up to the first that is asynchronous or must wait for
    /// the closing of an instance that holds its own. A task runs the remaining closures, and `close(timeout:)` waits
    /// for it. `close(_:timeout:)` waits for all of them itself.
    ///
    /// An instance of the scope that is under construction at this time is returned only to callers that already wait
    /// for it, and is not kept. It is closed at the next reset of the scope, or with the container. So a caller may get
    /// an instance that holds a part which was closed a moment ago, as if the reset had come a moment later. A new instance
    /// that would replace one of the removed instances, because its settings have changed, is given up. A
    /// container that is being closed keeps its own instances until its closing ends them. Its open parents are reset.
    ///
    /// - Parameter scope: the scope whose instances are removed.
    public func reset(_ scope: SharedScope) { reset(scope, service: nil) }

    /// Removes and closes the instances of a scope, as `reset(_:)` does, or only the instances of one service.
    ///
    /// - Parameters:
    ///   - scope: the scope whose instances are removed.
    ///   - service: the type by which callers resolve the service, with any name and arguments, or nil for all services.
    package func reset(_ scope: SharedScope, service: Any.Type?) { teardown(of: scope, service: service).run() }

    /// Removes and closes the instances of the session scope in this container and its parents, as `reset(_:)` does.
    public func resetSession() { reset(.session) }

    /// Removes the instances of a scope, or only the instances of one service, from this container and its parents.
    /// They are closed in one order.
    private func teardown(of scope: SharedScope, service: Any.Type? = nil) -> Teardown {
        var removed: [Member] = []
        let containers = Array(sequence(first: self, next: \.parent))
        for container in containers {
            let instances = container.registry.withWrite { registry -> [SharedInstance] in
                registry.life.closing.pendingWork.begin()
                // `close()` takes all instances itself, and must find the instances whose hooks it then waits for.
                guard registry.isOpen else { return [] }
                let targets = service.map { registry.targets(of: $0) }
                return registry.removeInstances { shared in
                    shared.registration.sharedScope == scope
                        && targets?.contains(ObjectIdentifier(shared.registration)) != false
                }
            }
            removed += instances.map { Member(shared: $0, container: container) }
        }
        return Teardown(of: Departed.removed(removed), pendingIn: containers)
    }

    /// Closes the instances of a scope in this container and its parents, and waits for that. The next resolve builds
    /// new ones. See `reset(_:)` for instances that are under construction.
    ///
    /// The deadline is that of `close(timeout:)`. A closure that goes on after it is still awaited by `close(timeout:)` of
    /// each of these containers.
    ///
    /// - Parameters:
    ///   - scope: the scope whose instances are removed.
    ///   - timeout: the time for all closures. See `close(timeout:)`.
    /// - Returns: the errors, with the reason `.closeFailed`, in the order of their occurrence. `onFailure(_:)` gets
    ///   them too.
    @discardableResult
    public func close(_ scope: SharedScope, timeout: Duration = defaultCloseTimeout) async -> [ResolutionError] {
        let deadline = Deadline(after: timeout)
        defer { deadline.cancel() }
        let teardown = teardown(of: scope)
        defer { teardown.release() }
        return await teardown.run(before: deadline)
    }

    /// Replaces all registrations at once, and closes the instances.
    package func replaceAll(with registrations: [Registration]) {
        var complete: [SharedInstance] = []
        change { registry in
            registry.life.closing.pendingWork.begin()
            if !registry.isOpen { return Removed() }
            complete = registry.removeInstances { _ in true }
            return registry.replaceAll(with: registrations)
        }
        Teardown(of: departed(complete), pendingIn: [self]).run()
    }

    /// Removes all registrations and their instances, and closes the instances as `reset(_:)` does. The properties do
    /// not change.
    public func removeAll() { replaceAll(with: []) }
}
