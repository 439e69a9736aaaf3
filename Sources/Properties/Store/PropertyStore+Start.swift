extension PropertyStore {
    /// Loads the sources of a service and checks everything, so that one error reports all problems.
    ///
    ///     do {
    ///         try store.applyAndVerify(sources)
    ///     } catch {
    ///         error.reportAndExit()
    ///     }
    ///
    /// It is the same as `apply` and then `verify`, but it does not stop at the first problem, and it publishes only
    /// what it has checked. `Container.start(_:unknownKeys:)` does the same, and then builds the services.
    ///
    /// If a source cannot be loaded, the report contains the errors of all sources that cannot be loaded and the wrong
    /// values of the others. Missing and unknown keys are not checked then, because they may be consequences.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of the sources, in the order in which they are merged.
    ///   - unknownKeys: what happens to properties that are not declared. By default they are refused if a key is
    ///     declared, and ignored otherwise.
    /// - Throws: all problems. The store does not change.
    public func applyAndVerify(
        _ loaders: [any PropertyLoader], unknownKeys: UnknownKeys? = nil
    ) throws(ConfigurationErrors) {
        try beginTrial(loaders, unknownKeys, buildsServices: false).end(failures: [])
    }

    /// Loads the sources of a service, publishes them if the declared keys are right, and begins to record what the
    /// services read.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of the sources, in the order in which they are merged.
    ///   - unknownKeys: what `end` will do with unknown keys, or nil for the default. If they are refused and a declared
    ///     key is wrong, the report contains them too: an unknown key is often the misspelt name of a missing one.
    ///   - buildsServices: whether services are built before `end`, which may read what is unknown until then.
    /// - Returns: the trial, which the caller must end.
    /// - Throws: all problems. The store does not change.
    package func beginTrial(
        _ loaders: [any PropertyLoader], _ unknownKeys: UnknownKeys?, buildsServices: Bool = true
    ) throws(ConfigurationErrors) -> SourceTrial {
        let unknownKeys = unknownKeys ?? defaultForUnknownKeys
        let loaded = LoadedSources(loaders, for: state)
        guard loaded.failures.isEmpty else { throw problems(loaded) }
        var former: [AppliedSource] = []
        _ = try publish({ state in
            former = state.sources
            // The sources of a start take effect at once, although something was verified before.
            if !loaders.isEmpty { state.startValues = [:] }
            state.apply(loaded.sources)
            return true
        }) { (new, checks) throws(ConfigurationErrors) in
            if let failure = new.failure { throw ConfigurationErrors([failure]) }
            var problems = new.problems(checks, [], .ignored)
            if unknownKeys == .refused, !buildsServices || !problems.isEmpty {
                problems = new.problems(checks, [], .refused)
            }
            if problems.isEmpty { return }
            let isUncertain = buildsServices && problems.contains { $0.reason == .unknownKey }
            throw ConfigurationErrors(problems, isUncertain ? .unbuiltService : nil)
        }
        return SourceTrial(
            store: self, former: former, applied: loaded.sources, unknownKeys: unknownKeys, firstNote: record.begin())
    }

    /// What happens to unknown keys where the caller does not say it: without declarations, nobody can know the keys.
    var defaultForUnknownKeys: UnknownKeys {
        sequence(first: self, next: \.parent).contains { $0.state.declaresKeys } ? .refused : .ignored
    }

    /// Returns the report of sources of which some cannot be loaded.
    private func problems(_ loaded: LoadedSources) -> ConfigurationErrors {
        var state = state
        state.apply(loaded.sources)
        let partial = MergedState(state, above: parent?.current)
        // A property of a source that cannot be loaded is missing, and so is one that a placeholder refers to.
        let problems = partial.problems(ownChecks, [], .ignored)
            .filter { $0.reason != .missing && $0.cause?.reason != .unresolved }
        return ConfigurationErrors(loaded.failures + problems, .unloadedSource)
    }
}

/// The sources of a service that is being started.
package struct SourceTrial {
    fileprivate let store: PropertyStore
    /// The sources that were applied before.
    fileprivate let former: [AppliedSource]
    fileprivate let applied: [AppliedSource]
    fileprivate let unknownKeys: UnknownKeys
    fileprivate let firstNote: Int

    /// Ends the trial when the services have been built. If there are problems, the sources are taken back. Other sources
    /// that were applied meanwhile stay.
    ///
    /// - Parameter failures: the errors of the services.
    /// - Throws: all problems, with the failures.
    package func end(failures: [any Error]) throws(ConfigurationErrors) {
        guard let errors = store.report(store.record.end(firstNote), unknownKeys, failures) else { return }
        let known = Set((former + applied).map(\.number))
        store.change { $0.sources = former + $0.sources.filter { !known.contains($0.number) } }
        throw errors
    }
}
