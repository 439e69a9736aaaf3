/// Writes declared keys as a JSON Schema (2020-12) of the files that set them.
///
/// For a document without placeholders, the schema never refuses what the service accepts. The keywords `x-secret` and
/// `x-renamed`, which are not in JSON Schema, name the secrets and the renamed settings for the command-line tool.
struct JsonSchemaReference {
    private var refusesUnknownKeys: Bool
    private let declarations: Declarations
    /// The flat name of the value whose form is described. Nil in an array or a dictionary.
    private var flatName: String?
    /// Whether the keys are in a table inside a declared value. All tables there are tables of settings.
    private var isInsideValue = false
    /// The schemas that the current one is inside, from the outermost.
    private var enclosingSchemas: [Schema] = []

    init(_ declarations: Declarations, refusesUnknownKeys: Bool) {
        (self.declarations, self.refusesUnknownKeys) = (declarations, refusesUnknownKeys)
    }

    /// A declared value in a table that is described, under its name or under a former name.
    private struct Member {
        /// The path from the table to the value.
        var path: ArraySlice<String>
        let key: DeclaredKey
        /// Whether the path is a former name. The key has the current name.
        var isFormer = false
    }

    /// The schema of all declared keys as JSON, which ends with a line break.
    var text: String {
        let keywords = [("$schema", PropertyValue.string("https://json-schema.org/draft/2020-12/schema"))]
        let table = keywords + [("type", "object")] + table(of: Self.members(declarations.keys), at: nil)
        return JsonText.text(PropertyNode(.table(PropertyTable(table))), layout: .lines) + "\n"
    }

    private static func members(_ keys: [DeclaredKey]) -> [Member] {
        keys.map { Member(path: $0.key.rawValue.path[...], key: $0) }
            + keys.flatMap { key in
                key.notes.formerNames.map { Member(path: $0.path[...], key: key, isFormer: true) }
            }
    }

    /// Returns the members of a table by the first keys of their paths, without these keys, in the order of the members.
    private static func groups(_ members: [Member]) -> [(name: String, members: [Member])] {
        var groups: [(name: String, members: [Member])] = []
        var indices: [PropertyKey: Int] = [:]
        for member in members {
            guard let first = member.path.first else { continue }
            let index = indices[PropertyKey(first)] ?? groups.count
            if index == groups.count { groups.append((first, [])) }
            indices[PropertyKey(first)] = index
            groups[index].members.append(
                Member(path: member.path.dropFirst(), key: member.key, isFormer: member.isFormer))
        }
        return groups
    }

    /// Returns the schema of a table with the given members, without its type.
    ///
    /// - Parameters:
    ///   - members: the values in the table, also in tables inside it.
    ///   - name: the flat name of the table, or nil for the root. Inside a value, it begins with `[]`, which no property has.
    /// - Returns: the keywords.
    private func table(of members: [Member], at name: String?) -> [(String, PropertyValue)] {
        let properties = Self.groups(members).map { group in
            let schema = schema(of: group.members, at: name.joined(path: ".\(group.name)"))
            return (group.name, PropertyValue.table(PropertyTable(schema)))
        }
        var keywords: [(String, PropertyValue)] = [("properties", .table(PropertyTable(properties)))]
        guard refusesUnknownKeys else { return keywords }
        // A key with a dot may be the name of a key of an inner table. At the root, the key `$schema` is not a
        // property.
        if name == nil { keywords.append(("patternProperties", ["\\.|^\\$schema$": [:]])) }
        if name != nil, members.contains(where: { $0.path.count > 1 }) {
            keywords.append(("patternProperties", ["\\.": [:]]))
        }
        return keywords + [("additionalProperties", false)]
    }

    /// Returns the schema of one key of a table: a property, a table of properties, or both.
    private func schema(of members: [Member], at name: String) -> [(String, PropertyValue)] {
        let inner = members.filter { !$0.path.isEmpty }
        guard let member = members.first(where: \.path.isEmpty) else {
            let isTable = isInsideValue || declarations.node(PropertyKey(name)).isTableOfSettings
            // If unknown keys are accepted, a value instead of a table of keys is accepted, too, because it is an
            // unknown key.
            let type: [(String, PropertyValue)] = isTable || refusesUnknownKeys ? [("type", ["object", "null"])] : []
            return type + table(of: inner, at: name)
        }
        let key = member.key
        if member.isFormer { return formerKeywords(of: key) }
        guard !inner.isEmpty else { return keywords(of: key) }
        // Keys that are declared by name inside the value are valid, too, beside its settings.
        var open = self
        open.refusesUnknownKeys = refusesUnknownKeys && !key.form.hasSettings
        // A table with these keys may stand in place of a value that is no table.
        let own = open.keywords(of: key).filter { key.form.isTable || !["type", "enum"].contains($0.0) }
        let names = open.table(of: inner, at: name).filter { $0.0 == "properties" }
        guard case .table(let more)? = names.first?.1,
            case .table(let listed)? = PropertyTable(own)["properties"]?.value
        else { return own + names }
        let all = PropertyTable(entries: listed.entries + more.entries)
        return own.filter { $0.0 != "properties" } + [("properties", .table(all))]
    }

