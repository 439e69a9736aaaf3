import SharedState

extension PropertyStore {
    /// Loads the sources of a service and checks everything, so that one error reports all problems.
    ///
    ///     do {
    ///         try store.start(sources)
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
    ///   - sources: the sources, in the order of the merge. None of them must be awaited.
    ///   - unknownKeys: what happens to properties that are not declared. By default they are refused if a key is
    ///     declared, and ignored otherwise.
    /// - Throws: all problems. The store does not change.
    public func start(
        _ sources: PropertySources, unknownKeys: UnknownKeys? = nil
    ) throws(ConfigurationErrors) {
        try startAll(sources.synchronous, unknownKeys)
    }

    /// Loads the sources of an array, as `start(_:unknownKeys:)` does with a list.
    public func start(
        _ loaders: [any PropertyLoader], unknownKeys: UnknownKeys? = nil
    ) throws(ConfigurationErrors) {
        try start(PropertySources(loaders), unknownKeys: unknownKeys)
    }

    func startAll(_ loaders: [any PropertyLoader], _ unknownKeys: UnknownKeys?) throws(ConfigurationErrors) {
        try beginTrial(LoadedSources(loaders, contents.placeholders), unknownKeys).end(failures: [])
    }

    /// Loads the sources of a service as `start(_:unknownKeys:)` does, for answers about its settings. If there are
    /// problems, the sources that can be loaded are published nevertheless, and the values of unknown keys are marked as
    /// secret, since each may be a secret under a misspelt name.
    ///
    /// - Parameters:
    ///   - sources: the sources, in the order of the merge.
    ///   - unknownKeys: what happens to properties that are not declared, or nil for the default.
    /// - Returns: the report that `start` would throw, or nil if there are no problems.
    package func startWithProblems(
        awaiting sources: PropertySources, unknownKeys: UnknownKeys? = nil
    ) async -> ConfigurationErrors? {
        let loaders = await Self.awaited(sources, timeout: Self.defaultLoadTimeout)
        let loaded = LoadedSources(loaders, contents.placeholders)
        do throws(ConfigurationErrors) {
            try beginTrial(loaded, unknownKeys).end(failures: [])
            return nil
        } catch {
            change { $0.apply(loaded.sources) }
            if (unknownKeys ?? defaultForUnknownKeys) == .refused {
                let unknown = current.unknownKeys(ownChecks, false).map { PropertyKey($0.name) }
                change { contents in for name in unknown { contents.declared.declareSecret(name) } }
            }
            return error
        }
    }

    /// Loads the sources of a service, publishes them if the declared keys are right, and begins to log reads.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of the sources, in the order of the merge.
    ///   - unknownKeys: what `end` will do with unknown keys, or nil for the default. If they are refused and a
    ///     declared key is wrong, the report contains them too: an unknown key is often the misspelt name of a missing
    ///     key.
    ///   - pending: the readers that run before `end`, whose reads make keys known. Nil if there are none.
    /// - Returns: the trial, which the caller must end.
    /// - Throws: all problems. The store does not change.
    package func beginTrial(
        _ loaders: [any PropertyLoader], _ unknownKeys: UnknownKeys?, pending: PendingReaders? = nil
    ) throws(ConfigurationErrors) -> SourceTrial {
        try beginTrial(LoadedSources(loaders, contents.placeholders), unknownKeys, pending: pending)
    }

    private func beginTrial(
        _ loaded: LoadedSources, _ unknownKeys: UnknownKeys?, pending: PendingReaders? = nil
    ) throws(ConfigurationErrors) -> SourceTrial {
        let unknownKeys = unknownKeys ?? defaultForUnknownKeys
        guard loaded.failures.isEmpty else { throw problems(loaded, pending) }
        var former = StoreContents()
        _ = try publish(
            { contents in
                former = contents
                // The sources of a start take effect at once, although something was verified before.
                if !loaded.sources.isEmpty { contents.startValues = [:] }
                contents.apply(loaded.sources)
                return true
            }, notifies: false
        ) { (new, checks) throws(ConfigurationErrors) in
            let failures = new.failures(checks)
            // The reads before `end` cannot make a key in the table of a settings type known.
            let certain = new.problems(checks, [], unknownKeys, inSettingsOnly: pending != nil)
            if failures.isEmpty, certain.isEmpty { return }
            let problems = pending == nil ? certain : new.problems(checks, [], unknownKeys)
            let isUncertain = problems.count > certain.count
            throw ConfigurationErrors(failures + problems, isUncertain ? pending?.unknownKeys : nil)
        }
        return SourceTrial(
            store: self, former: former, applied: loaded.sources, unknownKeys: unknownKeys, pending: pending,
            log: starts.begin())
    }

