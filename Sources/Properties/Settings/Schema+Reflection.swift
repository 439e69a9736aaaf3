extension PropertyValue {
    /// Creates the value that a source contains for a default, which nothing changes.
    init(default value: Any) {
        if let plain = Self.plain(value, table: Schema.table(of:)) {
            self = plain
        } else if let value = value as? any Equatable, let text = Self.text(of: value) {
            self = text
        } else {
            self = .opaque(OpaqueValue(unchecked: value))
        }
    }

    /// Returns the description of a value as a string, or nil if reading that string does not give the value again.
    private static func text<Value: Equatable>(of value: Value) -> PropertyValue? {
        guard Value.self is any Decodable.Type || Value.self is any PropertyConvertible.Type else {
            return Optional.none
        }
        let text = PropertyValue.string("\(value)")
        return (try? Conversion.convert(PropertyNode(text), to: Value.self)) == value ? text : Optional.none
    }
}

extension PropertyValue {
    /// Creates the table of a source from a value of a settings type, with its secrets marked. A required setting that is
    /// not set is left out.
    package init(settings value: any Settings) { self = Schema.Fields(of: value).markedTable }

    /// Creates the value that a source contains for a Swift value, with the secrets of settings types in it marked.
    init(marking value: Any) {
        let plain = Self.plain(value) { ($0 as? any Settings).map { PropertyValue(settings: $0) } }
        self = plain ?? .opaque(OpaqueValue(unchecked: value))
    }
}

extension Schema.Fields {
    fileprivate var markedTable: PropertyValue {
        let entries = all.compactMap { field -> PropertyTable.Entry? in
            let value = field.table.map { Schema.Fields($0.fields).markedTable } ?? field.rule?.markedDefault
            let node = value.map { PropertyNode($0) }
            return node.map { .init(key: field.key, node: field.rule?.isSecret == true ? $0.markedSecret : $0) }
        }
        return .table(PropertyTable(entries: entries))
    }
}

// Finds the settings of a type: its properties by reflection of a value.
extension Schema {
    /// Returns a value of a settings type as the table of a source.
    ///
    /// - Returns: the table. Nil if the value is of no settings type, if a setting is secret, or if no source can have its
    ///   value.
    static func table(of value: Any) -> PropertyValue? {
        guard let value = value as? any Settings else { return nil }
        let fields = Fields(of: value), schema = Schema { fields }
        return schema.traits.contains(.secrets) ? nil : schema.table(instead: .of(type(of: value)))
    }
}

extension Schema.Fields {
    /// Finds the properties of a type with the defaults of the type. A type that cannot be a settings type ends the
    /// process.
    convenience init(checking type: any Settings.Type) {
        self.init(of: type.init())
        // The type must ask for exactly its properties, in their order. A type that swaps the texts of two coding keys
        // of the same type cannot be recognized.
        let fields = all, reader = SettingsReader(checking: Schema { Schema.Fields(fields) })
        do {
            _ = try type.init(from: reader)
        } catch {
            guard case DecodingError.dataCorrupted(let context) = error else { refuse(type, "\(error)") }
            refuse(type, context.debugDescription)
        }
        if let property = reader.nextProperty {
            refuse(type, "it does not decode '\(property)', a constant with a value or missing in its CodingKeys")
        }
    }

