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
    var unwrapped: Form { if case .optional(let form) = self { form.unwrapped } else { self } }

    /// The settings if it is a table of settings, which may be absent; otherwise nil.
    var table: Schema? { if case .table(let schema) = unwrapped { schema } else { nil } }

    /// Whether it is a list. A repeated argument sets the elements of a list together.
    var isList: Bool { if case .array = unwrapped { true } else { false } }

    /// Whether it is a dictionary.
    var isDictionary: Bool { if case .dictionary = unwrapped { true } else { false } }

    /// Whether it is a table of settings or a dictionary.
    var isTable: Bool { table != nil || isDictionary }

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

    /// The traits of the settings inside it.
    var traits: DeclaredTraits { schema?.traits ?? [] }
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
    /// Whether two values are the same when they are read: a missing setting has its default, and the spelling of a
    /// setting's value does not count.
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
        default: PropertyNode.isSame(one, other)
        }
    }
}

extension PropertyTable {
    /// Returns the node of a key, or nil if it is missing or null.
    func value(_ key: String) -> PropertyNode? { self[key].flatMap { $0.isNull ? nil : $0 } }

    /// The keys whose values are not null.
    fileprivate var keysOfValues: [PropertyKey] { uniqueEntries.filter { !$0.node.isNull }.map { PropertyKey($0.key) } }
}
