/// A declared key: the combination of all declarations of one name.
package struct DeclaredKey: Sendable {
    /// The flat name.
    package let key: PropertyKey
    /// The valid values: a noun with its article, such as "a port from 1 to 65535".
    private(set) var expected = "a value"
    /// What the property is for, or nil.
    private(set) var summary: String?
    /// Whether a source must have a value, because a declaration has no default.
    private(set) var isRequired = false
    /// Whether the value is masked in every description.
    package private(set) var isSecret: Bool
    /// The default as a source would contain it. Nil if there is none, or if it is secret.
    package var defaultValue: PropertyValue? { isSecret ? nil : openDefault }
    /// The name of the type in one word, such as "integer".
    private(set) var valueName = "value"
    /// The keywords of the JSON Schema for the value in a file, which replace those of its form.
    private(set) var keywords: [(String, PropertyValue)] = []
    /// The form of the value.
    private(set) var form = Form.value(Any.self)
    /// The default, or nil if the first declaration itself makes it secret.
    private var openDefault: PropertyValue?
    /// Whether there is a default other than nil, which a description of a secret masks.
    private(set) var hasDefault = false
    /// The declarations without those that declare only the name as secret.
    private var declarations: [any TypedDeclaration] = []

    init<Value>(_ key: PropertyKey, _ rule: KeyRule<Value>) {
        let declaration = NamedRule(key: key, rule: rule)
        if let value = rule.defaultValue, !rule.accepts(value) {
            fatalError("The default of '\(key)' is not \(rule.noun). Correct the default, or what the key accepts.")
        }
        self.key = key
        expected = rule.noun
        let note = "(needs a restart)"
        summary = declaration.needsRestart ? rule.summary.map { "\($0) \(note)" } ?? note : rule.summary
        isRequired = declaration.isRequired
        isSecret = rule.isSecret
        let value = rule.isSecret ? nil : rule.sourceDefault.map { PropertyNode($0) }
        // A Swift value has no parts that could be masked.
        let isHidden = value?.isNull == true || value?.isOpaque == true && rule.form.holdsSecret
        openDefault = isHidden ? nil : value?.value
        hasDefault = rule.sourceDefault.map { !PropertyNode($0).isNull } ?? false
        valueName = TypeName.word(Value.self)
        keywords = rule.bounds?.schema ?? []
        form = rule.form
        declarations = [declaration]
    }

    /// Declares only that a name is secret.
    init(secret name: String) { (key, isSecret) = (PropertyKey(name), true) }

    /// The default as JSON text. Nil if there is none, or if it is secret.
    package var defaultText: String? { defaultValue.map { JsonText.text(PropertyNode($0)) } }

    /// Whether the value is a list, which text of an untyped source can contain.
    var isList: Bool { form.isList }

    /// Whether more than the secrecy of the name was declared.
    var isDescribed: Bool { !declarations.isEmpty }

    /// Whether it is a setting that keeps its value until a restart.
    var needsRestart: Bool { declarations.contains(where: \.needsRestart) }

    /// The forms of all declarations.
    var forms: [Form] { isDescribed ? declarations.map(\.form) : [form] }

    /// Whether the value is secret, or a setting inside it may be.
    var holdsSecret: Bool { isSecret || declarations.contains(where: \.form.holdsSecret) }

    /// Returns the key with another declaration of the same name. It can neither unmask the value nor remove a check.
    func combined(with other: DeclaredKey) -> DeclaredKey {
        var key = isDescribed ? self : other
        (key.isSecret, key.isRequired) = (isSecret || other.isSecret, isRequired || other.isRequired)
        key.hasDefault = hasDefault || other.hasDefault
        key.declarations = declarations + other.declarations
        return key
    }

    /// The key as a secret.
    var masked: DeclaredKey {
        var masked = self
        masked.isSecret = true
        return masked
    }

    /// The key without its default, which contains a secret.
    var withoutDefault: DeclaredKey {
        var key = self
        key.openDefault = nil
        return key
    }
}

// MARK: - Declarations with their types

/// A declaration of a name with any type.
protocol TypedDeclaration: Sendable {
    /// The form of the value.
    var form: Form { get }
    /// Whether it is a setting that keeps its value until a restart.
    var needsRestart: Bool { get }
    /// The attributes that all declarations of a setting must have, or nil for a key that is no setting.
    var settingIdentity: SettingIdentity? { get }
    /// Passes the declaration to a visitor, with its type.
    func accept(_ visitor: inout some KeyVisitor)
}

/// Visits the declarations of a name, of which each has a type of its own.
protocol KeyVisitor {
    mutating func visit<Value>(_ key: NamedRule<Value>)
}

/// The attributes of a setting that decide which values are valid, without its check function.
struct SettingIdentity: Hashable {
    let type: ObjectIdentifier
    let expected: String
    let isRequired: Bool
    let isSecret: Bool
}

extension DeclaredKey {
    /// Visits the declarations of the name.
    func visit(_ visitor: inout some KeyVisitor) {
        for declaration in declarations { declaration.accept(&visitor) }
    }

    /// Whether this key is a setting, and another declaration of it has other attributes.
    func isSettingThatDiffers(from other: DeclaredKey) -> Bool {
        guard let setting = declarations.lazy.compactMap(\.settingIdentity).first else { return false }
        return other.declarations.contains { $0.settingIdentity != setting }
    }

    /// Whether two declarations have different defaults that are not secret.
    func hasOtherDefault(than other: DeclaredKey) -> Bool {
        guard let one = openDefault, let other = other.openDefault else { return false }
        return !PropertyValue.isSame(one, other)
    }
}

/// A rule with the flat name of its property.
struct NamedRule<Value>: Sendable {
    let key: PropertyKey
    let rule: KeyRule<Value>
}

extension NamedRule: TypedDeclaration {
    var form: Form { rule.form }
    var isRequired: Bool { rule.defaultValue == nil }
    var needsRestart: Bool { rule.needsRestart || rule.form.needsRestart }

    var settingIdentity: SettingIdentity? {
        guard rule.isSetting else { return nil }
        return SettingIdentity(
            type: ObjectIdentifier(Value.self), expected: rule.noun, isRequired: isRequired, isSecret: rule.isSecret)
    }

    func accept(_ visitor: inout some KeyVisitor) { visitor.visit(self) }
}
