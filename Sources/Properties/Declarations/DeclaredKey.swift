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

// MARK: - Checks

/// A declaration of a name with any type.
protocol TypedDeclaration: Sendable {
    /// The form of the value.
    var form: Form { get }
    /// Whether it is a setting that keeps its value until a restart.
    var needsRestart: Bool { get }
    /// The attributes that all declarations of a setting must have, or nil for a key that is no setting.
    var settingIdentity: SettingIdentity? { get }
    /// Returns the problems with the value.
    func problems(in state: MergedState) -> [PropertyError]
    /// Returns the value to keep until a restart, or nil if it cannot be read.
    func startValue(in state: MergedState) -> StartValue?
}

/// The attributes of a setting that decide which values are valid, without its check function.
struct SettingIdentity: Hashable {
    let type: ObjectIdentifier
    let expected: String
    let isRequired: Bool
    let isSecret: Bool
}

extension DeclaredKey {
    /// Returns the problems with the value of the key.
    func problems(in state: MergedState) -> [PropertyError] { declarations.flatMap { $0.problems(in: state) } }

    /// Returns the value of a setting that needs a restart, to keep it.
    func startValue(in state: MergedState) -> StartValue? {
        declarations.first(where: \.needsRestart)?.startValue(in: state)
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

extension NamedRule: TypedDeclaration {
    var form: Form { rule.form }
    var isRequired: Bool { rule.defaultValue == nil }
    var needsRestart: Bool { rule.needsRestart || rule.form.needsRestart }

    var settingIdentity: SettingIdentity? {
        guard rule.isSetting else { return nil }
        return SettingIdentity(
            type: ObjectIdentifier(Value.self), expected: rule.noun, isRequired: isRequired, isSecret: rule.isSecret)
    }

    func problems(in state: MergedState) -> [PropertyError] {
        do throws(PropertyError) {
            _ = try require(state)
            return []
        } catch {
            return error.all
        }
    }

    func startValue(in state: MergedState) -> StartValue? { StartValue(of: self, in: state) }
}

// MARK: - Declaring

extension PropertyStore {
    /// Declares the keys that the service reads. `verify` checks all of them at once. The names of relaxed
    /// sources, such as the environment, are matched with them.
    ///
    ///     store.declare(.port, .host, .password)
    ///
    /// The values of secret keys are masked from now on, here and in child stores. Several declarations of one name are
    /// combined: all checks apply, and the value is masked if one of them is secret.
    ///
    /// Each call copies the earlier declarations, so declare many keys in one call, or as a settings type.
    ///
    /// - Parameter keys: the keys.
    public func declare<each Value>(_ keys: repeat TypedKey<each Value>) {
        var declarations: [DeclaredKey] = []
        repeat declarations.append((each keys).declaration)
        declare(declarations)
    }

    /// Declares names as secret. From now on their values are masked in every description, dump and error, here and in
    /// child stores.
    ///
    /// - Parameter names: flat names. The name of a table includes everything in the table.
    public func declareSecret(_ names: String...) { declare(names.map { DeclaredKey(secret: $0) }) }

    /// Declares keys of which only the names, and their secrecy, are known.
    package func declare(_ keys: [TypedKey<PropertyNode>]) { declare(keys.map(\.declaration)) }

    private func declare(_ declarations: [DeclaredKey]) {
        change { contents in
            for declaration in declarations { contents.declare(declaration) }
        }
    }
}

extension PropertyReading where Properties == Self {
    /// The keys that were declared in this store and its parents, sorted by name.
    package var declaredKeys: [DeclaredKey] {
        let state = snapshot.state
        return state.declarations.map { state.masked($0) }
    }
}

extension MergedState {
    /// Returns a declared key without its default if that is secret, or contains the value of a secret key.
    func masked(_ key: DeclaredKey) -> DeclaredKey {
        let node = declared.node(key.key)
        if node.isSecret { return key.masked }
        return node.hasSecretNames ? key.withoutDefault : key
    }
}
