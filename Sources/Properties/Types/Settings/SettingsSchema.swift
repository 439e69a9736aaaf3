import Synchronization

/// The settings of a table: those of a settings type, found by reflection, or those of the JSON Schema of a service.
final class SettingsSchema: Sendable {
    /// The name of the type, for references.
    let name: String
    /// The properties, in the order in which the type decodes them.
    let fields: [any SettingField]
    /// The texts of the coding keys by which the type decodes its properties.
    let codingKeys: [String]
    /// The number of all settings, including those of nested tables.
    let count: Int
    private let indices: [PropertyKey: Int]
    private let known = AtomicLazyReference<Attributes>()
    private let spelled = AtomicLazyReference<SpellingList>()

    init(_ name: String, _ fields: [any SettingField], codingKeys: [String] = []) {
        (self.name, self.fields, self.codingKeys) = (name, fields, codingKeys)
        count = fields.reduce(0) { $0 + $1.count }
        indices = Dictionary(fields.enumerated().map { (PropertyKey($1.key), $0) }) { $1 }
    }

    /// Returns the property with a key, or nil.
    func field(_ key: PropertyKey) -> (any SettingField)? { indices[key].map { fields[$0] } }

    /// Returns the index of a property by its coding key. Decoding asks for the properties in their order, so the
    /// expected one is tried first.
    func index(of codingKey: String, expected: Int) -> Int? {
        if expected < codingKeys.count, codingKeys[expected] == codingKey { return expected }
        return codingKeys.firstIndex(of: codingKey)
    }

    /// Calls a visitor for each setting and each nested table.
    ///
    /// - Parameters:
    ///   - name: the flat name of the table, or nil for all properties.
    ///   - visitor: the visitor.
    func visit(_ name: String?, _ visitor: inout some SettingsVisitor) {
        for field in fields { field.visit(name.joined(path: ".\(field.key)"), &visitor) }
    }

    /// Returns the defaults as the table of a source.
    ///
    /// - Parameter original: the schema of the type, whose defaults the values of the table replace. A null would not.
    /// - Returns: the table, or nil if a source cannot have one of the values.
    func table(instead original: SettingsSchema) -> PropertyValue? {
        var entries: [(String, PropertyValue)] = []
        for (field, other) in zip(fields, original.fields) {
            guard let value = field.sourceValue(instead: other), !PropertyNode(value).isOpaque else { return nil }
            if !PropertyNode(value).isNull {
                entries.append((field.key, value))
            } else if other.sourceValue(instead: other).map({ PropertyNode($0).isNull }) != true {
                return nil
            }
        }
        return .table(PropertyTable(entries))
    }

    /// Attributes that a schema has if one of its settings has them, or one in a table inside it.
    final class Attributes: Sendable {
        let holdsSecret: Bool
        let needsRestart: Bool
        init(_ holdsSecret: Bool, _ needsRestart: Bool) {
            (self.holdsSecret, self.needsRestart) = (holdsSecret, needsRestart)
        }
    }

    private final class SpellingList: Sendable {
        let spellings: Spellings
        init(_ spellings: Spellings) { self.spellings = spellings }
    }

    /// The names of the settings, and of those in nested tables, for relaxed names.
    var spellings: Spellings {
        if let list = spelled.load() { return list.spellings }
        var spellings = Spellings()
        spellings.add(.table(SchemaReference(self)), below: nil)
        return spelled.storeIfNil(SpellingList(spellings)).spellings
    }

    var attributes: Attributes {
        if let known = known.load() { return known }
        var seen: Set<ObjectIdentifier> = [], rest = [self], holdsSecret = false, needsRestart = false
        // A type may contain itself.
        while let schema = rest.popLast() {
            guard seen.insert(ObjectIdentifier(schema)).inserted else { continue }
            for field in schema.fields {
                holdsSecret = holdsSecret || field.isSecret
                needsRestart = needsRestart || field.needsRestart
                rest += field.form.references.map(\.schema)
            }
        }
        return known.storeIfNil(Attributes(holdsSecret, needsRestart))
    }
}

extension Spellings {
    /// Adds the names of the settings inside a value, without those in arrays and dictionaries.
    mutating func add(_ form: Form, below name: String?) {
        guard case .table(let reference) = form.unwrapped else { return }
        for field in reference.schema.fields {
            let inner = name.joined(path: ".\(field.key)")
            add(inner)
            add(field.form, below: inner)
        }
    }
}

// MARK: - Kinds of fields

/// A property of a settings type.
protocol SettingField: AnyObject, Sendable {
    /// The key in its table.
    var key: String { get }
    /// The form of its value.
    var form: Form { get }
    /// Whether it is declared secret itself.
    var isSecret: Bool { get }
    /// Whether it is declared itself as needing a restart.
    var needsRestart: Bool { get }
    /// The number of settings in the property.
    var count: Int { get }
    /// Returns the default as a source would contain it. Nil if there is none, or if a source cannot have it.
    func sourceValue(instead original: any SettingField) -> PropertyValue?
    /// Returns the property's value. Throws if the property has another type. The result is not an optional, because
    /// generic code looks up the type `T?` at run time.
    func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T
    func visit(_ name: String, _ visitor: inout some SettingsVisitor)
}

