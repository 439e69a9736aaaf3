/// Decodes a settings type from a table, or from all properties by their flat names.
///
/// It never throws because of a value, so that decoding finds the problems of all settings. A wrong value becomes its
/// default, or a setting that is not set. The decoded type is then not used.
final class SettingsReader: Decoder {
    /// The values of settings with flat names.
    struct Named {
        let names: FlatNames
        /// Returns the value of a flat name, or nil if it is missing or null.
        let find: (PropertyKey) -> PropertyNode?
    }

    /// The problems of a type and of the types nested in it.
    final class Problems {
        var all: [PropertyError] = []
    }

    private let schema: Schema
    private let fields: [Field]
    /// The values if they have flat names, and otherwise nil: an element of an array, or the value of an optional or a
    /// dictionary is a table of its own.
    private let named: Named?
    /// The table. It is empty if the values have flat names.
    private let table: PropertyTable
    /// The node of the table.
    private let node: PropertyNode
    /// Whether the node is a table, and so is everything around it.
    private let isTable: Bool
    /// The path from the value of the outermost settings type.
    private let path: String
    /// The context of the values.
    private let context: ConversionContext
    private let collected: Problems
    /// The number of properties that were read.
    private var position = 0

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(
        _ schema: Schema, _ node: PropertyNode, _ path: String, _ context: ConversionContext, isInTable: Bool = true,
        _ collected: Problems = Problems()
    ) {
        (self.schema, fields, self.node, self.path, self.collected) = (schema, schema.fields, node, path, collected)
        (self.context, named, isTable) = (context.nested, nil, isInTable && node.isTable)
        if case .table(let table) = node.value { self.table = table } else { table = PropertyTable() }
    }

    /// Reads properties by their flat names. The problems have these names.
    init(_ schema: Schema, _ named: Named, _ collected: Problems = Problems()) {
        (self.schema, fields, self.named, self.collected) = (schema, schema.fields, named, collected)
        (node, table, isTable, path, context) = (PropertyNode([:]), PropertyTable(), true, "", ConversionContext())
    }

    /// Reads an empty table, to see what a type decodes.
    convenience init(checking schema: Schema) { self.init(schema, PropertyNode([:]), "", ConversionContext()) }

    /// The problems that were found, as errors of conversions.
    var problems: [PropertyError] { collected.all }

    /// The property that would be decoded next, or nil if all were decoded.
    var nextProperty: String? { position < fields.count ? fields[position].property : nil }

    /// Decodes a settings type from a node inside a value.
    static func decode<T: Settings>(
        _ type: T.Type, from node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> T {
        let reader = SettingsReader(.of(type), node, "", context), value: T
        reader.checkTable()
        do {
            value = try reader.decode(type)
        } catch {
            // Only an `init(from:)` that the compiler has not written throws.
            throw PropertyError(.refused, node, expected: "a table for \(type)")
                .changed { $0.thrownError = "\(error)" }
        }
        if let first = reader.problems.first { throw first.with(others: reader.problems.dropFirst()) }
        return value
    }

    /// Decodes the type, and checks the rules of several settings.
    @inline(__always)
    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try T(from: self)
        if !schema.settingsRules.isEmpty { checkSettingsRules(value) }
        return value
    }

    /// Collects the problem if the node cannot be read as a table.
    private func checkTable() {
        do throws(PropertyError) {
            if !node.isTable { throw context.noTable(node) }
            try context.checkDepth(of: node)
        } catch {
            collected.all.append(error.inside(path))
        }
    }
}

// MARK: - Values

extension SettingsReader {
    /// Returns the value, or the default if it is missing. If the value is wrong, or is missing without a default,
    /// collects the problem and returns the default or nil.
    ///
    /// - Returns: the value, and whether it is secret because of its source or another declaration of its name.
    @inline(__always)
    func read<Value>(_ rule: KeyRule<Value>, _ field: Field) -> (value: Value?, isSecret: Bool) {
        if let node = find(field) {
            do throws(PropertyError) {
                try context.checkDepth(of: node)
                return (try rule.value(of: node, in: context), node.holdsSecret)
            } catch {
                collect(error, field)
            }
        } else if rule.defaultValue == nil {
            collectMissing(field, rule)
        }
        return (rule.defaultValue, false)
    }

    /// Returns the node of a setting, or nil if it is missing or null.
    @inline(__always)
    private func find(_ field: Field) -> PropertyNode? {
        if let named { named.find(named.names[field]) } else { table.value(field.key) }
    }

    private func collectMissing(_ field: Field, _ rule: any Rule) {
        // If the value is not a table, that is reported already, so missing settings in it are not.
        if isTable { collect(PropertyError(missing: rule.noun, in: named == nil ? node : nil), field) }
    }

    private func collect(_ error: PropertyError, _ field: Field) {
        let name = named?.names[field]
        collected.all += error.all.map { name.map($0.named) ?? $0.inside("\(path).\(field.key)") }
    }

