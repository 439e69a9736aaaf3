extension PropertyReading where Properties == Self {
    /// The values in force of all declared settings and keys, sorted by name.
    ///
    ///     for entry in store.values { print(entry) }  // server.port = 8080 (default)
    ///
    /// A setting that no source has is listed with its default, whose origin is called "default". The default of an
    /// optional is null. A required setting without a value is left out. `entries` lists the values of the sources
    /// instead.
    ///
    /// A property whose placeholders have no value is listed with a null, as in `entries`.
    public var values: [PropertyEntry] { snapshot.state.values }

    /// The values in force of all declared settings, as `values`, and all other properties of the sources, sorted by
    /// name.
    package var allValues: [PropertyEntry] {
        let snapshot = snapshot, values = snapshot.values
        let names = Set(
            values.map { PropertyKey($0.name) } + snapshot.declaredKeys.filter(\.isDescribed).map(\.key))
        let others = snapshot.entries.filter { entry in
            let name = PropertyKey(entry.name)
            return !names.contains(name) && names.isDisjoint(with: name.tables)
        }
        return (values + others).sorted(byName: \.name)
    }

    /// The keys that were declared in this store and its parents, sorted by name. They do not show the defaults of secrets.
    package var declaredKeys: [DeclaredKey] { snapshot.state.declarations.keys }
}

extension [PropertyEntry] {
    /// The entries as one JSON object, with the value and the origin of each name, and with secrets masked.
    ///
    ///     store.values.json  // {"server.port": {"value": 8080, "origin": "default"}}
    public var json: String { json(isMasked: { $1.origin.source.isSecret }) }

    /// The object of `json`, in which values under names that are usual for secrets are masked, too.
    package var carefulJson: String {
        json { name, node in node.origin.source.isSecret || name.map(SecretName.looksSecret) == true }
    }

    private func json(isMasked: @escaping (_ name: String?, PropertyNode) -> Bool) -> String {
        let lines = map { entry in
            let origin = JsonString.quoted("\(entry.node.origin)")
            let value = JsonText.text(entry.node, name: entry.name, isMasked: isMasked)
            return "  \(JsonString.quoted(entry.name)): {\"value\": \(value), \"origin\": \(origin)}"
        }
        return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n}"
    }
}
