import PropertyLoaders

extension PropertyStore {
    /// The defaults of the declared keys that no source has, sorted by name.
    private var defaults: [PropertyEntry] {
        declaredKeys.filter { $0.defaultValue != nil && isMissing($0.key) }.map(\.defaultEntry)
    }

    /// The properties of the sources and the defaults, sorted by name.
    var entriesWithDefaults: [PropertyEntry] {
        let defaults = defaults
        // A null in a source means the default.
        let names = Set(defaults.map { PropertyKey($0.name) })
        let all = entries.filter { !names.contains(PropertyKey($0.name)) } + defaults
        return all.sorted { $0.name.precedes($1.name) }
    }

    /// Returns the default of a declared key if it is in force, or nil if a source has a value, or if there is no
    /// default.
    func defaultEntry(of name: String) -> PropertyEntry? {
        isMissing(PropertyKey(name)) ? declaredDefault(of: name) : nil
    }

    /// Returns the default of a declared key, whether it is in force or not. Nil if there is none.
    func declaredDefault(of name: String) -> PropertyEntry? {
        let key = declaredKeys.first { $0.key == PropertyKey(name) }
        return key?.defaultValue == nil ? nil : key?.defaultEntry
    }
}
