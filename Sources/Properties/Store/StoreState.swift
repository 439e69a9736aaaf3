/// What a store has of its own: the sources that were applied to it, and the keys that were declared.
struct StoreState: Sendable {
    /// The sources, in the order in which they count.
    var sources: [AppliedSource] = []
    /// The declarations by name; those of one name add up.
    var declarations: [PropertyKey: KeyDeclaration] = [:]
    /// How placeholders are replaced in sources that do not say it themselves.
    var placeholders: PropertyPlaceholders?

    /// Whether a table over a plain value, or the reverse, is an error.
    var refusesKindChanges = false

    /// How many bytes a key of a dictionary may have; nil where the parent's limit holds.
    var keyLimit: Int?

    /// What the sources said.
    var layers: [PropertyLayer] { sources.map(\.layer) }

    /// Puts sources on top, each in place of what it was before.
    mutating func apply(_ new: [AppliedSource]) {
        for source in new {
            sources.removeAll { $0.key == source.key }
            sources.append(source)
        }
    }
}