/// Receives the settings of a type by their flat names, in the order of the declaration.
protocol SettingsVisitor {
    mutating func visit<Value>(_ name: String, _ rule: KeyRule<Value>)
    /// Receives the name of the table of a nested type, before its settings.
    mutating func visit(table name: String)
}

/// A setting as its source reads it.
final class SettingValue<Value>: Sendable {
    let key: String
    /// The number of the setting among all settings of the type, from its first one.
    let number: Int
    let rule: KeyRule<Value>

    init(_ key: String, _ number: Int, _ rule: KeyRule<Value>) {
        (self.key, self.number, self.rule) = (key, number, rule)
    }
}

/// A property that is one value: a `@Setting`, or a container of a settings type.
class ValueField<Value>: SettingField, @unchecked Sendable {
    // @unchecked is safe: the class has constants of Sendable types only, and its subclasses have no property.
    fileprivate let setting: SettingValue<Value>
    /// The type of the property, which would be looked up at each read.
    fileprivate let property: Any.Type

    fileprivate init(_ setting: SettingValue<Value>, as property: Any.Type) {
        (self.setting, self.property) = (setting, property)
    }

    /// Creates the field of a property without a wrapper.
    convenience init(_ setting: SettingValue<Value>) { self.init(setting, as: Value.self) }

    final var key: String { setting.key }
    final var form: Form { setting.rule.form }
    final var isSecret: Bool { setting.rule.isSecret }
    final var needsRestart: Bool { setting.rule.needsRestart }
    final var count: Int { 1 }

    func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T {
        guard type == property else { throw DecodingError.unsupported("'\(key)' as \(type)") }
        guard let value = reader.read(setting).value else {
            throw DecodingError.unsupported("'\(key)' without a value")
        }
        return BasicType.same(value, as: type)
    }

    final func sourceValue(instead original: any SettingField) -> PropertyValue? { setting.rule.sourceDefault }

    final func visit(_ name: String, _ visitor: inout some SettingsVisitor) { visitor.visit(name, setting.rule) }
}

/// A property that is a `@Setting`.
// @unchecked is safe: it has no property of its own.
class WrappedField<Value: Decodable & Sendable>: ValueField<Value>, @unchecked Sendable {
    fileprivate init(wrapped setting: SettingValue<Value>) { super.init(setting, as: Setting<Value>.self) }

    /// Creates the field of a setting.
    static func field(_ setting: SettingValue<Value>) -> any SettingField {
        switch setting {
        case let setting as SettingValue<Bool>: BoolField(wrapped: setting)
        case let setting as SettingValue<Int>: IntField(wrapped: setting)
        case let setting as SettingValue<Double>: DoubleField(wrapped: setting)
        case let setting as SettingValue<String>: StringField(wrapped: setting)
        default: WrappedField(wrapped: setting)
        }
    }

    override func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T { try read(as: type, reader) }

    @inline(__always)
    fileprivate final func read<T>(as type: T.Type, _ reader: SettingsReader) throws -> T {
        guard type == property else { throw DecodingError.unsupported("'\(key)' as \(type)") }
        let (value, isSecret) = reader.read(setting)
        return BasicType.same(Setting(read: value, isSecret: isSecret || setting.rule.isSecret), as: type)
    }
}

// The settings of the basic types. Code for any type looks up the metadata of `Setting<Value>` and `Value?` at each read,
// which takes longer than the read.
//
// @unchecked is safe for each: it has no property of its own.

private final class BoolField: WrappedField<Bool>, @unchecked Sendable {
    override func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T { try read(as: type, reader) }
}

private final class IntField: WrappedField<Int>, @unchecked Sendable {
    override func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T { try read(as: type, reader) }
}

private final class DoubleField: WrappedField<Double>, @unchecked Sendable {
    override func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T { try read(as: type, reader) }
}

private final class StringField: WrappedField<String>, @unchecked Sendable {
    override func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T { try read(as: type, reader) }
}

/// A property that is another settings type.
final class TableField<Table: Settings>: SettingField {
    let key: String
    let form: Form
    let isSecret = false, needsRestart = false
    private let first: Int
    private let schema: SettingsSchema

    init(_ key: String, _ first: Int, _ schema: SettingsSchema) {
        (self.key, self.first, self.schema) = (key, first, schema)
        form = .table(SchemaReference(schema))
    }

    var count: Int { schema.count }

    func sourceValue(instead original: any SettingField) -> PropertyValue? {
        (original as? TableField<Table>).flatMap { schema.table(instead: $0.schema) }
    }

    func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T {
        guard type == Table.self else { throw DecodingError.unsupported("'\(key)' as \(type)") }
        return BasicType.same(try Table(from: reader.nested(key, first, schema)), as: type)
    }

    func visit(_ name: String, _ visitor: inout some SettingsVisitor) {
        visitor.visit(table: name)
        schema.visit(name, &visitor)
    }
}
