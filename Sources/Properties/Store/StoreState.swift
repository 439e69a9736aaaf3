/// What a store has of its own: the sources that were applied to it, and the keys that were declared.
struct StoreState: Sendable {
    /// The sources, in the order in which they count.
    var sources: [AppliedSource] = []
    /// The declarations by name; those of one name add up.
    var declarations: [PropertyKey: KeyDeclaration] = [:]
    /// How placeholders are replaced in sources that do not say it themselves.
    var placeholders: PropertyPlaceholders?
    /// How many bytes a flat name may have.
    var nameLimit = PropertyStore.defaultNameLimit

    /// Whether a table over a plain value, or the reverse, is an error.
    var refusesKindChanges = false

    /// How many bytes a key of a dictionary may have; nil where the parent's limit holds.
    var keyLimit: Int?

    /// What the sources said.
    var layers: [PropertyLayer] { sources.map(\.layer) }

    /// Puts sources on top, and removes what was applied before under their identities.
    mutating func apply(_ new: [AppliedSource]) {
        let keys = Set(new.compactMap(\.key))
        sources.removeAll { $0.key.map { keys.contains($0) } ?? false }
        sources += new
    }
}
