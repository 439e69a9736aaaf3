import SharedState

/// The settings of a settings type, found by reflection.
struct SettingsSchema: Sendable {
    struct Field: Sendable {
        /// The name of the property.
        let name: String
        /// The key in its table.
        let key: String
        /// The number of the property's first setting among all settings of the type and of the types nested in it.
        let first: Int
        let kind: any SettingField
    }

    let type: any Settings.Type
    let fields: [Field]
    /// The number of all settings.
    let count: Int

    /// Returns the field of a property. Decoding asks for the properties in their order, so the expected one is tried
    /// first.
    func field(_ name: String, expected: Int) -> Int? {
        if expected < fields.count, fields[expected].name == name { return expected }
        return fields.firstIndex { $0.name == name }
    }

    /// Calls a visitor for each setting and each table.
    ///
    /// - Parameters:
    ///   - name: the flat name of the table of the type, or nil for all properties.
    ///   - visitor: the visitor.
    func visit(_ name: String?, _ visitor: inout some SettingsVisitor) {
        for field in fields { field.kind.visit(name.map { "\($0).\(field.key)" } ?? field.key, &visitor) }
    }
}

/// A property of a settings type.
protocol SettingField: Sendable {
    /// The number of settings in the property.
    var count: Int { get }
    /// Returns the property's value. Nil if the property has another type.
    func value<T>(as type: T.Type, of field: SettingsSchema.Field, _ reader: SettingsReader) throws -> T?
    func visit(_ name: String, _ visitor: inout some SettingsVisitor)
}

/// Receives the settings of a type by their flat names, in the order of the declaration.
protocol SettingsVisitor {
    mutating func visit<Value>(_ name: String, _ rule: KeyRule<Value>)
    /// Receives the name of the table of a nested type, before its settings.
    mutating func visit(table name: String)
}

// MARK: - Kinds of fields

/// A `@Setting`, or an array of a settings type.
private struct ValueField<Value: Sendable, Property>: SettingField {
    let rule: KeyRule<Value>
    let wrap: @Sendable (Value?) -> Property?

    var count: Int { 1 }

    func value<T>(as type: T.Type, of field: SettingsSchema.Field, _ reader: SettingsReader) throws -> T? {
        guard type == Property.self else { return nil }
        return wrap(reader.read(field, rule)).map { BasicType.same($0, as: type) }
    }

    func visit(_ name: String, _ visitor: inout some SettingsVisitor) { visitor.visit(name, rule) }
}

/// A nested settings type.
private struct TableField<Table: Settings>: SettingField {
    let schema: SettingsSchema

    var count: Int { schema.count }

    func value<T>(as type: T.Type, of field: SettingsSchema.Field, _ reader: SettingsReader) throws -> T? {
        guard type == Table.self else { return nil }
        return BasicType.same(try Table(from: reader.nested(field, schema)), as: type)
    }

    func visit(_ name: String, _ visitor: inout some SettingsVisitor) {
        visitor.visit(table: name)
        schema.visit(name, &visitor)
    }
}

/// A property that is a setting of its own.
private protocol SettingProperty {
    var key: String? { get }
    var isWrapper: Bool { get }
    func field(_ naming: SettingNaming, _ outer: [any Settings.Type]) -> any SettingField
}

extension Setting: SettingProperty {
    fileprivate var key: String? { declaration?.key }
    fileprivate var isWrapper: Bool { true }

    fileprivate func field(_ naming: SettingNaming, _ outer: [any Settings.Type]) -> any SettingField {
        var rule = declaration?.rule() ?? KeyRule()
        rule.naming = naming
        rule.isSetting = true
        let isSecret = rule.isSecret
        return ValueField(rule: rule) { Setting(read: $0, isSecret: isSecret) }
    }
}

extension Array: SettingProperty where Element: Settings {
    fileprivate var key: String? { nil }
    fileprivate var isWrapper: Bool { false }

    fileprivate func field(_ naming: SettingNaming, _ outer: [any Settings.Type]) -> any SettingField {
        let elements = SettingsSchema(Element.self, naming, in: outer)
        var finder = SecretFinder()
        elements.visit(nil, &finder)
        let rule = KeyRule(
            defaultValue: self, isSecret: finder.isFound, expected: "an array of tables", naming: naming,
            elements: elements, isSetting: true)
        return ValueField(rule: rule) { $0 ?? [] }
    }
}

/// Finds out whether a settings type has a secret.
private struct SecretFinder: SettingsVisitor {
    var isFound = false
    mutating func visit<Value>(_ name: String, _ rule: KeyRule<Value>) { isFound = isFound || rule.isSecret }
    mutating func visit(table name: String) {}
}

// MARK: - Reflection

extension SettingsSchema {
    private struct CacheKey: Hashable {
        let type: ObjectIdentifier
        let naming: SettingNaming
    }

    /// The schemas of all types that were read in this process. They are never freed, like the metadata of the types.
    private static let cache = Guarded<[CacheKey: SettingsSchema]>([:])

    /// Returns the schema of a type. A type that cannot be a settings type ends the process.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - naming: how the type in which it is nested names its settings.
    static func of(_ type: any Settings.Type, _ naming: SettingNaming = .exact) -> SettingsSchema {
        let key = CacheKey(type: ObjectIdentifier(type), naming: naming)
        if let known = cache.withLock({ $0[key] }) { return known }
        // Outside of the lock, because it runs the initializer of the type.
        let schema = SettingsSchema(type, naming, in: [])
        cache.withLock { $0[key] = schema }
        return schema
    }

    fileprivate init(_ type: any Settings.Type, _ naming: SettingNaming, in outer: [any Settings.Type]) {
        func refuse(_ reason: String) -> Never { fatalError("\(type) cannot be a settings type: \(reason)") }
        if outer.contains(where: { $0 == type }) { refuse("it contains itself") }
        let naming = type.naming == .inherited ? naming : type.naming
        let mirror = Mirror(reflecting: type.init())
        if mirror.displayStyle != .struct { refuse("it is not a struct") }
        var fields: [Field] = [], count = 0
        for (label, value) in mirror.children {
            let label = label ?? "", property = value as? any SettingProperty
            // The storage of a property with a wrapper has the name of the property after an underscore.
            let name = property?.isWrapper == true ? String(label.dropFirst()) : label
            let kind: any SettingField
            if let property {
                kind = property.field(naming, outer + [type])
            } else if let table = value as? any Settings {
                kind = Self.table(table, naming, outer + [type])
            } else {
                refuse("the property '\(label)' is not a @Setting, a settings type or an array of a settings type")
            }
            let key = property?.key ?? naming.key(for: name)
            if let other = fields.first(where: { $0.key == key }) {
                refuse("'\(other.name)' and '\(name)' have the same key '\(key)'")
            }
            fields.append(Field(name: name, key: key, first: count, kind: kind))
            count += kind.count
        }
        (self.type, self.fields, self.count) = (type, fields, count)
        if let reason = SettingsReader.problem(of: self) { refuse(reason) }
    }

    private static func table<T: Settings>(
        _ table: T, _ naming: SettingNaming, _ outer: [any Settings.Type]
    ) -> any SettingField {
        TableField<T>(schema: SettingsSchema(T.self, naming, in: outer))
    }
}
