package import PropertyLoaders

/// The keys of a service, from the JSON Schema that `store.jsonSchema()` prints.
///
/// It declares the keys in a store. So the tool matches the names of the environment, masks secrets, and checks values
/// exactly as the service does.
package struct SchemaKeys: Sendable {
    /// Whether keys that are not in the schema are errors.
    package let refusesUnknownKeys: Bool
    private var keys: [TypedKey<PropertyNode>] = []
    /// The names of the tables of settings types.
    private var tables: [String] = []

    /// Loads a schema.
    ///
    /// - Parameter input: the schema as JSON.
    /// - Throws: a `PropertyLoadError` if the schema cannot be loaded, or has a keyword that keys do not have.
    init(_ input: Input) throws { try self.init(try input.document()) }

    /// Creates the keys of a schema.
    ///
    /// - Parameter document: the schema.
    /// - Throws: a `PropertyLoadError` if the schema has a keyword that keys do not have.
    package init(_ document: PropertyNode) throws {
        let schema = try SchemaNode(document)
        refusesUnknownKeys = schema.isFalse("additionalProperties")
        try schema.collect(&keys, &tables)
    }

    /// The keys, of which no secret one is required.
    var withoutRequiredSecrets: SchemaKeys {
        var schema = self
        for index in keys.indices where keys[index].isSecret { schema.keys[index] = keys[index].withoutRequirement }
        return schema
    }

    /// Whether one of the keys has a name, in any case.
    func hasKey(_ name: String) -> Bool { keys.contains { $0.key.rawValue.lowercased().isSame(as: name) } }

    /// Declares the keys in a store.
    package func declare(in store: PropertyStore) { store.declare(keys, tables: tables) }
}

/// A table of keywords.
private struct SchemaNode {
    /// The keywords that `jsonSchema` writes, and those that describe. Keywords that begin with `x-` are allowed,
    /// too.
    private static let keywords = [
        "$schema", "$id", "$comment", "$defs", "$ref", "title", "description", "default", "examples", "type", "properties",
        "patternProperties", "additionalProperties", "required", "items", "enum", "minimum", "maximum",
        "exclusiveMaximum",
    ]

    private let node: PropertyNode
    private let table: PropertyTable
    /// The schemas of the types that contain themselves.
    private let definitions: SchemaDefinitions

    init(_ document: PropertyNode) throws { try self.init(document, SchemaDefinitions(document)) }

    fileprivate init(_ node: PropertyNode, _ definitions: SchemaDefinitions) throws {
        self.definitions = definitions
        guard case .table(let table) = node.value else {
            throw Self.error("this is not a schema", node, expected: "a table of keywords")
        }
        for entry in table where !Self.isKnown(entry.key, in: table) {
            throw PropertyLoadError(
                .unsupported, "'\(entry.key)' is not a keyword that keys have", at: entry.keyOrigin,
                expected: "the keywords that `store.jsonSchema()` writes",
                remedy: "Let the service print its schema, or remove the keyword")
        }
        (self.node, self.table) = (node, table)
    }

    private static func isKnown(_ keyword: String, in table: PropertyTable) -> Bool {
        // The conversion of the named type does more than the pattern.
        if keyword.isSame(as: "pattern") { return table["x-type"] != nil }
        return keyword.begins(with: "x-") || keywords.contains(where: keyword.isSame)
    }

    subscript(keyword: String) -> PropertyNode? { table[keyword] }

    /// Collects the keys, and the names of the tables of settings types, in a schema of a table.
    ///
    /// - Parameters:
    ///   - keys: the list to which the keys are added, those of inner tables included.
    ///   - tables: the list to which the names are added.
    ///   - path: the name of the table, or nil for the root.
    /// - Throws: a `PropertyLoadError` if the schema has what keys cannot express.
    func collect(_ keys: inout [TypedKey<PropertyNode>], _ tables: inout [String], in path: String? = nil) throws {
        for (name, schema, isRequired) in try members() {
            let name = path.map { "\($0).\(name)" } ?? name
            if schema.isKey { keys.append(try schema.key(name, isRequired: isRequired)) }
            if schema.isTrue("x-table") { tables.append(name) }
            if !schema.isWhole { try schema.collect(&keys, &tables, in: name) }
        }
    }