    /// Returns the keywords of a value under a former name of its setting.
    private func formerKeywords(of key: DeclaredKey) -> [(String, PropertyValue)] {
        let own = keywords(of: key).filter { !["description", "default"].contains($0.0) }
        let name = key.key.rawValue
        let former: [(String, PropertyValue)] = [
            ("description", .string("Renamed to '\(name)'.")), ("deprecated", true),
        ]
        // Inside an array or a dictionary, the name has no beginning that the command-line tool could use.
        return own + former + (isInsideValue ? [] : [("x-renamed", .string(name))])
    }

    private func keywords(of key: DeclaredKey) -> [(String, PropertyValue)] {
        // A later keyword replaces an earlier one, so the limits of a key replace the limits of its type. A null hides
        // the value of an earlier source, or means the default.
        var value = self
        value.flatName = isInsideValue ? flatName.map { "\($0).\(key.key)" } : key.key.rawValue
        let schema = value.schema(of: key.form) + key.keywords
        var keywords = PropertyValue.nullable(PropertyTable(schema).uniqueEntries.map { ($0.key, $0.node.value) })
        let attributes = (key.isRequired ? " Required." : "") + (key.isSecret ? " Secret." : "")
        keywords.append(("description", .string(key.sentences + attributes)))
        if let value = key.defaultValue, Self.isShown(PropertyNode(value)) { keywords.append(("default", value)) }
        if key.isSecret { keywords.append(("x-secret", true)) }
        return keywords
    }

    /// Whether a default is in the schema. No file can contain a Swift value, and a URL with a masked password would be
    /// another default.
    private static func isShown(_ node: PropertyNode) -> Bool {
        !node.isOpaque && JsonText.text(node).isSame(as: JsonText.text(node, isMasked: nil))
    }
}

// MARK: - Forms

extension JsonSchemaReference {
    /// Returns the schema of the values of a form.
    private func schema(of form: Form) -> [(String, PropertyValue)] {
        switch form {
        case .table(let table): schema(of: table)
        case .optional(let form): PropertyValue.nullable(schema(of: form))
        case .array(let form):
            [("type", "array"), ("items", .table(PropertyTable(withoutFlatName.schema(of: form))))]
        // Each value may be null: reading leaves the entry out.
        case .dictionary(let form, let keys):
            [("type", "object")] + Self.names(keys, hasParts: form.hasParts) + [
                (
                    "additionalProperties",
                    .table(PropertyTable(PropertyValue.nullable(withoutFlatName.schema(of: form))))
                )
            ]
        case .value(let type): PropertyValue.schema(of: type)
        }
    }

    /// Returns the keyword for the keys of a dictionary, which is empty unless they are the cases of an enum.
    ///
    /// - Parameters:
    ///   - type: the type of the keys.
    ///   - hasParts: whether a value may be a table. A key with a dot may then be the name of a part of a value.
    /// - Returns: the keyword.
    private static func names(_ type: Any.Type, hasParts: Bool) -> [(String, PropertyValue)] {
        let cases = PropertyValue.caseValues(type) ?? []
        // A key is equal to a case in any Unicode normalisation, and to an integer in any spelling.
        let isExact = cases.allSatisfy {
            if case .string(let text) = $0 { text.utf8.allSatisfy { $0 < 0x80 } } else { false }
        }
        guard !cases.isEmpty, isExact else { return [] }
        let names = PropertyValue.table(PropertyTable(PropertyValue.schema(of: type)))
        return [("propertyNames", hasParts ? ["anyOf": [names, ["pattern": "\\."]]] : names)]
    }

    /// The same reference for the values in an array or a dictionary, which have no flat name.
    private var withoutFlatName: JsonSchemaReference {
        var other = self
        other.flatName = nil
        return other
    }

    /// Returns the schema of a table of settings. A type that contains itself is described once. Inside, it has the
    /// schema of any table.
    private func schema(of schema: Schema) -> [(String, PropertyValue)] {
        if enclosingSchemas.contains(where: { $0 === schema }) {
            return [("type", "object")] + (schema.traits.contains(.secrets) ? [("x-secret", true)] : [])
        }
        var inner = self
        inner.isInsideValue = true
        inner.enclosingSchemas.append(schema)
        return [("type", "object")]
            + inner.table(of: Self.members(declarations.settings(of: schema, at: flatName)), at: "[]")
    }
}

extension Form {
    /// Whether a value may be a table.
    fileprivate var hasParts: Bool {
        guard case .value(let type) = unwrapped else { return true }
        return !(type is any SourceConvertible.Type) && PropertyValue.cases(of: type).isEmpty
    }
}
