/// The values of a settings type.
protocol SettingsSource: AnyObject {
    /// Returns a value or its default. If the value is wrong or missing, collects the problem, and returns the default,
    /// or nil if there is none.
    ///
    /// - Parameters:
    ///   - key: the key in this table.
    ///   - rule: what is known about the value.
    ///   - number: the number of the setting in the outermost type.
    func read<Value>(_ key: String, _ rule: KeyRule<Value>, number: Int) -> Value?

    /// Returns the values of a nested type.
    func table(_ key: String) -> any SettingsSource
}

/// The decoder of a settings type.
///
/// It never throws because of a value, so that decoding finds the problems of all settings: a wrong value becomes its
/// default, or a setting that is not set, and the decoded type is not used.
final class SettingsReader: Decoder {
    private let schema: SettingsSchema
    private let source: any SettingsSource
    /// The number of the first setting of this type in the outermost type.
    private let first: Int
    /// The number of properties that were read.
    private var position = 0

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ schema: SettingsSchema, _ source: any SettingsSource, first: Int = 0) {
        self.schema = schema
        self.source = source
        self.first = first
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(SettingsContainer(reader: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported("an array") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unsupported("a single value") }

    func read<Value>(_ field: SettingsSchema.Field, _ rule: KeyRule<Value>) -> Value? {
        source.read(field.key, rule, number: first + field.first)
    }

    func nested(_ field: SettingsSchema.Field, _ schema: SettingsSchema) -> SettingsReader {
        SettingsReader(schema, source.table(field.key), first: first + field.first)
    }

    fileprivate func decode<T>(_ type: T.Type, _ name: String) throws -> T {
        guard let index = schema.field(name, expected: position) else { throw unsupported("'\(name)'") }
        position += 1
        let field = schema.fields[index]
        guard let value = try field.kind.value(as: type, of: field, self) else { throw unsupported("'\(name)'") }
        return value
    }

    fileprivate func contains(_ name: String) -> Bool { schema.field(name, expected: position) != nil }

    fileprivate var names: [String] { schema.fields.map(\.name) }

    fileprivate func unsupported(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "its init(from:) decodes \(what)"))
    }

    /// Returns why a type cannot be decoded by its schema, or nil.
    static func problem(of schema: SettingsSchema) -> String? {
        let reader = SettingsReader(schema, Defaults())
        do {
            _ = try schema.type.init(from: reader)
        } catch {
            if case DecodingError.dataCorrupted(let context) = error { return context.debugDescription }
            return "\(error)"
        }
        if reader.position == schema.fields.count { return nil }
        return "a property is a constant with a value, or is not in CodingKeys"
    }
}

/// A source in which all values are missing.
private final class Defaults: SettingsSource {
    func read<Value>(_ key: String, _ rule: KeyRule<Value>, number: Int) -> Value? { rule.defaultValue }
    func table(_ key: String) -> any SettingsSource { self }
}

private struct SettingsContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: SettingsReader

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { reader.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { reader.contains(key.stringValue) }
    func decodeNil(forKey key: Key) -> Bool { false }
    // This generic method implements all decode methods of the protocol.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try reader.decode(type, key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw reader.unsupported("a nested container") }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw reader.unsupported("a nested container")
    }
    func superDecoder() throws -> any Decoder { throw reader.unsupported("a super type") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw reader.unsupported("a super type") }
}

// MARK: - Tables

/// The values of a settings type in a table that a conversion has reached: an element of an array, or a part of another
/// `Decodable` type.
final class NodeSettings: SettingsSource {
    private let decoder: NodeDecoder
    private let table: TableReader
    /// The path from the value of the outermost settings type.
    private let path: String
    private var problems: [PropertyError] = []
    private var tables: [NodeSettings] = []

    /// Decodes a settings type from a node.
    static func decode<T: Settings>(
        _ type: T.Type, from node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> T {
        let source = NodeSettings(node, "", context)
        var value: T?
        do {
            value = try T(from: SettingsReader(.of(type, context.naming), source))
        } catch {
            // Only an `init(from:)` that the compiler has not written throws.
            throw PropertyError(.refused, node, expected: "a table for \(type)").complaining("\(error)")
        }
        let problems = source.allProblems
        guard let value, problems.isEmpty else {
            throw problems.first?.with(others: problems.dropFirst())
                ?? PropertyError(.refused, node, expected: "a table for \(type)")
        }
        return value
    }

    private init(_ node: PropertyNode, _ path: String, _ context: ConversionContext) {
        self.path = path
        decoder = NodeDecoder(node: node, codingPath: [], context: context)
        var values = PropertyTable()
        if case .table(let table) = node.value { values = table }
        table = TableReader(values, of: decoder)
        do throws(PropertyError) {
            guard node.isTable else { throw PropertyError(.wrongType, node, expected: "a table") }
            try context.checkDepth(of: node)
        } catch {
            problems.append(error.inside(path))
        }
    }

    private var allProblems: [PropertyError] { problems + tables.flatMap(\.allProblems) }

    func read<Value>(_ key: String, _ rule: KeyRule<Value>, number: Int) -> Value? {
        do throws(PropertyError) {
            if let (index, node) = find(key) {
                let inner = decoder.context.inside(index, node)
                try inner.checkDepth(of: node)
                let value = try Conversion.convert(node, to: Value.self, in: inner)
                if rule.check?(value) ?? true { return value }
                throw PropertyError(.refused, node, expected: rule.noun)
            }
            // A value that is not a table is the only problem of its settings.
            if rule.defaultValue == nil, decoder.node.isTable {
                throw PropertyError(.missing, decoder.node, expected: rule.noun)
            }
        } catch {
            problems += error.all.map { ($0.path.isEmpty ? $0.expecting(rule.noun) : $0).inside("\(path).\(key)") }
        }
        return rule.defaultValue
    }

    func table(_ key: String) -> any SettingsSource {
        let source =
            if let (index, node) = find(key) {
                NodeSettings(node, "\(path).\(key)", decoder.context.inside(index, node))
            } else {
                // The errors about missing settings have the place of this table.
                NodeSettings(
                    PropertyNode([:], origin: decoder.node.origin), "\(path).\(key)", decoder.context.outsideUsage)
            }
        tables.append(source)
        return source
    }

    /// Returns the entry of a key, or nil if it is missing or null.
    private func find(_ key: String) -> (index: Int, node: PropertyNode)? {
        guard let index = table.find(key), !table.node(at: index).isNull else { return nil }
        return (index, table.node(at: index))
    }
}