    /// Finds the properties of a table whose defaults are the values of a Swift value.
    fileprivate convenience init(of value: any Settings) {
        let type = Swift.type(of: value), mirror = Mirror(reflecting: value)
        if mirror.displayStyle != .struct { refuse(type, "it is not a struct") }
        var fields: [Field] = [], names: [PropertyKey: String] = [:], count = 0
        for (label, value) in mirror.children {
            guard let (content, isWrapped) = Field.Content.of(value) else {
                refuse(
                    type,
                    "the property '\(label ?? "")' is not a @Setting, a settings type, or an optional, an array or a "
                        + "dictionary of a settings type")
            }
            // The storage of a property with a wrapper has the name of the property after an underscore.
            let property = isWrapped ? String((label ?? "").dropFirst()) : label ?? ""
            let field = Field(
                property: property, key: content.key ?? type.naming.key(for: property), valueIndex: count,
                content: content)
            if let other = names.updateValue(property, forKey: PropertyKey(field.key)) {
                refuse(type, "'\(other)' and '\(property)' have the same key '\(field.key)'")
            }
            if let keys = field.form.otherKeys {
                refuse(
                    type,
                    "the keys of the dictionary '\(property)' are of the type \(keys), which is not "
                        + "CodingKeyRepresentable. Declare this conformance, which needs no code for an enum of strings or "
                        + "integers")
            }
            // A dot in a key would be a part of the key in a file, and separate two levels in a variable.
            if field.key.utf8.contains(.dot) { refuse(type, "the key '\(field.key)' contains a dot") }
            fields.append(field)
            count += field.count
        }
        self.init(fields, schemaRules(of: type, fields))
        if let mistake = formerNameMistake { refuse(type, mistake) }
    }
}

/// Returns the rules of a settings type. A rule that is not about settings of the type ends the process.
private func schemaRules<T: Settings>(of type: T.Type, _ fields: [Field]) -> [SchemaRule] {
    type.rules.map { rule in
        if let rule = SchemaRule(rule, fields) { return rule }
        refuse(type, "the rule '\(rule.expected)' has a key path that does not lead to one of its settings")
    }
}

private func refuse(_ type: any Settings.Type, _ reason: String) -> Never {
    fatalError("\(type) cannot be a settings type: \(reason)")
}

extension Field.Content {
    fileprivate var key: String? { if case .value(let rule) = self { rule.attributes.key } else { nil } }

    /// Returns the content of a property, and whether it has a wrapper. Nil if the property cannot be in a settings type.
    fileprivate static func of(_ value: Any) -> (Field.Content, isWrapped: Bool)? {
        let type = Swift.type(of: value)
        // The types are tested, because a cast of the value looks into an optional.
        if type is any Settings.Type, let settings = value as? any Settings {
            return (.table(Schema { Schema.Fields(of: settings) }), false)
        }
        if type is any WrappedProperty.Type, let setting = value as? any WrappedProperty {
            return (.value(setting.settingRule), true)
        }
        guard Form(of: type).hasSettings else { return nil }
        return rule(of: value, type).map { (.value($0), false) }
    }

    private static func rule<Value>(of value: Any, _ type: Value.Type) -> (any Rule)? {
        guard let value = value as? Value else { return nil }
        let rule = KeyRule<Value>()
        let expected: String? = if case .array(.table) = rule.form { "an array of tables" } else { nil }
        return KeyRule(rule, inSettingsWith: value, expected: expected)
    }
}

/// A property that is a `@Setting`.
protocol WrappedProperty {
    var settingRule: any Rule { get }
    /// Whether it is the mark of `SchemaRule`, which finds out which setting a key path leads to.
    var isMarked: Bool { get }
    /// The value in a description of the whole type.
    var shownText: String { get }
}

extension Setting: WrappedProperty {
    var settingRule: any Rule { SettingRule(rule?() ?? KeyRule(), inSettingsWith: value) }
    var shownText: String { isSecret ? description : value.map { shown($0) } ?? description }
}

/// Returns the text of a value in the description of a settings type.
private func shown(_ value: Any) -> String {
    let content: Any? = if let optional = value as? any OptionalValue { optional.content } else { value }
    return content.map { URLSecrets.masked($0 is String ? String(reflecting: $0) : "\($0)") } ?? "nil"
}

extension Settings {
    /// The settings as `ServerSettings(port: 8080, greeting: "Hello")`, with secrets masked.
    public var debugDescription: String {
        let settings = Mirror(reflecting: self).children.map { label, value in
            let setting = value as? any WrappedProperty
            return "\(label?.dropFirst(setting == nil ? 0 : 1) ?? ""): \(setting?.shownText ?? shown(value))"
        }
        return "\(Self.self)(\(settings.joined(separator: ", ")))"
    }
}
