/// The form of a declared value: how it contains other values.
indirect enum Form: Sendable {
    /// A table of settings.
    case table(Schema)
    /// A value that may be absent.
    case optional(Form)
    case array(Form)
    /// A table with keys of any name, and the type of these keys.
    case dictionary(Form, keys: Any.Type)
    /// A value without declarations inside it.
    case value(Any.Type)

    /// Finds the form of a type.
    init(of type: Any.Type) {
        switch type {
        // A metatype is tested, because a cast of a value looks into an optional.
        case let settings as any Settings.Type: self = .table(.of(settings))
        case let container as any ContainerType.Type: self = container.form
        default: self = .value(type)
        }
    }

    /// The form without the optionals around it.
    var unwrapped: Form {
        if case .optional(let form) = self { form.unwrapped } else { self }
    }

    /// Whether it is a list, which has the elements of all values of a repeated argument.
    var isList: Bool {
        if case .array = unwrapped { true } else { false }
    }

    /// Whether it is a table or a dictionary, or an array of these.
    var hasOnlyTables: Bool {
        switch self {
        case .table, .dictionary: true
        case .optional(let form), .array(let form): form.hasOnlyTables
        case .value: false
        }
    }

    /// The type of the keys of a dictionary in it that are not the keys of a table, or nil. Without
    /// `CodingKeyRepresentable`, a dictionary is decoded from an array of its keys and values.
    var otherKeys: Any.Type? {
        switch self {
        case .optional(let form), .array(let form): form.otherKeys
        case .dictionary(let form, let keys): keys is any CodingKeyRepresentable.Type ? form.otherKeys : keys
        case .table, .value: nil
        }
    }

    /// Whether a settings type is in it.
    var hasSettings: Bool { schema != nil }

    /// The schema of the tables in it, or nil. The tables in their settings have other schemas.
    var schema: Schema? {
        switch self {
        case .table(let schema): schema
        case .optional(let form), .array(let form), .dictionary(let form, _): form.schema
        case .value: nil
        }
    }

    /// Whether a setting inside it is secret.
    var holdsSecret: Bool { schema?.attributes.holdsSecret ?? false }

    /// Whether a setting inside it has a former name.
    var holdsFormerNames: Bool { schema?.attributes.holdsFormerNames ?? false }

    /// Whether a setting inside it needs a restart.
    var needsRestart: Bool { schema?.attributes.needsRestart ?? false }
}

/// A type whose values contain values of another type.
protocol ContainerType {
    static var form: Form { get }
}

extension Optional: ContainerType {
    static var form: Form { .optional(Form(of: Wrapped.self)) }
}

extension Array: ContainerType {
    static var form: Form { .array(Form(of: Element.self)) }
}

extension Set: ContainerType {
    static var form: Form { .array(Form(of: Element.self)) }
}

extension Dictionary: ContainerType {
    static var form: Form { .dictionary(Form(of: Value.self), keys: Key.self) }
}

// MARK: - Values of a form

