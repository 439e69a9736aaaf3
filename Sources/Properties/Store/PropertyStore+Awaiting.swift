extension PropertyStore {
    /// The maximum time of each load of a source that must be awaited, unless a parameter changes it: 10 s.
    public static let defaultLoadTimeout = Duration.seconds(10)

    /// Loads several sources, which may have to be awaited, and merges their values in order, in one step.
    ///
    /// The rules are the same as in `apply(_:)`. The sources that must be awaited are loaded concurrently, before the
    /// others. A later synchronous reload keeps their layers. A `PropertyWatcher` loads those again that report changes,
    /// and SIGHUP loads all again with `run` of `ServiceHost`.
    ///
    /// - Parameters:
    ///   - sources: the sources, in the order of the merge.
    ///   - timeout: the maximum time of each load that is awaited, now and in a watcher.
    /// - Throws: the errors of all loaders that fail, a contradiction between the values, or all new problems. The store
    ///   does not change.
    public func apply(
        awaiting sources: PropertySources, timeout: Duration = defaultLoadTimeout
    ) async throws(ConfigurationErrors) {
        try applyAll(await Self.awaited(sources, timeout: timeout))
    }

    /// Loads the sources of a service, which may have to be awaited, and checks everything, as `start(_:)` does.
    ///
    /// - Parameters:
    ///   - sources: the sources, in the order of the merge.
    ///   - unknownKeys: what happens to properties that are not declared. By default they are refused if a key is
    ///     declared, and ignored otherwise.
    ///   - withoutSecrets: whether secret sources are not loaded and secrets without a value are accepted, for a check
    ///     where they are not available. It holds for all later checks of the store.
    ///   - timeout: the maximum time of each load that is awaited, now and in a watcher.
    /// - Throws: all problems. The store does not change.
    public func start(
        awaiting sources: PropertySources, unknownKeys: UnknownKeys? = nil, withoutSecrets: Bool = false,
        timeout: Duration = defaultLoadTimeout
    ) async throws(ConfigurationErrors) {
        if withoutSecrets { acceptMissingSecrets() }
        let loaders = sources.listed.filter { !withoutSecrets || ($0 as? any SecretLoader)?.isSecret != true }
        try startAll(await Self.awaited(PropertySources(loaders), timeout: timeout), unknownKeys)
    }

    /// Loads the sources that must be awaited, concurrently.
    ///
    /// - Returns: the same sources in the same order, as synchronous loaders. The loader of a source that could not be
    ///   loaded throws the error.
    package static func awaited(
        _ sources: PropertySources, timeout: Duration
    ) async -> [any PropertyLoader] {
        let loaders = sources.listed
        var all = loaders.map { $0 as? any PropertyLoader }
        await withTaskGroup(of: (Int, AwaitedSource).self) { group in
            for (index, loader) in loaders.enumerated() where all[index] == nil {
                group.addTask { (index, await AwaitedSource(loader, timeout: timeout)) }
            }
            for await (index, source) in group { all[index] = source }
        }
        return all.compactMap(\.self)
    }

    /// The sources of this store that must be awaited, without its parents.
    package var awaitedSources: [AwaitedSource] { contents.sources.compactMap { $0.loader as? AwaitedSource } }

    /// The sources of this store that must be awaited and report their changes.
    package var changingSources: [AwaitedSource] { awaitedSources.filter { $0.base.reportsChanges } }
}
