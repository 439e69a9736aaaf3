/// Writes declared keys as a JSON Schema (2020-12) of the files that set them.
///
/// For a document without placeholders, the schema never refuses what the service accepts. Keywords that begin with
/// `x-` are not of JSON Schema. By them a program that has the conversions of the service judges values as the service
/// does.
struct JsonSchemaReference {
    let refusesUnknownKeys: Bool
    /// What is declared.
    let declared: Declarations
    /// Whether the keys are those of a table inside a value, in which every table is one of settings.
    private var isInside = false
    /// The types that contain themselves.
    private let recursive: [ObjectIdentifier: (name: String, schema: SettingsSchema)]

    init(_ declared: Declarations, refusesUnknownKeys: Bool) {
        (self.declared, self.refusesUnknownKeys) = (declared, refusesUnknownKeys)
        recursive = Self.recursive(declared.keys)
    }

    private typealias Member = (path: ArraySlice<String>, key: DeclaredKey)

    /// Returns the schema of declared keys as JSON.
    func text(of keys: [DeclaredKey]) -> String {
        let keywords = [("$schema", PropertyValue.string("https://json-schema.org/draft/2020-12/schema"))]
        let table = keywords + [("type", "object")] + table(of: Self.members(keys), at: nil) + definitions
        return JsonText.text(PropertyNode(.table(PropertyTable(table))), layout: .lines) + "\n"
    }

    private static func members(_ keys: [DeclaredKey]) -> [Member] {
        keys.map { key in (key.key.rawValue.parts(between: ".").map { String($0) }[...], key) }
    }

    /// Returns the schema of a table with the given members, without its type. The root has no name.
    private func table(of members: [Member], at name: String?) -> [(String, PropertyValue)] {
        var groups: [(name: String, members: [Member])] = []
        var places: [PropertyKey: Int] = [:]
        for member in members {
            guard let first = member.path.first else { continue }
            let place = places[PropertyKey(first)] ?? groups.count
            places[PropertyKey(first)] = place
            if place == groups.count { groups.append((first, [])) }
            groups[place].members.append((member.path.dropFirst(), member.key))
        }
        let properties = groups.map { group in
            let schema = schema(of: group.members, at: name.joined(path: ".\(group.name)"))
            return (group.name, PropertyValue.table(PropertyTable(schema)))
        }
        var keywords: [(String, PropertyValue)] = [("properties", .table(PropertyTable(properties)))]
        guard refusesUnknownKeys else { return keywords }
        // A key with a dot may be the name of a key of an inner table. At the root, the key of the schema is no property.
        if name == nil { keywords.append(("patternProperties", ["\\.|^\\$schema$": [:]])) }
        if name != nil, members.contains(where: { $0.path.count > 1 }) {
            keywords.append(("patternProperties", ["\\.": [:]]))
        }
        return keywords + [("additionalProperties", false)]
    }

    /// Returns the schema of one key of a table: a property, a table of properties, or both.
    private func schema(of members: [Member], at name: String) -> [(String, PropertyValue)] {
        let inner = members.filter { !$0.path.isEmpty }
        guard let key = members.first(where: \.path.isEmpty)?.key else {
            let isTable = isInside || declared.place(PropertyKey(name)).isTableOfSettings
            // If unknown keys are accepted, so is a value instead of a table of keys, which is an unknown key.
            let type: [(String, PropertyValue)] = isTable || refusesUnknownKeys ? [("type", ["object", "null"])] : []
            return type + (isTable ? [("x-table", true)] : []) + table(of: inner, at: name)
        }
        let keywords = keywords(of: key)
        guard !inner.isEmpty else { return keywords }
        // The type of the key decides which other keys the table may have.
        let known = Set(keywords.map(\.0)).union(["patternProperties", "additionalProperties"])
        return keywords + table(of: inner, at: name).filter { !known.contains($0.0) } + [("x-key", true)]
    }

    private func keywords(of key: DeclaredKey) -> [(String, PropertyValue)] {
        // A later keyword replaces an earlier one, so the limits of a key replace those of its type. A null hides the
        // value of an earlier source, or means the default.
        let schema = schema(of: key.form) + key.keywords
        var keywords = PropertyValue.nullable(PropertyTable(schema).uniqueEntries.map { ($0.key, $0.node.value) })
        let attributes = (key.isRequired ? " Required." : "") + (key.isSecret ? " Secret." : "")
        keywords.append(("description", .string(key.sentences + attributes)))
        // No file can contain a Swift value.
        if let value = key.defaultValue, !PropertyNode(value).isOpaque { keywords.append(("default", value)) }
        if key.isRequired { keywords.append(("x-required", true)) }
        if key.isSecret { keywords.append(("x-secret", true)) }
        return keywords
    }
}

// MARK: - Forms

extension JsonSchemaReference {
    /// Returns the schema of the values of a form.
    private func schema(of form: Form) -> [(String, PropertyValue)] {
        switch form {
        case .table(let reference): schema(of: reference.schema)
        case .optional(let form): PropertyValue.nullable(schema(of: form))
        case .array(let form): [("type", "array"), ("items", .table(PropertyTable(schema(of: form))))]
        // Each value may be null: reading leaves such an entry out.
        case .dictionary(let form, let keys):
            [("type", "object")]
                + [("additionalProperties", .table(PropertyTable(PropertyValue.nullable(schema(of: form)))))]
                + (PropertyValue.keys(keys).map { [("x-keys", $0)] } ?? [])
        case .value(let type): PropertyValue.schema(of: type)
        }
    }

    /// Returns the schema of a table of settings. A type that contains itself is referred to.
    private func schema(of schema: SettingsSchema) -> [(String, PropertyValue)] {
        if let name = recursive[ObjectIdentifier(schema)]?.name { return [("$ref", .string("#/$defs/\(name)"))] }
        return definition(of: schema)
    }

    private func definition(of schema: SettingsSchema) -> [(String, PropertyValue)] {
        var inner = self
        inner.isInside = true
        return [("type", "object"), ("x-settings", true)]
            + inner.table(of: Self.members(SettingsKeys(schema, at: nil).keys), at: "[]")
    }

    /// The schemas of the types that contain themselves, by name.
    private var definitions: [(String, PropertyValue)] {
        let all = recursive.values.map { ($0.name, PropertyValue.table(PropertyTable(definition(of: $0.schema)))) }
        return all.isEmpty ? [] : [("$defs", .table(PropertyTable(all.sorted { $0.0.precedes($1.0) })))]
    }

    /// Returns the schemas of the types in some keys that contain themselves, each with a name of its own.
    private static func recursive(
        _ keys: [DeclaredKey]
    ) -> [ObjectIdentifier: (name: String, schema: SettingsSchema)] {
        var seen: Set<ObjectIdentifier> = [], rest = keys.flatMap(\.forms).flatMap(\.references).map(\.schema)
        var all: [ObjectIdentifier: (name: String, schema: SettingsSchema)] = [:], names: Set<String> = []
        while let schema = rest.popLast() {
            guard seen.insert(ObjectIdentifier(schema)).inserted else { continue }
            rest += schema.fields.flatMap(\.form.references).map(\.schema)
            guard schema.isRecursive else { continue }
            var name = schema.name, number = 1
            while !names.insert(name).inserted {
                number += 1
                name = "\(schema.name)\(number)"
            }
            all[ObjectIdentifier(schema)] = (name, schema)
        }
        return all
    }
}
