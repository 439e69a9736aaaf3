/// The values of a settings type. No method is generic, so that the settings of the basic types are read by specialized
/// code.
protocol SettingsSource: AnyObject {
    /// Finds the value of a setting.
    ///
    /// - Parameters:
    ///   - key: the key in this table.
    ///   - number: the number of the setting among all settings of the outermost type.
    /// - Returns: the value before its conversion.
    func find(_ key: String, number: Int) -> FoundSetting

    /// Collects the problem with a setting.
    ///
    /// - Parameters:
    ///   - error: the error of the conversion, or nil if a required value is missing.
    ///   - key: the key in this table.
    ///   - number: the number of the setting among all settings of the outermost type.
    ///   - noun: returns the noun for the valid values.
    func collect(_ error: PropertyError?, _ key: String, number: Int, expected noun: () -> String)

    /// Returns the values of a nested type.
    func table(_ key: String) -> any SettingsSource
}

/// The value of a setting before its conversion.
enum FoundSetting {
    /// No source has a value, or it is null.
    case missing
    /// The value cannot be read. The problem is collected already.
    case failed
    case value(PropertyNode, ConversionContext)
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

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw DecodingError.unsupported("an array") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.unsupported("a single value")
    }

    /// Returns the value, or the default if it is missing. If the value is wrong, or is missing without a default,
    /// collects the problem and returns the default or nil.
    ///
    /// - Returns: the value, and whether it is secret because of its source or another declaration of its name.
    @inline(__always)
    func read<Value>(_ setting: SettingValue<Value>) -> (value: Value?, isSecret: Bool) {
        let number = first + setting.number, rule = setting.rule
        switch source.find(setting.key, number: number) {
        case .failed: break
        case .missing:
            if rule.defaultValue == nil { source.collect(nil, setting.key, number: number) { rule.noun } }
        case .value(let node, let context):
            do throws(PropertyError) {
                return (try rule.value(of: node, in: context), node.holdsSecret)
            } catch {
                source.collect(error, setting.key, number: number) { rule.noun }
            }
        }
        return (rule.defaultValue, false)
    }

    func nested(_ key: String, _ first: Int, _ schema: SettingsSchema) -> SettingsReader {
        SettingsReader(schema, source.table(key), first: self.first + first)
    }

    fileprivate func decode<T>(_ type: T.Type, _ name: String) throws -> T {
        let index = schema.index(of: name, expected: position)
        position += 1
        guard let index else { throw DecodingError.unsupported("'\(name)'") }
        return try schema.fields[index].value(as: type, self)
    }

    fileprivate func contains(_ name: String) -> Bool { schema.index(of: name, expected: position) != nil }

    fileprivate var codingKeys: [String] { schema.codingKeys }

}

/// The keys of a settings type, as the `init(from:)` that the compiler writes decodes them: neither nested containers nor
/// a super type.
protocol FlatDecodingContainer: KeyedDecodingContainerProtocol {}

extension FlatDecodingContainer {
    var codingPath: [any CodingKey] { [] }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw DecodingError.unsupported("a nested container") }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        throw DecodingError.unsupported("a nested container")
    }
    func superDecoder() throws -> any Decoder { throw DecodingError.unsupported("a super type") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw DecodingError.unsupported("a super type") }
}

extension DecodingError {
    /// The error of a settings type whose `init(from:)` the compiler has not written.
    static func unsupported(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: "its init(from:) decodes \(what)"))
    }
}

private struct SettingsContainer<Key: CodingKey>: FlatDecodingContainer {
    let reader: SettingsReader

    var allKeys: [Key] { reader.codingKeys.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { reader.contains(key.stringValue) }
    func decodeNil(forKey key: Key) -> Bool { false }
    // These generic methods implement all decode methods of the protocol.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try reader.decode(type, key.stringValue)
    }
    // The compiler writes this for an optional without a wrapper.
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try reader.decode(T?.self, key.stringValue)
    }
}

// MARK: - Tables

/// The values of a settings type in a table that a conversion has reached: an element of an array, or a part of another
/// `Decodable` type.
final class NodeSettings: SettingsSource {
    private let node: PropertyNode
    private let table: PropertyTable
    /// The context of the values of the table.
    private let context: ConversionContext
    /// The path from the value of the outermost settings type.
    private let path: String
    /// Whether the node is a table, and so is everything around it.
    private let isTable: Bool
    private var problems: [PropertyError] = []
    private var tables: [NodeSettings] = []

    /// Decodes a settings type from a node.
    static func decode<T: Settings>(
        _ type: T.Type, from node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> T {
        let source = NodeSettings(node, "", context)
        var value: T?
        do {
            value = try T(from: SettingsReader(SchemaReference.of(type).schema, source))
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

    fileprivate init(_ node: PropertyNode, _ path: String, _ context: ConversionContext, isInTable: Bool = true) {
        (self.node, self.path, self.context) = (node, path, context.nested)
        isTable = isInTable && node.isTable
        if case .table(let table) = node.value { self.table = table } else { table = PropertyTable() }
        do throws(PropertyError) {
            guard node.isTable else {
                throw PropertyError(
                    .wrongType, node, expected: "a table", remedy: context.remedy(forTable: node))
            }
            try context.checkDepth(of: node)
        } catch {
            problems.append(error.inside(path))
        }
    }

    private var allProblems: [PropertyError] { problems + tables.flatMap(\.allProblems) }

    func find(_ key: String, number: Int) -> FoundSetting {
        guard let node = find(key) else { return .missing }
        do throws(PropertyError) {
            try context.checkDepth(of: node)
            return .value(node, context)
        } catch {
            problems.append(error.inside("\(path).\(key)"))
            return .failed
        }
    }

    func collect(_ error: PropertyError?, _ key: String, number: Int, expected noun: () -> String) {
        // If the value is not a table, that is reported already, so missing settings in it are not.
        guard let error = error ?? (isTable ? PropertyError(.missing, self.node, expected: "") : nil)
        else { return }
        problems += error.all.map { ($0.path.isEmpty ? $0.expecting(noun()) : $0).inside("\(path).\(key)") }
    }

    func table(_ key: String) -> any SettingsSource {
        // The errors about missing settings have the place of this table. In a value that is not a table, no setting is
        // missing, since that value is the only problem.
        let node = find(key) ?? PropertyNode([:], origin: self.node.origin)
        let source = NodeSettings(node, "\(path).\(key)", context, isInTable: isTable)
        tables.append(source)
        return source
    }

    /// Returns the node of a key, or nil if it is missing or null.
    private func find(_ key: String) -> PropertyNode? { table[key].flatMap { $0.isNull ? nil : $0 } }
}
