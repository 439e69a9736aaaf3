import SharedState

/// The settings of a settings type, found by reflection.
struct SettingsSchema: Sendable {
    let type: any Settings.Type
    /// The names of the properties.
    let names: [String]
    let fields: [any SettingField]
    /// The number of all settings, including those of nested types.
    let count: Int

    /// Returns the index of a property. Decoding asks for the properties in their order, so the expected one is tried
    /// first.
    func index(of name: String, expected: Int) -> Int? {
        if expected < names.count, names[expected] == name { return expected }
        return names.firstIndex(of: name)
    }

    /// Calls a visitor for each setting and each table.
    ///
    /// - Parameters:
    ///   - name: the flat name of the table of the type, or nil for all properties.
    ///   - visitor: the visitor.
    func visit(_ name: String?, _ visitor: inout some SettingsVisitor) {
        for field in fields { field.visit(name.map { "\($0).\(field.key)" } ?? field.key, &visitor) }
    }
}

// MARK: - Unknown keys

extension SettingsSchema {
    /// Returns the errors about keys in the elements of an array that are not settings.
    func unknownKeys(inElementsOf node: PropertyNode) -> [PropertyError] {
        // Text that is not a valid list has been reported as a wrong value.
        let nodes = (try? ListElements(of: node))?.nodes ?? []
        return nodes.enumerated().flatMap { index, node in unknownKeys(in: node).map { $0.inside("[\(index)]") } }
    }

    fileprivate func unknownKeys(in node: PropertyNode) -> [PropertyError] {
        guard case .table(let table) = node.value else { return [] }
        let absent = fields.map(\.key).filter { table[$0] == nil }
        return table.uniqueEntries.flatMap { entry in
            let field = fields.first { $0.key.isSame(as: entry.key) }
            let errors = field?.unknownKeys(in: entry.node) ?? [PropertyError.unknown(entry, others: absent)]
            return errors.map { $0.inside(".\(entry.key)") }
        }
    }
}

// MARK: - Kinds of fields

/// A property of a settings type.
protocol SettingField: AnyObject, Sendable {
    /// The key in its table.
    var key: String { get }
    /// The number of settings in the property.
    var count: Int { get }
    /// Returns the property's value. Throws if the property has another type. The result is not an optional, because
    /// generic code looks up the type `T?` at run time.
    func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T
    func visit(_ name: String, _ visitor: inout some SettingsVisitor)
    /// Returns the errors about keys in the property's value that are not settings.
    func unknownKeys(in node: PropertyNode) -> [PropertyError]
}

/// Receives the settings of a type by their flat names, in the order of the declaration.
protocol SettingsVisitor {
    mutating func visit<Value>(_ name: String, _ rule: KeyRule<Value>)
    /// Receives the name of the table of a nested type, before its settings.
    mutating func visit(table name: String)
}

/// A setting as its source reads it. What a read needs of the rule is stored apart, because a copy of the whole rule
/// takes longer than a read.
final class SettingValue<Value: Sendable>: Sendable {
    let key: String
    /// The number of the setting among all settings of the type, from its first one.
    let number: Int
    let rule: KeyRule<Value>
    let defaultValue: Value?
    let check: (@Sendable (Value) -> Bool)?
    let isRequired: Bool

    fileprivate init(_ key: String, _ number: Int, _ rule: KeyRule<Value>) {
        (self.key, self.number, self.rule) = (key, number, rule)
        (defaultValue, check, isRequired) = (rule.defaultValue, rule.check, rule.defaultValue == nil)
    }
}

/// A property that is a `@Setting`, or an array of a settings type.
private final class ValueField<Value: Decodable & Sendable>: SettingField {
    let setting: SettingValue<Value>
    private let isSecret: Bool
    /// The type of the property, which would be looked up at each read.
    private let property: Any.Type

    init(_ setting: SettingValue<Value>, isWrapped: Bool) {
        (self.setting, isSecret) = (setting, setting.rule.isSecret)
        property = isWrapped ? Setting<Value>.self : Value.self
    }

    var key: String { setting.key }
    var count: Int { 1 }

    func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T {
        guard type == property else { throw reader.unsupported("'\(key)' as \(type)") }
        if type == Value.self, let list = reader.read(setting) {
            return BasicType.same(list, as: type)
        }
        return BasicType.same(Setting(read: reader.read(setting), isSecret: isSecret), as: type)
    }

    func visit(_ name: String, _ visitor: inout some SettingsVisitor) { visitor.visit(name, setting.rule) }

    // A setting is known with everything in its value, unless that is an array of a settings type.
    func unknownKeys(in node: PropertyNode) -> [PropertyError] {
        setting.rule.elements?.unknownKeys(inElementsOf: node) ?? []
    }
}

/// A property that is another settings type.
private final class TableField<Table: Settings>: SettingField {
    let key: String
    private let first: Int
    private let schema: SettingsSchema

