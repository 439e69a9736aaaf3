package import PropertyLoaders

/// The names that a service reads, from the JSON Schema that it writes.
///
/// Only the service has the conversions of its types, so the tool does not judge values.
package struct Schema {
    /// Whether names that the schema does not have are errors.
    let refusesOthers: Bool
    let root: SchemaNode
    /// The flat names of all values. The contents of arrays and dictionaries have none.
    let names: [SchemaNode.Named]

    /// Loads a schema.
    ///
    /// - Parameter input: the schema as JSON.
    /// - Throws: a `PropertyLoadError` if the schema cannot be loaded, or has a keyword that the tool does not follow.
    init(_ input: Input) throws { try self.init(try input.document()) }

    /// Creates the names of a schema.
    ///
    /// - Parameter document: the schema.
    /// - Throws: a `PropertyLoadError` if it is not a schema, or has a keyword that the tool does not follow.
    package init(_ document: PropertyNode) throws {
        let keywords = try SchemaNode.keywords(document)
        refusesOthers = SchemaNode.isFalse(keywords["additionalProperties"])
        root = try SchemaNode(keywords, isStrict: refusesOthers)
        names = root.names(in: nil)
    }

    /// Returns whether the value of a flat name is secret, or nil if the schema does not list the name.
    ///
    /// - Parameter name: the name, with `[]` for an element of an array.
    /// - Returns: whether it is secret, or nil.
    func isSecret(_ name: String) -> Bool? {
        var path: [Substring] = []
        for part in name.parts(between: ".") {
            let key = part.prefix { $0 != "[" }
            path.append(key)
            path += Array(repeating: "[]", count: (part.utf8.count - key.utf8.count) / 2)
        }
        return root.isSecret(path[...])
    }

    /// The names of the secrets, as a text may spell them.
    var secretNames: SecretNames { SecretNames(root) }

    /// Returns an error for each name in a store that the schema does not have.
    package func unknownNames(in store: PropertyStore) -> [PropertyError] {
        UnknownNames(in: store, self, shared: []).errors
    }

    /// Declares the names in a store, which matches the names of the environment with them, and masks secrets.
    package func declare(in store: PropertyStore) {
        let current = names.filter { $0.current == nil }
        store.declare(current.map { TypedKey($0.name, default: PropertyNode(.null), isSecret: $0.isSecret) })
        store.declare(former: names.compactMap { name in name.current.map { (name.name, $0) } })
    }
}

/// The names in one value, as a schema declares them.
final class SchemaNode: Sendable {
    /// A value with its flat name.
    struct Named {
        let name: String
        let isSecret: Bool
        /// The name that the setting has now, if this is a former one.
        let current: String?
    }

    /// The node of a value for which the schema declares no names.
    private static let any = SchemaNode()
    /// Keywords that refer to names in another part of a schema. The schemas of services do not use them.
    private static let unfollowed = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"]
    /// The maximum number of parts of a name in a dictionary. A longer name is taken to be secret.
    private static let longestPath = 50

    private let isSecret: Bool
    private let current: String?
    /// The listed names of a table, in their order.
    private let listed: [(name: String, node: SchemaNode)]
    private let members: [PropertyKey: SchemaNode]
    /// The node of the names that are not listed, or nil if there must be none.
    private let others: SchemaNode?
    private let items: SchemaNode?

    private init() { (isSecret, current, listed, members, others, items) = (false, nil, [], [:], nil, nil) }

    /// Creates the node of a schema.
    ///
    /// - Parameters:
    ///   - keywords: the schema.
    ///   - isStrict: whether a table may have other names than the listed names unless `additionalProperties` is false.
    ///     Otherwise a table that lists names has no other names.
    /// - Throws: a `PropertyLoadError` if the schema has a keyword that the tool does not follow.
    fileprivate init(_ keywords: PropertyTable, isStrict: Bool) throws {
        func node(_ schema: PropertyNode) throws -> SchemaNode {
            try SchemaNode(Self.keywords(schema), isStrict: isStrict)
        }
        let properties = try keywords["properties"].map { try Self.table($0, "'properties' is not a table") }
        let additional = keywords["additionalProperties"]
        listed = try properties?.map { (name: $0.key, node: try node($0.node)) } ?? []
        members = Dictionary(listed.map { (PropertyKey($0.name), $0.node) }) { $1 }
        items = try keywords["items"].map { try node($0) }
        if case .string(let name) = keywords["x-renamed"]?.value { current = name } else { current = nil }
        if case .bool(true) = keywords["x-secret"]?.value { isSecret = true } else { isSecret = false }
        if Self.isFalse(additional) || additional == nil && !isStrict && properties != nil {
            others = nil
        } else {
            others = try additional.map { try node($0) } ?? Self.any
        }
    }

    /// Returns the keywords of a schema: none for `true`.
    ///
    /// - Throws: a `PropertyLoadError` if it is not a schema, or has a keyword that the tool does not follow.
    fileprivate static func keywords(_ schema: PropertyNode) throws -> PropertyTable {
        if case .bool = schema.value { return PropertyTable() }
        let keywords = try table(schema, "this is not a schema")
        for entry in keywords where unfollowed.contains(where: entry.key.isSame) || isForeignPattern(entry) {
            throw PropertyLoadError(
                .unsupported, "this tool does not follow '\(entry.key)'", at: entry.keyOrigin,
                expected: "names in 'properties'", remedy: "Let the service print its schema")
        }
        return keywords
    }

