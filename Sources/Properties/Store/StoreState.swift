/// The state of a store itself, without its parents: its sources, declarations and settings.
struct StoreState: Sendable {
    /// The sources, in the order in which they are merged.
    var sources: [AppliedSource] = []
    /// The declarations by name. Several of one name are combined.
    var declarations: [PropertyKey: KeyDeclaration] = [:]
    /// How placeholders are replaced in sources that have no rules of their own.
    var placeholders: PropertyPlaceholders?
    /// The greatest size of a flat name, in bytes.
    var nameLimit = PropertyStore.defaultNameLimit

    /// Whether it is an error if a table replaces a plain value, or the reverse.
    var refusesKindChanges = false

    /// The greatest size of a key of a dictionary, in bytes; nil for the limit of the parent.
    var keyLimit: Int?

    /// The layers of the sources.
    var layers: [PropertyLayer] { sources.map(\.layer) }

    /// Adds sources on top, and removes earlier ones with the same identities.
    mutating func apply(_ new: [AppliedSource]) {
        let keys = Set(new.compactMap(\.key))
        sources.removeAll { $0.key.map { keys.contains($0) } ?? false }
        sources += new
    }
}
