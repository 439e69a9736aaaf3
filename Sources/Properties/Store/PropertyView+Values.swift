/// The origin of values that no source has.
private let defaults = PropertySource(name: "default")

extension PropertyView {
    /// The values in force of all declared settings and keys, sorted by name.
    ///
    ///     for entry in store.values { print(entry) }  // server.port = 8080 (default)
    ///
    /// A setting that no source has is listed with its default, whose origin is called "default". That of an optional
    /// is null. A required setting without a value is left out. `entries` lists what the sources have instead.
    public var values: [PropertyEntry] {
        let state = snapshot.state
        // Of a name that was only declared secret, nothing is known unless a source has it.
        let described = Set(state.declarations.filter(\.isDescribed).map(\.key))
        return declaredKeys.compactMap { key in
            let name = key.key.rawValue
            if let node = state.node(key.key), !node.isNull {
                // The entry of a table or an array shows everything in it.
                return PropertyEntry(name: name, node: node, isSecret: state.holdsSecret(name, node))
            }
            if key.isRequired || !described.contains(key.key) { return nil }
            let node = PropertyNode(key.defaultValue ?? .null, origin: PropertyOrigin(source: defaults))
            return PropertyEntry(name: name, node: node, isSecret: key.isSecret)
        }
    }
}
