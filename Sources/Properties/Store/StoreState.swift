/// What a store has of its own: the sources that were applied to it, and the keys that were declared.
struct StoreState: Sendable {
    /// The sources, in the order in which they count.
    private(set) var sources: [AppliedSource] = []
    /// The declarations by name; a later one of the same name replaces the earlier one.
    var declarations: [PropertyKey: KeyDeclaration] = [:]

    /// What the sources say.
    var layers: [PropertyLayer] { sources.map(\.layer) }

    /// Puts a source on top, in place of an earlier application of it.
    mutating func apply(_ source: AppliedSource) {
        sources.removeAll { $0.identity == source.identity }
        sources.append(source)
    }

    /// Puts sources that were loaded again in the place of those that they were.
    ///
    /// What was applied meanwhile stays, and what was taken away does not come back.
    ///
    /// - Returns: false where another reload came in between, and nothing was changed.
    mutating func replace(with reloaded: ReloadedSources) -> Bool {
        let places = sources.indices.map { place in
            (place, reloaded.sources.first { $0.number == sources[place].number })
        }
        guard places.allSatisfy({ place, new in new == nil || sources[place].clock < reloaded.began }) else {
            return false
        }
        for (place, new) in places { if let new { sources[place] = new } }
        return true
    }
}
