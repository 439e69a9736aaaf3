import PropertyLoaders

/// The keys of a service, from the JSON Schema that `store.reference(as: .jsonSchema())` prints.
///
/// It declares the keys in a store. So the tool matches the names of the environment, masks secrets, and checks values
/// exactly as the service does.
struct SchemaKeys {
    /// Whether keys that are not in the schema are errors.
    let refusesUnknownKeys: Bool
    private let keys: [KeyAttributes.Declaration]

    /// Loads a schema.
    ///
    /// - Parameter input: the schema as JSON.
    /// - Throws: a `PropertyLoadError` if the schema cannot be loaded, or has a keyword that keys do not have.
    init(_ input: Input) throws {
        let schema = try SchemaNode(try input.document())
        refusesUnknownKeys = if case .bool(false) = schema["additionalProperties"]?.value { true } else { false }
        keys = try schema.keys()
    }

    /// Declares the keys in a store.
    func declare(in store: PropertyStore) {
        for declare in keys { declare(store) }
    }
}

/// A table of keywords.
private struct SchemaNode {
    /// The keywords that `reference(as:)` writes, and those that describe.
    private static let keywords = [
        "$schema", "$id", "$comment", "title", "description", "default", "examples", "type", "properties",
        "additionalProperties", "required", "items", "enum", "minimum", "maximum", "exclusiveMaximum",
    ]

    private let node: PropertyNode
    private let table: PropertyTable

    init(_ node: PropertyNode) throws {
        guard case .table(let table) = node.value else {
            throw Self.error("this is not a schema", node, expected: "a table of keywords")
        }
        for entry in table where !Self.keywords.contains(where: entry.key.isSame) {
            throw PropertyLoadError(
                .unsupported, "'\(entry.key)' is not a keyword that keys have", at: entry.keyOrigin,
                expected: "the keywords that `store.reference(as: .jsonSchema())` writes",
                remedy: "Let the service print its schema, or remove the keyword")
        }
        (self.node, self.table) = (node, table)
    }

    subscript(keyword: String) -> PropertyNode? { table[keyword] }

    /// Returns the keys in a schema of a table.
    ///
    /// - Parameter path: the name of the table, or nil for the root.
    /// - Returns: the declarations of the keys, those of inner tables included.
    /// - Throws: a `PropertyLoadError` if the schema has what keys cannot express.
    func keys(in path: String? = nil) throws -> [KeyAttributes.Declaration] {
        guard let properties = table["properties"] else { return [] }
        guard case .table(let members) = properties.value else {
            throw Self.error("'properties' is not a table", properties, expected: "a table of schemas")
        }
        let required = Set(texts("required").map { PropertyKey($0) })
        return try members.flatMap { entry -> [KeyAttributes.Declaration] in
            let name = path.map { "\($0).\(entry.key)" } ?? entry.key
            let schema = try SchemaNode(entry.node)
            let inner = try schema.keys(in: name)
            guard schema.isKey else { return inner }
            return [try schema.key(name, isRequired: required.contains(PropertyKey(entry.key)))] + inner
        }
    }

    /// Whether the value itself is a key, and not only a table of keys.
    private var isKey: Bool {
        guard table["properties"] != nil else { return true }
        if case .table = table["additionalProperties"]?.value { return true }
        return type.map { !$0.isSame(as: "object") } ?? false
    }

    /// The type, without "null".
    private var type: String? { texts("type").first { !$0.isSame(as: "null") } }

    /// Returns the texts of a keyword whose value is a text or an array of texts.
    private func texts(_ keyword: String) -> [String] {
        let nodes: [PropertyNode] =
            table[keyword].map { if case .array(let nodes) = $0.value { nodes } else { [$0] } } ?? []
        return nodes.compactMap { if case .string(let text) = $0.value { text } else { nil } }
    }

    private func key(_ name: String, isRequired: Bool) throws -> KeyAttributes.Declaration {
        let notes = texts("description").first ?? ""
        let isSecret = notes.ends(with: " Secret.")
        let isNoted = notes.ends(with: " Required.") || notes.ends(with: " Required. Secret.")
        return try declaration(of: KeyAttributes(name: name, isRequired: isRequired || isNoted, isSecret: isSecret))
    }

