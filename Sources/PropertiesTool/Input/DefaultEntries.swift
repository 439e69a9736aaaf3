import PropertyLoaders

extension PropertyStore {
    /// The properties of the sources, and the defaults of the declared keys that no source has, sorted by name.
    var entriesWithDefaults: [PropertyEntry] {
        let defaults = declaredKeys.filter { isMissing($0.key) }.compactMap(\.defaultEntry)
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
        declaredKeys.first { $0.key == PropertyKey(name) }?.defaultEntry
    }

    /// Whether no source has a value. A value that cannot be read is not missing.
    private func isMissing(_ key: PropertyKey) -> Bool {
        do throws(PropertyError) {
            _ = try require(key, as: PropertyNode.self)
            return false
        } catch {
            return error.reason == .missing
        }
    }
}

extension DeclaredKey {
    /// The default as an entry, or nil if there is none.
    fileprivate var defaultEntry: PropertyEntry? {
        let origin = PropertyOrigin(source: PropertySource(name: "default"))
        return defaultValue.map {
            PropertyEntry(name: key.rawValue, node: PropertyNode($0, origin: origin), isSecret: false)
        }
    }
}
