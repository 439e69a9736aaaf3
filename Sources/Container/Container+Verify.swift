extension Container {
    /// Resolves every registration without runtime arguments, in this container and its parents, and throws all
    /// problems.
    ///
    /// Call this method when the program starts: a missing registration then fails at the start instead of at the first
    /// request. The method builds its own instances, one of each shared service, and releases them before it returns.
    /// To exclude a service that must not be built twice, call `withoutVerification()` on its registration. A service
    /// that takes an excluded one by `require` is not verified either.
    ///
    /// In a child, the method also reports an override that a shared service of a parent does not see. It also reports
    /// `onClose` in a scope whose instances are not closed, and a factory or a completion that resolves from a captured
    /// container instead of its resolver.
    ///
    /// - Throws: a `VerificationError` with all problems.
    public func verify() throws(VerificationError) {
        var problems: [ResolutionError] = []
        let roots = allRegistrations.filter { $0.key.hasNoArguments && $0.isVerified }
        let findings = Worker.withScratch {
            for root in roots.sorted(byName: \.key.description) {
                do throws(ResolutionError) {
                    _ = try root.provide(for: Resolver(container: self, token: 0), ())
                } catch  where error.reason != .unverified {
                    problems.append(error)
                } catch {}
            }
        }
        problems += findings.lookups.compactMap(unseenOverride) + findings.captures
        problems += allRegistrations.filter { !$0.options.closures.isEmpty && !$0.canClose }
            .map { ResolutionError(.neverClosed, path: [$0.key], detail: "\($0.options.scope)") }
        if let error = VerificationError(problems) { throw error }
    }

    /// Loads the sources of a service, checks them and verifies every registration, so that one error reports all
    /// problems.
    ///
    ///     do {
    ///         try container.applyAndVerify(sources, unknownKeys: .refused)
    ///     } catch {
    ///         error.reportAndExit()
    ///     }
    ///
    /// It is the same as `applyPropertyLoaders`, and then `verify` of the properties and of the container, but it does
    /// not stop at the first problem. If a source cannot be loaded, no service is built.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of the sources, in the order in which they are merged.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a registered service.
    /// - Throws: all problems. The properties do not change then.
    public func applyAndVerify(
        _ loaders: [any PropertyLoader], unknownKeys: UnknownKeys = .ignored
    ) throws(ConfigurationErrors) {
        try properties.applyAndVerify(loaders, unknownKeys: unknownKeys) { try verify() }
    }

    /// Returns the problem of a shared service of an ancestor that looks up a service which this container, or another
    /// one below that ancestor, registers too. Nil if there is none.
    private func unseenOverride(_ lookup: Worker.Lookup) -> ResolutionError? {
        let below = sequence(first: self, next: \.parent).prefix { $0 !== lookup.container }
        let overridden = below.flatMap(\.ownRegistrations).filter { $0.origin == nil }.map(\.key)
        let start = lookup.path.lastIndex { $0.registration.isSharing && !$0.registration.isPerChild }
        guard let start, overridden.contains(lookup.key) else { return nil }
        let seer = lookup.path[start].registration
        // If it is overridden too, the problem is the service that takes it instead of its override.
        if overridden.contains(seer.key) { return nil }
        return ResolutionError(
            .unseenOverride, path: lookup.path[start...].map(\.registration.key) + [lookup.key],
            detail: "\(seer.options.scope)")
    }
}
