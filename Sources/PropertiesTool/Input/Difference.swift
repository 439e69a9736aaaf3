import PropertyLoaders

/// A property that differs between two stores.
struct Difference {
    let name: String
    /// The property in the first store, or nil if it is only in the second one.
    let before: PropertyEntry?
    /// The property in the second store, or nil if it is only in the first one.
    let after: PropertyEntry?

    /// Returns the properties that differ, sorted by name.
    ///
    /// Values are the same if they are the same in JSON: `"5"` in a file is the same as `5` in the environment, and not
    /// the same as the number 5.
    static func all(from one: PropertyStore, to other: PropertyStore) -> [Difference] {
        let before = byName(one.entries), after = byName(other.entries)
        let keys = Set(before.keys).union(after.keys).sorted { $0.rawValue.precedes($1.rawValue) }
        return keys.compactMap { key in
            let (old, new) = (before[key], after[key])
            if let old, let new, JsonText.text(old.node).isSame(as: JsonText.text(new.node)) { return nil }
            return Difference(name: key.rawValue, before: old, after: new)
        }
    }

    /// Both sides for JSON. A side without the property is left out.
    var json: PropertyValue { .members([("before", before?.json), ("after", after?.json)]) }

    private static func byName(_ entries: [PropertyEntry]) -> [PropertyKey: PropertyEntry] {
        Dictionary(entries.map { (PropertyKey($0.name), $0) }) { $1 }
    }
}
