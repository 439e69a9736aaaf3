/// A declared key, with everything that a reference for the people who run the service lists about it.
public struct DeclaredKey: Sendable {
    /// The flat name.
    public let key: PropertyKey
    /// The valid values: a noun with its article, such as "a port from 1 to 65535".
    public let expected: String
    /// The unit of a number, such as "seconds", or nil.
    public let unit: String?
    /// What the property is for, or nil.
    public let summary: String?
    /// Whether a source must have a value, because the key has no default.
    public internal(set) var isRequired: Bool
    /// Whether the value is masked in every description.
    public private(set) var isSecret: Bool
    /// The default as a source would contain it. Nil if there is none, or if it is secret.
    package private(set) var defaultValue: PropertyValue?
    /// The name of the type in one word, such as "integer".
    let valueName: String
    /// The keywords of the JSON Schema for the value in a file.
    let schema: [(String, PropertyValue)]
    /// The keys of each element if the value is an array of a settings type.
    var elements: [DeclaredKey] = []

    /// The default as JSON text. Nil if there is none, or if it is secret.
    public var defaultText: String? { defaultValue.map { JsonText.text(PropertyNode($0)) } }

    init<Value>(_ key: TypedKey<Value>) {
        self.key = key.key
        expected = key.noun
        unit = key.unit
        let note = "(needs a restart)"
        summary = key.rule.needsRestart ? key.summary.map { "\($0) \(note)" } ?? note : key.summary
        isRequired = key.defaultValue == nil
        isSecret = key.isSecret
        let value = key.isSecret ? nil : key.defaultValue.map { PropertyNode(PropertyValue(source: $0)) }
        defaultValue = value?.isNull == true ? nil : value?.value
        valueName = TypeName.word(Value.self)
        // A program that has only the schema cannot derive other nouns from it.
        let isDerived = key.noun.isSame(as: TypeName.noun(Value.self)) && PropertyValue.isNamedBySchema(Value.self)
        schema =
            PropertyValue.schema(of: Value.self) + (key.rule.bounds?.schema ?? [])
            + (isDerived ? [] : [("x-expected", .string(key.noun))])
        elements = key.rule.elements.map { ElementKeys.keys(of: $0) } ?? []
    }

    /// Creates the description of a key that is known only from a schema.
    init(_ key: SchemaKey) {
        self.init(PropertyKey(key.name), expected: key.expected, isSecret: key.isSecret)
        isRequired = key.isRequired
        defaultValue = key.isSecret ? nil : key.defaultValue
    }

    /// Creates the description of a name of which only the secrecy was declared.
    init(secret key: PropertyKey) { self.init(key, expected: "a value", isSecret: true) }

    /// Creates the description of a table that is bound as a type, whose keys are not known.
    init(bound key: PropertyKey) { self.init(key, expected: "a table", isSecret: false) }

    private init(_ key: PropertyKey, expected: String, isSecret: Bool) {
        (self.key, self.expected, self.isSecret) = (key, expected, isSecret)
        (unit, summary, isRequired, valueName, schema) = (nil, nil, false, "value", [])
    }

    /// The key as a secret, without its default.
    var masked: DeclaredKey {
        var masked = self
        masked.isSecret = true
        masked.defaultValue = nil
        return masked
    }

    /// The key without its default, which contains a secret.
    var withoutDefault: DeclaredKey {
        var key = self
        key.defaultValue = nil
        return key
    }
}

/// The settings of the elements of an array as declared keys.
private struct ElementKeys: SettingsVisitor {
    private var keys: [DeclaredKey] = []

    static func keys(of schema: SettingsSchema) -> [DeclaredKey] {
        var visitor = ElementKeys()
        schema.visit(nil, &visitor)
        return visitor.keys
    }

    mutating func visit<Value>(_ name: String, _ rule: KeyRule<Value>) {
        keys.append(DeclaredKey(TypedKey(PropertyKey(name), rule)))
    }

    mutating func visit(table name: String) {}
}

extension DeclaredKey: CustomStringConvertible, CustomReflectable {
    /// `server.port: a port from 1 to 65535, 8080 by default`, with control characters escaped.
    public var description: String {
        var attributes = [expected]
        if isRequired { attributes.append("required") }
        if let defaultText { attributes.append("\(defaultText) by default") }
        if isSecret { attributes.append("secret") }
        return PrintableText.escaped("\(key): \(attributes.joined(separator: ", "))")
    }

    /// Contains only the description.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension PropertyView {
    /// The keys that were declared in this store and its parents, sorted by name. Several declarations of one name are
    /// listed once, with the attributes of the first one.
    public var declaredKeys: [DeclaredKey] {
        let state = snapshot.state
        return state.declarations.map { state.masked($0.declaredKey) }
    }
}

extension MergedState {
    /// Returns a declared key without its default if that is secret, or contains the value of a secret key.
    func masked(_ key: DeclaredKey) -> DeclaredKey {
        if isSecret(key.key.rawValue, nil) { return key.masked }
        let prefix = key.key.rawValue + "."
        return secretKeys.contains { $0.rawValue.begins(with: prefix) } ? key.withoutDefault : key
    }
}