    private func declaration(of key: KeyAttributes) throws -> KeyAttributes.Declaration {
        if case .array(let cases) = table["enum"]?.value { return key.declaration(cases: cases) }
        switch type {
        case "boolean": return key.declaration(false)
        case "string": return key.declaration(SchemaText(text: ""))
        case "number":
            return key.declaration(0.0, try limits())
        case "integer": return try integer(key)
        case "array": return try collection(of: "items") { key.declaration(arrayOf: $0) }
        case "object": return try collection(of: "additionalProperties") { key.declaration(tableOf: $0) }
        case nil: return key.declaration(PropertyNode(nil))
        case let type?:
            throw Self.error("'\(type)' is not a type of JSON Schema", table["type"] ?? node, expected: "a type")
        }
    }

    private func integer(_ key: KeyAttributes) throws -> KeyAttributes.Declaration {
        let limits: KeyLimits<Int128> = try limits()
        // Types of 64 bits have no maximum; see `SourceConvertible.schema`.
        switch limits {
        case .none: return key.declaration(Int64(0))
        case .from(0): return key.declaration(UInt64(0))
        default: return key.declaration(Int128(0), limits)
        }
    }

    /// The type of integers with the limits of this schema, as in `integer`.
    private func integerType() throws -> any (PropertyConvertible & Sendable).Type {
        let limits: KeyLimits<Int128> = try limits()
        switch limits {
        case .none: return Int64.self
        case .from(0): return UInt64.self
        case .closed(-0x80...0x7F): return Int8.self
        case .closed(-0x8000...0x7FFF): return Int16.self
        case .closed(-0x8000_0000...0x7FFF_FFFF): return Int32.self
        case .closed(0...0xFF): return UInt8.self
        case .closed(0...0xFFFF): return UInt16.self
        case .closed(0...0xFFFF_FFFF): return UInt32.self
        default:
            throw Self.error(
                "elements cannot have these limits", limitNode, expected: "those of a type such as UInt8, or none")
        }
    }

    /// The type of numbers without limits.
    private func numberType() throws -> any (PropertyConvertible & Sendable).Type {
        let limits: KeyLimits<Double> = try limits()
        guard case .none = limits else {
            throw Self.error("elements cannot have these limits", limitNode, expected: "none")
        }
        return Double.self
    }

    /// Returns the limits of a number.
    private func limits<Number: PropertyConvertible & Comparable & Sendable>() throws -> KeyLimits<Number> {
        let lower: Number? = try limit("minimum"), upper: Number? = try limit("maximum")
        guard let limits = KeyLimits(lower, upper, below: try limit("exclusiveMaximum")) else {
            throw Self.error(
                "these limits contradict each other", limitNode,
                expected: "one of 'maximum' and 'exclusiveMaximum', and a smaller 'minimum'")
        }
        return limits
    }

    /// The first limit, for the place of an error.
    private var limitNode: PropertyNode {
        table["minimum"] ?? table["maximum"] ?? table["exclusiveMaximum"] ?? node
    }

    /// Returns the declaration for the type of the elements of an array or a table.
    private func collection(
        of keyword: String,
        _ declaration: (any (PropertyConvertible & Sendable).Type) -> KeyAttributes.Declaration
    ) throws -> KeyAttributes.Declaration {
        guard let elements = table[keyword], case .table = elements.value else {
            return declaration(PropertyNode.self)
        }
        let schema = try SchemaNode(elements)
        return switch schema.type {
        case "boolean": declaration(Bool.self)
        case "integer": declaration(try schema.integerType())
        case "number": declaration(try schema.numberType())
        case "string": declaration(SchemaText.self)
        default: declaration(PropertyNode.self)
        }
    }

    private func limit<Number: PropertyConvertible>(_ keyword: String) throws -> Number? {
        guard let node = table[keyword] else { return nil }
        do throws(PropertyError) {
            return try Number(property: node)
        } catch {
            throw Self.error("'\(keyword)' has the wrong type", node, expected: error.expected)
        }
    }

    private static func error(_ problem: String, _ node: PropertyNode, expected: String) -> PropertyLoadError {
        PropertyLoadError(.unsupported, problem, at: node.origin, expected: expected)
    }
}
