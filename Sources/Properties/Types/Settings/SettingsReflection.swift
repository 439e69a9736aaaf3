// Finds the settings of a type: its properties by reflection of a value, and their coding keys by decoding the type once.
extension SettingsSchema {
    /// Creates the schema of a type with the defaults of the type. A type that cannot be a settings type ends the
    /// process.
    convenience init(_ type: any Settings.Type) { self.init(of: type.init()) }

    /// Creates the schema of a table whose defaults are those of a value.
    convenience init(of value: any Settings) {
        let type = Swift.type(of: value)
        func refuse(_ reason: String) -> Never { fatalError("\(type) cannot be a settings type: \(reason)") }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle != .struct { refuse("it is not a struct") }
        let properties = mirror.children.map { (label: $0.label ?? "", value: $0.value) }
        if let other = properties.first(where: { !PropertyPlace.canHold($0.value) }) {
            refuse(
                "the property '\(other.label)' is not a @Setting, a settings type, or an optional, an array or a "
                    + "dictionary of a settings type")
        }
        let keys: [CodedProperty]
        do {
            // The storage of a property with a wrapper has the name of the property after an underscore.
            keys = try CodedProperty.all(
                of: type, among: properties.map { $1 is any SettingProperty ? String($0.dropFirst()) : $0 })
        } catch {
            refuse(error.reason)
        }
        var fields: [any SettingField] = [], names: [PropertyKey: String] = [:], count = 0
        for property in keys {
            let key = property.isRenamed ? property.codingKey : type.naming.key(for: property.name)
            let place = PropertyPlace(key: key, first: count)
            guard let field = place.field(of: properties[property.index].value) else { continue }
            if let other = names.updateValue(property.name, forKey: PropertyKey(field.key)) {
                refuse("'\(other)' and '\(property.name)' have the same key '\(field.key)'")
            }
            // A dot in a key would be a part of the key in a file, and part two levels in a variable.
            if field.key.utf8.contains(.dot) { refuse("the key '\(field.key)' contains a dot") }
            fields.append(field)
            count += field.count
        }
        self.init("\(type)", fields, codingKeys: keys.map(\.codingKey))
    }

    /// Returns a value of a settings type as the table of a source.
    ///
    /// - Returns: the table, or nil if a setting is secret, or if no source can have its value.
    static func table(of value: any Settings) -> PropertyValue? {
        let schema = SettingsSchema(of: value)
        return schema.attributes.holdsSecret ? nil : schema.table(instead: SettingsSchema(type(of: value)))
    }
}

// MARK: - Properties

/// The attributes of a property that are known before its type.
private struct PropertyPlace {
    /// The key of the property if the property itself does not say it.
    let key: String
    /// The number of settings before the property.
    let first: Int

    /// Whether a value can be a property of a settings type.
    static func canHold(_ value: Any) -> Bool { PropertyPlace(key: "", first: 0).field(of: value) != nil }

    /// Returns the field of a property, or nil if it is not a setting.
    func field(of value: Any) -> (any SettingField)? {
        let type = Swift.type(of: value)
        // The types are tested, because a cast of the value looks into an optional.
        if type is any Settings.Type, let table = value as? any Settings { return field(table: table) }
        if type is any SettingProperty.Type, let setting = value as? any SettingProperty { return setting.field(self) }
        guard Form(of: type).hasSettings else { return nil }
        return field(container: value, type)
    }

    private func field<Table: Settings>(table: Table) -> any SettingField {
        TableField<Table>(key, first, SettingsSchema(of: table))
    }

    private func field<Value>(container value: Any, _ type: Value.Type) -> (any SettingField)? {
        guard let value = value as? Value else { return nil }
        let rule = KeyRule<Value>()
        let expected: String? = if case .array(.table) = rule.form { "an array of tables" } else { nil }
        return ValueField(SettingValue(key, first, rule.inSettings(default: value, expected: expected)))
    }
}

/// The storage of a property with a wrapper, which has the name of the property after an underscore.
private protocol SettingProperty {
    /// The mark of a setting that the decoder of the coding keys has made, otherwise nil.
    var mark: Int? { get }
    func field(_ place: PropertyPlace) -> any SettingField
    static func marked(_ mark: Int) -> Self
}

