extension Container {
    /// Loads several sources and merges what they say in their order, in one step: all of them count, or none.
    ///
    /// - Parameter loaders: the sources, such as `.standardSources(…)`.
    /// - Throws: what the first loader that fails throws; the properties stay as they were.
    public func applyPropertyLoaders(_ loaders: [any PropertyLoader]) throws { try properties.apply(loaders) }

    /// Loads all sources of this container again and puts the new properties in place in one step; the parents' sources
    /// are theirs to reload. Instances that were made before keep what they have read.
    ///
    /// - Throws: what the first loader that fails throws; the properties stay as they were.
    public func reload() throws { try properties.reload() }
}
