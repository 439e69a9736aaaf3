import SharedState

extension Container {
    /// Resolves every registration without runtime arguments, in this container and its parents, and throws all
    /// problems. It is for tests: a service calls `start(_:unknownKeys:)`.
    ///
    /// The method builds the services that `start` builds, and they remain until the container is closed. All other
    /// factories run once, for a child container that the method closes before it returns. Services that are marked
    /// `.onDemand()` are built only for others.
    ///
    /// In a child, the method also reports an override that a shared service of a parent does not see. It also reports
    /// `onClose` in a scope whose instances are not closed, a service that keeps one of a shorter life, and a factory or
    /// a completion that resolves from a captured container instead of its resolver.
    ///
    /// In debug builds, `onFailure(_:)` gets an error with the reason `.builtAgain` for each service in `.graph` of which
    /// a shared service and the one that takes it have two instances. That is not a problem in itself.
    ///
    /// - Throws: all problems.
    nonisolated(nonsending) public func verify() async throws(ConfigurationErrors) {
        if !isOpen { throw ConfigurationErrors([ResolutionError(.closed, path: [ServiceKey(Container.self, nil)])]) }
        let verification = Guarded(Findings())
        let child = Container(parent: self, defaultScope: defaultScope, isVerifying: true)
        for container in sequence(first: child, next: \.parent) {
            container.registry.withWrite { $0.verification = verification }
        }
        defer {
            for container in sequence(first: self, next: \.parent) {
                container.registry.withWrite { $0.verification = nil }
            }
        }
        let roots = allRegistrations.filter { $0.key.hasNoArguments && !$0.options.isOnDemand }
        var problems = await child.build(roots)
        problems += child.lifetimeProblems
        #if DEBUG
            child.servicesBuiltAgain(for: verification.withLock { $0.unshared }).forEach(report)
        #endif
        problems += await child.close(timeout: .seconds(120)) + verification.withLock { $0.captures }
        if !problems.isEmpty { throw ConfigurationErrors(problems.withoutConsequences) }
    }
}