extension Form {
    /// Whether two values are the same, with regard to the defaults of the settings inside them and to the spellings of
    /// their values.
    func areEqual(_ one: PropertyNode, _ other: PropertyNode) -> Bool {
        switch (unwrapped, one.list.textTable.value, other.list.textTable.value) {
        case (.table(let schema), .table(let one), .table(let other)):
            schema.fields.allSatisfy { field in
                let one = one.value(field.key), other = other.value(field.key)
                return field.rule?.areEqual(one, other)
                    ?? field.form.areEqual(one ?? PropertyNode([:]), other ?? PropertyNode([:]))
            }
        case (.array(let form), .array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy { form.areEqual($0, $1) }
        case (.dictionary(let form, _), .table(let one), .table(let other)):
            Set(one.keysOfValues).symmetricDifference(other.keysOfValues).isEmpty
                && one.keysOfValues.allSatisfy { key in
                    guard let one = one.value(key.rawValue), let other = other.value(key.rawValue) else { return false }
                    return form.areEqual(one, other)
                }
        default: PropertyValue.isSame(one.value, other.value)
        }
    }

    /// Returns the shown form of a value: text of an untyped source as the number or the boolean that a read returns,
    /// and as the elements of a list, and the case of an enum that may be written in any case as its raw value. A wrong value does not change.
    func shown(_ node: PropertyNode) -> PropertyNode {
        var shown = node
        switch (self, node.value) {
        case (.optional, _) where node.isEmptyText(in: self): shown.value = .null
        case (.optional(let form), _): return form.shown(node)
        case (.array(let element), _):
            shown = node.list
            guard case .array(let nodes) = shown.value else { return shown }
            shown.value = .array(nodes.map { element.shown($0) })
        case (.dictionary(let form, _), .table(let table)):
            shown.value = .table(table.mapNodes { form.shown($0) })
        case (.table(let schema), .table(let table)):
            let entries = table.entries.map { entry in
                var entry = entry
                guard let field = schema.field(PropertyKey(entry.key)) else { return entry }
                if entry.node.isNull {
                    return PropertyTable.Entry(key: entry.key, node: field.defaultNode ?? entry.node)
                }
                entry.node = field.form.shown(entry.node)
                return entry
            }
            let keys = Set(table.entries.map { PropertyKey($0.key) })
            let others = schema.fields.filter { !keys.contains(PropertyKey($0.key)) }.compactMap { field in
                field.defaultNode.map { PropertyTable.Entry(key: field.key, node: $0) }
            }
            shown.value = .table(PropertyTable(entries: entries + others))
        case (.value(let type), _): return Self.shown(node.single, as: type)
        default: return node.single
        }
        return shown
    }

    /// Returns the settings in a value that `shown` has returned, each as an entry with its path. A value without a
    /// setting in it is one entry.
    func settings(in entry: PropertyEntry) -> [PropertyEntry] {
        let parts = parts(of: entry)
        return parts.isEmpty ? [entry] : parts.flatMap { $0.form.settings(in: $0.entry) }
    }

    /// Returns a value that `shown` has returned, and everything inside it down to the settings, with their paths.
    func tables(in entry: PropertyEntry) -> [PropertyEntry] {
        [entry] + parts(of: entry).flatMap { $0.form.tables(in: $0.entry) }
    }

    /// Returns the parts of a value that contain settings. It is empty for any other value.
    private func parts(of entry: PropertyEntry) -> [(form: Form, entry: PropertyEntry)] {
        func part(_ form: Form, _ step: String, _ node: PropertyNode) -> (form: Form, entry: PropertyEntry) {
            (form, PropertyEntry(name: entry.name + step, node: node))
        }
        switch (unwrapped, entry.node.value) {
        case (.table(let schema), .table(let table)):
            return table.uniqueEntries.map { inner in
                part(schema.field(PropertyKey(inner.key))?.form ?? .value(Any.self), ".\(inner.key)", inner.node)
            }
        case (.dictionary(let form, _), .table(let table)) where form.hasSettings:
            return table.uniqueEntries.map { part(form, ".\($0.key)", $0.node) }
        case (.array(let form), .array(let nodes)) where form.hasSettings:
            return nodes.enumerated().map { part(form, "[\($0)]", $1) }
        default: return []
        }
    }

    private static func shown(_ node: PropertyNode, as type: Any.Type) -> PropertyNode {
        let isCase = type is any CaseInsensitiveValue.Type, text: String
        switch node.value {
        case .text(let value): text = value
        case .string(let value) where isCase: text = value
        default: return node
        }
        func value<T>(_ type: T.Type) -> PropertyValue? {
            (try? Conversion.convert(node, to: type)).map { PropertyValue(default: $0) }
        }
        var shown = node
        switch value(type) {
        case .bool(let bool)?: shown.value = .bool(bool)
        case .integer(let integer)?: shown.value = .integer(integer)
        case .unsigned(let integer)?: shown.value = .unsigned(integer)
        case .bigInteger(let digits)?: shown.value = .bigInteger(digits)
        case .string(let name)? where isCase: shown.value = .string(name)
        // A `Decimal` may have more digits than a `Double`.
        case .double(let double)? where type is any BinaryFloatingPoint.Type || double.description.isSame(as: text):
            shown.value = .double(double)
        default: break
        }
        return shown
    }
}

extension PropertyTable {
    /// Returns the node of a key, or nil if it is missing or null.
    func value(_ key: String) -> PropertyNode? { self[key].flatMap { $0.isNull ? nil : $0 } }

    /// The keys without those of nulls.
    fileprivate var keysOfValues: [PropertyKey] { uniqueEntries.filter { !$0.node.isNull }.map { PropertyKey($0.key) } }
}
