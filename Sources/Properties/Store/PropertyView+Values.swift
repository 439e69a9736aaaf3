extension PropertyView {
    /// The values in force of all declared settings and keys, sorted by name.
    ///
    ///     for entry in store.values { print(entry) }  // server.port = 8080 (default)
    ///
    /// A setting that no source has is listed with its default, whose origin is called "default". That of an optional
    /// is null. A required setting without a value is left out. `entries` lists what the sources have instead.
    ///
    /// A property whose placeholders have no value is listed with a null, as in `entries`.
    public var values: [PropertyEntry] {
        let state = snapshot.state
        // Of a name that was only declared secret, nothing is known unless a source has it.
        let described = Set(state.declarations.filter(\.isDescribed).map(\.key))
        return declaredKeys.compactMap { key in
            let name = key.key.rawValue
            if !state.isMissing(key.key), let node = state.node(key.key) {
                // The entry of a table or an array shows everything in it.
                return PropertyEntry(name: name, node: node, isSecret: state.holdsSecret(name, node))
            }
            return key.isRequired || !described.contains(key.key) ? nil : key.defaultEntry
        }
    }

    /// Whether no source has a value for a name, so that the default of its key is in force.
    package func isMissing(_ key: PropertyKey) -> Bool { snapshot.state.isMissing(key) }
}

extension MergedState {
    /// Whether no source has a value for a name. A value that cannot be read is not missing.
    fileprivate func isMissing(_ key: PropertyKey) -> Bool { (node(key)?.isNull ?? true) && cause(of: key) == nil }
}

extension DeclaredKey {
    /// The default as an entry. It is null if there is none, and for a secret.
    package var defaultEntry: PropertyEntry {
        let node = PropertyNode(defaultValue ?? .null, origin: PropertyOrigin(source: Self.defaults))
        return PropertyEntry(name: key.rawValue, node: node, isSecret: isSecret)
    }

    /// The source of values that no other source has.
    private static let defaults = PropertySource(name: "default")
}