extension Setting: SettingProperty {
    fileprivate var mark: Int? { rule?().mark }

    fileprivate func field(_ place: PropertyPlace) -> any SettingField {
        let rule = (rule?() ?? KeyRule()).inSettings(default: value)
        return WrappedField.field(SettingValue(rule.key ?? place.key, place.first, rule))
    }

    fileprivate static func marked(_ mark: Int) -> Self { Setting(marked: mark) }
}

// MARK: - Coding keys

/// A property of a settings type with the key by which the type decodes it.
///
/// The type asks for its properties in the order of its coding keys, which may have other texts than the properties. So
/// the type is decoded once from settings that are marked with the number of the question, and the marks are found in
/// the result by reflection.
private struct CodedProperty {
    let name: String
    /// The index among the properties in the order of the struct.
    let index: Int
    let codingKey: String

    var isRenamed: Bool { !name.isSame(as: codingKey) }

    struct Failure: Error { let reason: String }

    static func all(of type: any Settings.Type, among names: [String]) throws(Failure) -> [CodedProperty] {
        let decoder = MarkingDecoder()
        let value: any Settings
        do {
            value = try type.init(from: decoder)
        } catch {
            guard case DecodingError.dataCorrupted(let context) = error else { throw Failure(reason: "\(error)") }
            throw Failure(reason: context.debugDescription)
        }
        let marks = Mirror(reflecting: value).children.map { mark(in: $0.value) }
        var all: [CodedProperty?] = Array(repeating: nil, count: decoder.asked.count)
        for (index, name) in names.enumerated() {
            // A table without settings has no mark.
            let mark = index < marks.count ? marks[index] : nil
            guard let asked = mark ?? decoder.asked.firstIndex(where: name.isSame) else {
                throw Failure(reason: "a property is a constant with a value, or is not in CodingKeys")
            }
            all[asked] = CodedProperty(name: name, index: index, codingKey: decoder.asked[asked])
        }
        guard !all.contains(where: { $0 == nil }) else {
            throw Failure(reason: "its init(from:) decodes a value that is not a property")
        }
        return all.compactMap(\.self)
    }

    /// Returns the mark of a decoded property: that of the first setting in it.
    private static func mark(in value: Any) -> Int? {
        if let setting = value as? any SettingProperty { return setting.mark }
        for child in Mirror(reflecting: value).children {
            if let mark = mark(in: child.value) { return mark }
        }
        return nil
    }
}

/// Decodes a settings type from settings that are marked with the number of the question.
private final class MarkingDecoder: Decoder {
    /// The texts of the keys in the order in which they were asked for.
    private(set) var asked: [String] = []
    /// The mark of everything inside one property, or nil for the properties themselves.
    private let outer: Int?

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(inside outer: Int? = nil) { self.outer = outer }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MarkingContainer(decoder: self))
    }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw DecodingError.unsupported("an array") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.unsupported("a single value")
    }

    fileprivate func value<T>(_ type: T.Type, _ key: String) throws -> T {
        if outer == nil { asked.append(key) }
        let mark = outer ?? asked.count - 1
        guard let value = try self.value(type, mark) as? T else {
            throw DecodingError.unsupported("'\(key)' as \(type)")
        }
        return value
    }

    private func value(_ type: Any.Type, _ mark: Int) throws -> Any {
        switch type {
        case let setting as any SettingProperty.Type: setting.marked(mark)
        case let settings as any Settings.Type: try settings.init(from: MarkingDecoder(inside: mark))
        // A type may contain itself in a container.
        case let container as any ContainerType.Type:
            try outer == nil ? container.containing { try value($0, mark) } : container.empty
        default: throw DecodingError.unsupported("a value of type \(type)")
        }
    }

}

private struct MarkingContainer<Key: CodingKey>: FlatDecodingContainer {
    let decoder: MarkingDecoder

    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { true }
    func decodeNil(forKey key: Key) -> Bool { false }
    // These generic methods implement all decode methods of the protocol.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder.value(type, key.stringValue) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try decoder.value(T?.self, key.stringValue)
    }
}
