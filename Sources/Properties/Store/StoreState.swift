/// What a store has of its own: the sources that were applied to it, and the keys that were declared.
struct StoreState: Sendable {
    /// The sources, in the order in which they count.
    var sources: [AppliedSource] = []
    /// The declarations by name; a later one of the same name replaces the earlier one.
    var declarations: [PropertyKey: KeyDeclaration] = [:]
    /// How placeholders are replaced in sources that do not say it themselves.
    var placeholders: PropertyPlaceholders?

    /// Whether a table over a plain value, or the reverse, is an error.
    var refusesKindChanges = false

    /// What the sources said.
    var layers: [PropertyLayer] { sources.map(\.layer) }

    /// Puts sources on top, each in place of what it was before.
    mutating func apply(_ new: [AppliedSource]) {
        let all = sources + new
        let last = Dictionary(all.enumerated().map { ($1.key, $0) }) { $1 }
        sources = all.enumerated().filter { last[$1.key] == $0 }.map(\.element)
    }
}