    /// The default treatment of unknown keys. Without declarations they are ignored, because no key is known.
    package var defaultForUnknownKeys: UnknownKeys {
        sequence(first: self, next: \.parent).contains { $0.contents.declared.declaresKeys } ? .refused : .ignored
    }

    /// Returns the report of sources if some cannot be loaded.
    private func problems(_ loaded: LoadedSources, _ pending: PendingReaders?) -> ConfigurationErrors {
        var contents = contents
        contents.apply(loaded.sources)
        let partial = MergedState(contents, parentState: parent?.current)
        // A property of a source that cannot be loaded is missing, and so is a property that a placeholder refers to.
        let failures = partial.failures(ownChecks).filter { $0.reason != .unresolved }
        let problems = partial.problems(ownChecks, [], .ignored)
            .filter { $0.reason != .missing && $0.cause?.reason != .unresolved }
        return ConfigurationErrors(
            loaded.failures + failures + problems,
            pending?.unloadedSource ?? "Missing and unknown keys are checked when all sources can be loaded.")
    }
}

/// Describes the readers that run during a trial, such as services that are built. If not all of them have run, a
/// report ends with one of these sentences.
package struct PendingReaders: Sendable {
    /// The last sentence of a report about a source that cannot be loaded: which checks have not been made.
    let unloadedSource: String
    /// The last sentence of a report about unknown keys: which services may still read some of them.
    let unknownKeys: String

    package init(unloadedSource: String, unknownKeys: String) {
        (self.unloadedSource, self.unknownKeys) = (unloadedSource, unknownKeys)
    }
}

/// The sources of a service that is being started.
package struct SourceTrial {
    fileprivate let store: PropertyStore
    /// The old contents of the store.
    fileprivate let former: StoreContents
    fileprivate let applied: [AppliedSource]
    fileprivate let unknownKeys: UnknownKeys
    fileprivate let pending: PendingReaders?
    fileprivate let log: ReadLog

    /// Ends the trial. If there are problems, the sources are removed again. Other sources that were applied meanwhile
    /// stay.
    ///
    /// - Parameter failures: the errors since the beginning of the trial.
    /// - Throws: all problems, with the failures.
    package func end(failures: [any Error]) throws(ConfigurationErrors) {
        guard let errors = problems(failures) else { return publish() }
        forget()
        throw errors
    }

    /// Checks the reads since the beginning of the trial. The caller then publishes or forgets the sources.
    ///
    /// - Parameter failures: the errors since then.
    /// - Returns: the report of all problems, or nil if there are none.
    package func problems(_ failures: [any Error]) -> ConfigurationErrors? {
        store.report(store.starts.end(log), unknownKeys, failures, pending)
    }

    /// Notifies the observers of the store.
    package func publish() {
        store.observers.notify()
        for source in applied { source.layer.given.onPublish?() }
    }

    /// Removes the sources again. The observers were not notified of them, so they are not notified of the removal
    /// either.
    package func forget() {
        _ = store.publish(
            { contents in
                contents.takeBack(applied, to: former)
                return true
            }, notifies: false
        ) { _, _ in }
    }
}

extension PropertyStore {
    /// Keeps the values of the settings that need a restart from now on. A value that is kept already does not change.
    func keepStartValues() {
        let settings = current.declarations.keys.filter(\.needsRestart)
        if settings.isEmpty { return }
        change { contents in
            let current = current
            for setting in settings where contents.startValues[setting.key] == nil {
                contents.startValues[setting.key] = StartValue(of: setting, in: current)
            }
        }
    }
}