    /// Returns the reader of a nested table.
    private func nested(_ field: Field, _ schema: Schema) -> SettingsReader {
        if let named {
            return SettingsReader(schema, Named(names: named.names.nested(field), find: named.find), collected)
        }
        // The errors about missing settings have the place of this table. In a value that is not a table, no setting is
        // missing, since the value is the only problem.
        let inner = table.value(field.key) ?? PropertyNode([:], origin: node.origin)
        let reader = SettingsReader(schema, inner, "\(path).\(field.key)", context, isInTable: isTable, collected)
        reader.checkTable()
        return reader
    }
}

// MARK: - Rules of several settings

extension SettingsReader {
    /// Collects the problems with the rules of a type whose settings have been read.
    @inline(never)
    private func checkSettingsRules(_ value: Any) {
        guard isTable, let settings = value as? any Settings else { return }
        for rule in schema.settingsRules {
            let involved = rule.settings.map(involved)
            // A problem of one setting is reported by itself.
            if involved.contains(where: hasProblem) || rule.isObeyed(settings) { continue }
            collected.all.append(PropertyError(broken: rule.expected, involved, in: named == nil ? node : nil))
        }
    }

    private func involved(_ path: [Field]) -> InvolvedSetting {
        let rule = path.last?.rule, isSecret = rule?.isSecret ?? false, fallback = rule?.openDefault
        if let named {
            let name = named.names[path: path]
            return InvolvedSetting(name: name.rawValue, node: named.find(name), isSecret: isSecret, fallback: fallback)
        }
        let keys = path.map(\.key), step = keys.map { ".\($0)" }.joined()
        return InvolvedSetting(
            path: self.path + step, node: table.node(at: keys[...]), isSecret: isSecret, fallback: fallback)
    }

    /// Whether a problem with a setting, with a value inside it, or with a table around it was found.
    private func hasProblem(_ setting: InvolvedSetting) -> Bool {
        collected.all.contains { error in
            let (one, other) = (error.name, setting.flatName)
            return error.reason != .brokenRule && (one.isAt(other) || other.isAt(one))
        }
    }
}

// MARK: - Decoding

extension SettingsReader {
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SettingsContainer(reader: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw DecodingError.unsupported("an array") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.unsupported("a single value")
    }

    fileprivate func decode<T: Decodable>(_ type: T.Type, _ name: String) throws -> T {
        let field = try next(name)
        switch field.content {
        case .value(let rule): return try rule.read(as: type, field, self)
        case .table(let schema): return try nested(field, schema).decode(type)
        }
    }

    /// Decodes an optional without a wrapper, which is not a table.
    fileprivate func decodeOptional<T: Decodable>(_ type: T?.Type, _ name: String) throws -> T? {
        let field = try next(name)
        guard let rule = field.rule else { throw DecodingError.unsupported("'\(name)' as \(type)") }
        return try rule.read(as: type, field, self)
    }

    private func next(_ name: String) throws -> Field {
        guard position < fields.count else { throw DecodingError.unsupported("'\(name)', which is not a property") }
        let field = fields[position]
        guard field.property == name else {
            throw DecodingError.unsupported(
                "'\(name)' in place of the property '\(field.property)'. Remove its CodingKeys, and name a key in its "
                    + "setting: @Setting(key: \"\(name)\")")
        }
        position += 1
        return field
    }

    fileprivate var properties: [String] { fields.map(\.property) }
}

extension DecodingError {
    /// The error of a settings type whose `init(from:)` the compiler has not written.
    static func unsupported(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "its init(from:) decodes \(what)"))
    }
}

/// The properties of a settings type, as the `init(from:)` that the compiler writes decodes them: neither nested
/// containers nor a super type.
private struct SettingsContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: SettingsReader

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { reader.properties.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { reader.nextProperty == key.stringValue }
    func decodeNil(forKey key: Key) -> Bool { false }
    // These generic methods implement all decode methods of the protocol.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try reader.decode(type, key.stringValue)
    }
    // The compiler writes this for an optional without a wrapper.
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try reader.decodeOptional(T?.self, key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw DecodingError.unsupported("a nested container") }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw DecodingError.unsupported("a nested container")
    }
    func superDecoder() throws -> any Decoder { throw DecodingError.unsupported("a super type") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw DecodingError.unsupported("a super type") }
}

extension DeclaredTables: TableDecoding {
    static func includes(_ type: Any.Type) -> Bool { type is any Settings.Type }

    static func decode<T>(
        _ type: T.Type, from node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> T {
        func value<S: Settings>(_ settings: S.Type) throws(PropertyError) -> T {
            BasicType.uncheckedCast(try SettingsReader.decode(settings, from: node, in: context), to: type)
        }
        guard let settings = type as? any Settings.Type else {
            throw PropertyError(.wrongType, node, expected: TypeName.noun(type))
        }
        return try value(settings)
    }
}