    /// The names and schemas of the properties.
    private func members() throws -> [(name: String, schema: SchemaNode, isRequired: Bool)] {
        guard let properties = table["properties"] else { return [] }
        guard case .table(let members) = properties.value else {
            throw Self.error("'properties' is not a table", properties, expected: "a table of schemas")
        }
        let required = Set(texts("required").map { PropertyKey($0) })
        return try members.map { entry in
            let schema = try SchemaNode(entry.node, definitions)
            return (entry.key, schema, required.contains(PropertyKey(entry.key)) || schema.isTrue("x-required"))
        }
    }

    /// Whether the value itself is a key, and not only a table of keys.
    private var isKey: Bool {
        guard table["properties"] != nil else { return true }
        if isTrue("x-settings") { return true }
        if table["x-expected"] != nil || isTrue("x-key") { return true }
        if case .table = table["additionalProperties"]?.value { return true }
        return type.map { !$0.isSame(as: "object") } ?? false
    }

    /// Whether the properties are parts of one value, and not keys.
    private var isWhole: Bool {
        if isTrue("x-settings") { return true }
        return table["x-expected"] != nil && type?.isSame(as: "object") == true && !isTrue("x-key")
    }

    /// The type, without "null".
    private var type: String? { texts("type").first { !$0.isSame(as: "null") } }

    private func isTrue(_ keyword: String) -> Bool {
        if case .bool(true) = table[keyword]?.value { true } else { false }
    }

    func isFalse(_ keyword: String) -> Bool {
        if case .bool(false) = table[keyword]?.value { true } else { false }
    }

    /// Returns the texts of a keyword whose value is a text or an array of texts.
    private func texts(_ keyword: String) -> [String] {
        let nodes: [PropertyNode] =
            table[keyword].map { if case .array(let nodes) = $0.value { nodes } else { [$0] } } ?? []
        return nodes.compactMap { if case .string(let text) = $0.value { text } else { nil } }
    }

    private func key(_ name: String, isRequired: Bool) throws -> TypedKey<PropertyNode> {
        let conversion = try conversion()
        return TypedKey(
            name, expected: noun(of: conversion), isRequired: isRequired, default: table["default"]?.value,
            isSecret: isTrue("x-secret"), form: try form(), convert: conversion.convert)
    }

    private static func error(_ problem: String, _ node: PropertyNode, expected: String) -> PropertyLoadError {
        PropertyLoadError(.unsupported, problem, at: node.origin, expected: expected)
    }
}

// MARK: - Conversions

extension SchemaNode {
    /// The noun for the values of a conversion.
    private func noun(of conversion: SchemaConversion) -> String {
        texts("x-expected").first ?? conversion.noun
    }

    /// Returns the conversion of the values.
    private func conversion() throws -> SchemaConversion {
        if let reference = texts("$ref").first {
            let definition = try definitions.schema(reference, at: node)
            return SchemaConversion(noun: "a table") { node throws(PropertyError) in
                guard let conversion = try? definition().conversion() else { return }
                try conversion.convert(node)
            }
        }
        let allowsNull = texts("type").contains { $0.isSame(as: "null") }
        if case .array(let cases) = table["enum"]?.value { return try conversion(cases: cases.map(\.value)) }
        let conversion =
            switch type {
            case "array": try arrayConversion()
            case "object": try tableConversion()
            case nil: SchemaConversion.any
            case let type?: try SchemaConversion.type(swiftType(type), limits(of: swiftType(type)))
            }
        return allowsNull ? conversion.nullable : conversion
    }

    private func conversion(cases: [PropertyValue]) throws -> SchemaConversion {
        let values = cases.filter { if case .null = $0 { false } else { true } }
        let type = try namedType() ?? values.first.flatMap { SchemaType(of: $0) }
        guard let type else {
            throw Self.error("these values have no type", table["enum"] ?? node, expected: "texts or numbers")
        }
        let conversion = SchemaConversion.cases(values, of: type)
        return values.count < cases.count ? conversion.nullable : conversion
    }

    /// Returns what leads to the settings inside the values.
    func form() throws -> SchemaForm {
        let form = try unwrappedForm()
        return texts("type").contains { $0.isSame(as: "null") } ? form.optional : form
    }

    private func unwrappedForm() throws -> SchemaForm {
        if let reference = texts("$ref").first {
            let definition = try definitions.schema(reference, at: node)
            // A type that contains itself is read when it is needed. Its keywords are checked by the conversion.
            return .table { (try? definition().fields()) ?? [] }
        }
        if isTrue("x-settings") {
            let fields = try fields()
            return .table { fields }
        }
        if let items = table["items"], case .table = items.value {
            return try SchemaNode(items, definitions).form().array
        }
        if let values = table["additionalProperties"], case .table = values.value {
            return try SchemaNode(values, definitions).form().dictionary
        }
        return .value
    }