    /// Whether an entry is `patternProperties` with another pattern than the pattern for keys with dots, which a
    /// service writes.
    private static func isForeignPattern(_ entry: PropertyTable.Entry) -> Bool {
        guard entry.key.isSame(as: "patternProperties"), case .table(let patterns) = entry.node.value else {
            return false
        }
        return patterns.contains { !$0.key.begins(with: "\\.") }
    }

    private static func table(_ node: PropertyNode, _ problem: String) throws -> PropertyTable {
        if case .table(let table) = node.value { return table }
        throw PropertyLoadError(.unsupported, problem, at: node.origin, expected: "a table of schemas")
    }

    fileprivate static func isFalse(_ keyword: PropertyNode?) -> Bool {
        if case .bool(false) = keyword?.value { true } else { false }
    }
}

// MARK: - Names

extension SchemaNode {
    /// The names that the schema lists for a table, without former ones.
    var listedNames: [String] { listed.filter { !$0.node.isFormer }.map(\.name) }

    /// Whether only former names of settings are here. The store has moved their values to the current names.
    var isFormer: Bool { current != nil || !listed.isEmpty && listed.allSatisfy(\.node.isFormer) }

    /// Whether the schema knows the elements of an array here.
    var isArray: Bool { items != nil }

    /// The node of the elements of an array.
    var element: SchemaNode { items ?? Self.any }

    /// Returns the flat names of all values except tables with listed names.
    ///
    /// - Parameters:
    ///   - path: the flat name of this value, or nil for the root.
    ///   - isSecret: whether a table that this value is in is secret.
    /// - Returns: the names.
    fileprivate func names(in path: String?, isSecret: Bool = false) -> [Named] {
        let isSecret = isSecret || self.isSecret
        let inner = listed.flatMap { name, node in
            node.names(in: path.map { "\($0).\(name)" } ?? name, isSecret: isSecret)
        }
        guard listed.isEmpty || current != nil, let path else { return inner }
        return [Named(name: path, isSecret: isSecret, current: current)]
    }

    /// Returns the node of a key in a table, or nil if the table does not have it.
    func member(_ key: String) -> SchemaNode? {
        if self === Self.any { return self }
        if let member = members[PropertyKey(key)] { return member }
        // A key with dots may be the name of a value in an inner table.
        if let dot = key.utf8.firstIndex(of: UInt8(ascii: ".")),
            let node = members[PropertyKey(String(key[..<dot]))]?.member(String(key[key.utf8.index(after: dot)...]))
        {
            return node
        }
        return others
    }

    /// Returns whether the value of a name is secret, or nil if the schema does not list the name.
    ///
    /// - Parameter path: the parts of the flat name between its dots, with `[]` for an element of an array. A key of a
    ///   dictionary may contain dots, so a name can match in several ways. It is secret if one of the matches is
    ///   secret.
    /// - Returns: whether it is secret, or nil.
    func isSecret(_ path: ArraySlice<Substring>) -> Bool? {
        if isSecret { return true }
        guard let key = path.first else { return false }
        let rest = path.dropFirst()
        if key.isSame(as: "[]") { return items?.isSecret(rest) }
        if let member = members[PropertyKey(String(key))] { return member.isSecret(rest) }
        guard let others, others !== Self.any else { return nil }
        let isSecret =
            path.count > Self.longestPath || (1...path.count).contains { others.isSecret(path.dropFirst($0)) == true }
        return isSecret ? true : nil
    }
}

/// The last keys of the names that a schema marks as secret, to find them in a text that has no valid syntax.
struct SecretNames: Sendable {
    /// The least number of letters of a key that counts anywhere in a name, such as in a variable with a prefix. A
    /// shorter key must be a whole part between dots.
    private static let leastLetters = 4

    private let keys: Set<String>
    private let areAllSecret: Bool

    init(_ root: SchemaNode) { (keys, areAllSecret) = (root.secretKeys, root.holdsSecret) }

    /// Whether a name of a text, or a text with several words, may have the name of a secret.
    func mayBeIn(_ text: String) -> Bool {
        if areAllSecret { return true }
        if text.parts(between: ".").contains(where: { keys.contains(RelaxedName(String($0)).letters) }) { return true }
        let letters = RelaxedName(text).letters
        return keys.contains { $0.utf8.count >= Self.leastLetters && letters.firstIndex(ofText: $0) != nil }
    }
}

extension SchemaNode {
    /// Whether the value, or each value of an array or a dictionary with any keys, is secret.
    fileprivate var holdsSecret: Bool { isSecret || items?.holdsSecret == true || others?.holdsSecret == true }

    /// The letters of the keys whose values are secret, at any depth.
    fileprivate var secretKeys: Set<String> {
        let own = listed.filter { $0.node.holdsSecret }.map {
            RelaxedName($0.name.split(separator: ".").last.map(String.init) ?? "").letters
        }
        let inner = listed.map(\.node) + [items, others].compactMap(\.self)
        return inner.reduce(into: Set(own)) { $0.formUnion($1.secretKeys) }
    }
}
