import PropertyLoaders

extension PropertyStore {
    /// The properties of the sources, and the defaults of the declared keys that no source has, sorted by name.
    var entriesWithDefaults: [PropertyEntry] {
        let defaults = declaredKeys.compactMap { defaultEntry(of: $0.key.rawValue) }
        // A null in a source means the default.
        let names = Set(defaults.map { PropertyKey($0.name) })
        let all = entries.filter { !names.contains(PropertyKey($0.name)) } + defaults
        return all.sorted { $0.name.precedes($1.name) }
    }

    /// Returns the default of a declared key if it is in force, or nil if a source has a value, or if there is no
    /// default.
    func defaultEntry(of name: String) -> PropertyEntry? {
        do throws(PropertyError) {
            _ = try require(PropertyKey(name), as: PropertyNode.self)
            return nil
        } catch {
            return error.reason == .missing ? declaredDefault(of: name) : nil
        }
    }

    /// Returns the default of a declared key, whether it is in force or not. Nil if there is none.
    func declaredDefault(of name: String) -> PropertyEntry? {
        declaredKeys.first { $0.key == PropertyKey(name) }?.defaultValue.map { value in
            let origin = PropertyOrigin(source: PropertySource(name: "default"))
            return PropertyEntry(name: name, node: PropertyNode(value, origin: origin), isSecret: false)
        }
    }
}