    /// The settings of a table.
    fileprivate func fields() throws -> [SchemaForm.Field] {
        try members().map { name, schema, _ in
            let form = try schema.isTrue("x-table") ? schema.tableForm() : schema.form()
            return SchemaForm.Field(name, form, isSecret: schema.isTrue("x-secret"))
        }
    }

    private func tableForm() throws -> SchemaForm {
        let fields = try fields()
        return .table { fields }
    }

    private func arrayConversion() throws -> SchemaConversion {
        guard let items = table["items"], case .table = items.value else {
            return .array(of: .any, isBytes: false)
        }
        let element = try SchemaNode(items, definitions)
        return .array(of: try element.conversion(), isBytes: try element.namedType()?.isByte ?? false)
    }

    private func tableConversion() throws -> SchemaConversion {
        if table["properties"] != nil, !isTrue("x-key") {
            return .table(
                of: try members().map { name, schema, isRequired in
                    let conversion = try schema.conversion()
                    return SchemaConversion.Field(
                        name: name, isRequired: isRequired, noun: schema.noun(of: conversion), conversion: conversion)
                }, refusesUnknownKeys: isFalse("additionalProperties"))
        }
        let keys: SchemaTableKeys =
            switch table["x-keys"]?.value {
            case .string?: .integers
            case .array?: .cases(texts("x-keys"))
            default: .texts
            }
        guard let values = table["additionalProperties"], case .table = values.value else {
            return .table(of: .any, keys: keys)
        }
        return .table(of: try SchemaNode(values, definitions).conversion(), keys: keys)
    }

    private func swiftType(_ json: String) throws -> SchemaType {
        if let type = try namedType() ?? SchemaType(json: json) { return type }
        throw Self.error("'\(json)' is not a type of JSON Schema", table["type"] ?? node, expected: "a type")
    }

    private func namedType() throws -> SchemaType? {
        guard let name = texts("x-type").first else { return nil }
        if let type = SchemaType(named: name) { return type }
        throw PropertyLoadError(
            .unsupported, "'\(name)' is not a type that this tool has", at: table["x-type"]?.origin ?? node.origin,
            remedy: "Use the tool of the version of the package that the service has")
    }

    /// Returns the limits, or nil if there are none.
    private func limits(of type: SchemaType) throws -> SchemaLimits? {
        let lower = try limit("minimum", type), upper = try limit("maximum", type)
        let bound = try limit("exclusiveMaximum", type)
        if lower == nil, upper == nil, bound == nil { return nil }
        // Next to an exclusive maximum of our own there is a maximum for other programs.
        return SchemaLimits(lower: lower, upper: bound ?? upper, excludesUpper: bound != nil)
    }

    /// Returns a limit, of which the keyword that begins with `x-` is the exact one.
    private func limit(_ keyword: String, _ type: SchemaType) throws -> PropertyNode? {
        guard let node = table["x-" + keyword] ?? table[keyword] else { return nil }
        var limit = node
        // The text of a limit is converted like that of a source without types.
        if case .string(let text) = node.value, table["x-" + keyword] != nil {
            limit = PropertyNode(.text(text), origin: node.origin)
        }
        do throws(PropertyError) {
            _ = try type.accepts(limit, nil)
        } catch {
            throw Self.error("'\(keyword)' has the wrong type", node, expected: error.expected)
        }
        return limit
    }
}

/// The schemas that others refer to, because their types contain themselves.
private struct SchemaDefinitions {
    private let all: PropertyTable

    init(_ document: PropertyNode) {
        guard case .table(let table) = document.value, case .table(let all) = table["$defs"]?.value else {
            self.all = PropertyTable()
            return
        }
        self.all = all
    }

    /// Returns a function that reads the schema that a reference means.
    func schema(_ reference: String, at node: PropertyNode) throws -> @Sendable () throws -> SchemaNode {
        let start = "#/$defs/"
        guard reference.hasPrefix(start), let found = all[String(reference.dropFirst(start.count))] else {
            throw PropertyLoadError(
                .unsupported, "'$ref' refers to nothing", at: node.origin, expected: "one of '$defs'")
        }
        return { try SchemaNode(found, self) }
    }
}