    init(_ key: String, _ first: Int, _ schema: SettingsSchema) {
        (self.key, self.first, self.schema) = (key, first, schema)
    }

    var count: Int { schema.count }

    func value<T>(as type: T.Type, _ reader: SettingsReader) throws -> T {
        guard type == Table.self else { throw reader.unsupported("'\(key)' as \(type)") }
        return BasicType.same(try Table(from: reader.nested(key, first, schema)), as: type)
    }

    func visit(_ name: String, _ visitor: inout some SettingsVisitor) {
        visitor.visit(table: name)
        schema.visit(name, &visitor)
    }

    func unknownKeys(in node: PropertyNode) -> [PropertyError] { schema.unknownKeys(in: node) }
}

// MARK: - Properties

/// What is known about a property before its type is.
private struct PropertyPlace {
    /// The key of the property if the property itself does not say it.
    let key: String
    /// The number of settings before the property.
    let first: Int
    /// The types in which the property is nested.
    let outer: [any Settings.Type]
}

/// The value of a property of a settings type.
private protocol SettingProperty {
    func field(_ place: PropertyPlace) -> any SettingField
}

extension Setting: SettingProperty {
    fileprivate func field(_ place: PropertyPlace) -> any SettingField {
        var rule = rule?() ?? KeyRule()
        rule.isSetting = true
        return ValueField(SettingValue(rule.key ?? place.key, place.first, rule), isWrapped: true)
    }
}

extension Array: SettingProperty where Element: Settings {
    fileprivate func field(_ place: PropertyPlace) -> any SettingField {
        let elements = SettingsSchema(Element.self, in: place.outer)
        var finder = AttributeFinder()
        elements.visit(nil, &finder)
        let rule = KeyRule(
            defaultValue: self, isSecret: finder.isSecret, needsRestart: finder.needsRestart,
            expected: "an array of tables", elements: elements, isSetting: true)
        return ValueField(SettingValue(place.key, place.first, rule), isWrapped: false)
    }
}

extension Settings {
    fileprivate func field(_ place: PropertyPlace) -> any SettingField {
        TableField<Self>(place.key, place.first, SettingsSchema(Self.self, in: place.outer))
    }
}

/// The storage of a property with a wrapper, which has the name of the property after an underscore.
private protocol PropertyWrapper {}
extension Setting: PropertyWrapper {}

/// Finds out whether a settings type has a secret, and whether one of its settings needs a restart.
private struct AttributeFinder: SettingsVisitor {
    var isSecret = false, needsRestart = false
    mutating func visit<Value>(_ name: String, _ rule: KeyRule<Value>) {
        isSecret = isSecret || rule.isSecret
        needsRestart = needsRestart || rule.needsRestart
    }
    mutating func visit(table name: String) {}
}

// MARK: - Reflection

extension SettingsSchema {
    /// The schemas of all types that were read in this process. They are never freed, like the metadata of the types.
    private static let cache = Guarded<[ObjectIdentifier: SettingsSchema]>([:])

    /// Returns the schema of a type. A type that cannot be a settings type ends the process.
    ///
    /// - Parameter type: the type.
    /// - Returns: the schema.
    static func of(_ type: any Settings.Type) -> SettingsSchema {
        let key = ObjectIdentifier(type)
        if let known = cache.withLock({ $0[key] }) { return known }
        // Outside of the lock, because it runs the initializer of the type.
        let schema = SettingsSchema(type, in: [])
        cache.withLock { $0[key] = schema }
        return schema
    }

    fileprivate init(_ type: any Settings.Type, in outer: [any Settings.Type]) {
        func refuse(_ reason: String) -> Never { fatalError("\(type) cannot be a settings type: \(reason)") }
        if outer.contains(where: { $0 == type }) { refuse("it contains itself") }
        let mirror = Mirror(reflecting: type.init())
        if mirror.displayStyle != .struct { refuse("it is not a struct") }
        var names: [String] = [], fields: [any SettingField] = [], count = 0
        for (label, value) in mirror.children {
            let label = label ?? "", name = value is any PropertyWrapper ? String(label.dropFirst()) : label
            let place = PropertyPlace(key: type.naming.key(for: name), first: count, outer: outer + [type])
            let table = (value as? any Settings)?.field(place)
            guard let field = table ?? (value as? any SettingProperty)?.field(place) else {
                refuse("the property '\(label)' is not a @Setting, a settings type or an array of a settings type")
            }
            if let other = fields.firstIndex(where: { $0.key == field.key }) {
                refuse("'\(names[other])' and '\(name)' have the same key '\(field.key)'")
            }
            names.append(name)
            fields.append(field)
            count += field.count
        }
        (self.type, self.names, self.fields, self.count) = (type, names, fields, count)
        if let reason = SettingsReader.problem(of: self) { refuse(reason) }
    }
}
