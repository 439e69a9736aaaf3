/// The contents of a store itself, without its parents: its sources, declarations and settings.
struct StoreContents: Sendable {
    /// The sources, in the order of their application and of the merge.
    private(set) var sources: [AppliedSource] = []
    /// The declarations.
    var declared = StoreDeclarations()
    /// How placeholders are replaced in sources that have no rules of their own.
    var placeholders: PropertyPlaceholders?
    /// The values of the settings that need a restart, at the start of the service.
    var startValues: [PropertyKey: StartValue] = [:]
    /// How many states the store has published, and when it published the last one.
    var revision: (count: Int, time: ContinuousClock.Instant?) = (0, nil)

    /// Adds sources after the existing sources, and removes existing sources with the same identities. Values that the
    /// program has set stay the last.
    mutating func apply(_ new: [AppliedSource]) {
        if !sources.isEmpty { remove(Set(new.compactMap(\.key))) }
        let isSet = new.allSatisfy(\.isSet)
        let end = isSet ? sources.count : sources.firstIndex(where: \.isSet) ?? sources.count
        sources.insert(contentsOf: new, at: end)
    }

    /// Removes the sources with some identities.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    mutating func remove(_ keys: Set<PropertyKey>) -> Bool {
        let count = sources.count
        sources.removeAll { $0.key.map { keys.contains($0) } ?? false }
        return sources.count < count
    }

    /// Replaces sources by new versions, by their IDs.
    mutating func replace(_ new: [UInt64: AppliedSource]) { sources = sources.map { new[$0.id] ?? $0 } }

    /// Removes sources that were applied, and restores the sources that they replaced, in the old order, and the values
    /// that are kept until a restart. Sources that were applied or reloaded since then stay as they are.
    ///
    /// - Parameters:
    ///   - applied: the sources to remove.
    ///   - before: the contents before they were applied.
    mutating func takeBack(_ applied: [AppliedSource], to before: StoreContents) {
        startValues.merge(before.startValues) { $1 }
        let former = before.sources
        let replacing = Set(applied.compactMap(\.key)), removed = Set(applied.map(\.id))
        var rest = Dictionary(uniqueKeysWithValues: sources.map { ($0.id, $0) })
        for id in removed { rest[id] = nil }
        let later = Set(rest.values.compactMap(\.key))
        let restored = former.compactMap { source in
            let isReplaced = source.key.map { replacing.contains($0) && !later.contains($0) } ?? false
            return rest.removeValue(forKey: source.id) ?? (isReplaced ? source : nil)
        }
        let all = restored + sources.filter { rest[$0.id] != nil }
        sources = all.filter { !$0.isSet } + all.filter(\.isSet)
    }
}
