import SharedState

extension Container {
    /// Resolves every registration without runtime arguments, in this container and its parents, and throws all
    /// problems. It is for tests: a service calls `start(_:unknownKeys:)`.
    ///
    /// The method builds the services that `start` builds, and they remain until the container is closed. All other
    /// factories run once, for a child container that the method closes before it returns, unless a shared instance
    /// exists already. Services that are marked `.onDemand()` are built only for others.
    ///
    /// A service that takes a service declared with `givenByChild(_:)` is not built, and is not a problem.
    ///
    /// The method also reports `onClose` in a scope whose instances are not closed, and a service that keeps a service
    /// of a shorter life or the former instance of a service that follows its settings. `onFailure(_:)` gets a warning
    /// for each shared service that has a `Provider` or a `Lazy` of a service which each child has for itself:
    /// `.sharedByChildren`.
    ///
    /// If this container is a child that overrides services of its parents, `onFailure(_:)` gets a warning for each shared
    /// service of a parent that does not see an override, because it has taken the parent's: `.unseenOverride`. Register
    /// the service in the parent for a test, or make a container of its own for each test.
    ///
    /// - Parameter refusesUnseenOverrides: whether an override that a shared service does not see is a problem, and not
    ///   a warning.
    /// - Throws: all problems.
    nonisolated(nonsending) public func verify(
        refusesUnseenOverrides: Bool = false
    ) async throws(ConfigurationErrors) { _ = try await verifyAll(refusesUnseenOverrides: refusesUnseenOverrides) }

    /// Verifies the container as `verify()` does.
    ///
    /// - Returns: the names of the services that were not built, because only a child can build them, and because they
    ///   are built on demand or need arguments. Both are sorted.
    /// - Throws: all problems.
    nonisolated(nonsending) package func verifyAll(
        refusesUnseenOverrides: Bool = false
    ) async throws(ConfigurationErrors) -> (ofChildren: [String], onDemand: [String]) {
        try checkIsOpen()
        let child = Container(parent: self, defaultScope: defaultScope, isVerifying: true)
        let roots = allRegistrations.filter { $0.key.hasNoArguments && !builder(of: $0).options.life.isOnDemand }
        var (problems, ofChildren) = separated(await child.build(roots))
        problems += child.lifetimeProblems
        child.reportSharedByChildren()
        let unseen = unseenOverrides(verifiedIn: child).map(\.error)
        if refusesUnseenOverrides { problems += unseen } else { unseen.forEach(report) }
        problems += await child.close(timeout: .seconds(120))
        if !problems.isEmpty { throw ConfigurationErrors(problems.withoutConsequences.map { $0.named(names) }) }
        let built = Set(roots.map { ObjectIdentifier($0) })
        let others = allRegistrations.filter { !built.contains(ObjectIdentifier($0)) && !$0.isGivenByChild }
        return (ofChildren.sorted(), Set(others.map { names.text(of: $0.key) }).sorted())
    }
}
