/// Writes declared keys as a JSON Schema of the files that set them.
///
/// It is draft-07, the newest one that VS Code and taplo (an editor's server for TOML) both support completely.
struct JsonSchemaReference {
    let refusesUnknownKeys: Bool

    private typealias Member = (path: ArraySlice<String>, key: DeclaredKey)

    func text(of keys: [DeclaredKey]) -> String {
        let keywords = [("$schema", PropertyValue.string("http://json-schema.org/draft-07/schema#"))]
        let schema = PropertyNode(.table(PropertyTable(keywords + table(of: keys))))
        return JsonText.text(schema, layout: .lines) + "\n"
    }

    /// Returns the schema of a table with the given keys.
    private func table(of keys: [DeclaredKey]) -> [(String, PropertyValue)] {
        table(of: keys.map { key -> Member in (key.key.rawValue.parts(between: ".").map { String($0) }[...], key) })
    }

    /// Returns the schema of a table with the given members.
    private func table(of members: [Member]) -> [(String, PropertyValue)] {
        var groups: [(name: String, members: [Member])] = []
        var places: [PropertyKey: Int] = [:]
        for member in members {
            guard let first = member.path.first else { continue }
            let place = places[PropertyKey(first)] ?? groups.count
            places[PropertyKey(first)] = place
            if place == groups.count { groups.append((first, [])) }
            groups[place].members.append((member.path.dropFirst(), member.key))
        }
        let properties = groups.map { ($0.name, PropertyValue.table(PropertyTable(schema(of: $0.members)))) }
        return [("type", "object"), ("properties", .table(PropertyTable(properties)))]
            + (refusesUnknownKeys ? [("additionalProperties", false)] : [])
    }

    /// Returns the schema of one key of a table: a property, a table of properties, or both.
    private func schema(of members: [Member]) -> [(String, PropertyValue)] {
        let inner = members.filter { !$0.path.isEmpty }
        guard let key = members.first(where: \.path.isEmpty)?.key else { return table(of: inner) }
        let keywords = keywords(of: key)
        let known = Set(keywords.map(\.0))
        return keywords + (inner.isEmpty ? [] : table(of: inner).filter { !known.contains($0.0) })
    }

    private func keywords(of key: DeclaredKey) -> [(String, PropertyValue)] {
        // A later keyword replaces an earlier one, so the limits of a key replace those of its type.
        let items = PropertyValue.table(PropertyTable(table(of: key.elements)))
        let schema = key.schema + (key.elements.isEmpty ? [] : [("items", items)])
        var keywords = PropertyTable(schema).uniqueEntries.map { ($0.key, $0.node.value) }
        let attributes = (key.isRequired ? " Required." : "") + (key.isSecret ? " Secret." : "")
        keywords.append(("description", .string(key.sentences + attributes)))
        if let value = key.defaultValue, !value.isOpaque { keywords.append(("default", value)) }
        return keywords
    }
}

extension PropertyValue {
    /// Whether it is a Swift value that no file can contain.
    fileprivate var isOpaque: Bool {
        if case .opaque = self { true } else { false }
    }
}
