/// The combined declarations of one name.
struct KeyDeclaration: Sendable {
    let key: PropertyKey
    private(set) var isSecret: Bool
    private var checks: [@Sendable (MergedState) -> [PropertyError]]
    /// The attributes for references, or nil if only the secrecy of the name was declared.
    private var attributes: DeclaredKey?
    /// The attributes of a setting that all its declarations must have, or nil for a key.
    private var setting: KeyIdentity?
    /// Returns the value of a setting that needs a restart, to keep it.
    private(set) var startValue: (@Sendable (MergedState) -> StartValue?)?
    /// Returns the errors about keys in the elements of the value that are not settings.
    private(set) var unknownKeys: (@Sendable (MergedState) -> [PropertyError])?

    init<Value>(_ key: TypedKey<Value>) {
        if let value = key.defaultValue, !key.accepts(value) {
            fatalError("The default of '\(key.key)' is not \(key.noun). Correct the default, or what the key accepts.")
        }
        self.init(key, DeclaredKey(key))
    }

    init(_ key: SchemaKey) {
        self.init(key.typedKey, DeclaredKey(key))
    }

    private init<Value>(_ key: TypedKey<Value>, _ attributes: DeclaredKey) {
        self.key = key.key
        isSecret = key.isSecret
        checks = [
            { state in
                do throws(PropertyError) {
                    _ = try key.require(state)
                    return []
                } catch {
                    return error.all
                }
            }
        ]
        self.attributes = attributes
        if key.rule.isSetting {
            setting = key.identity
            unknownKeys = { key.unknownKeys(in: $0) }
            if key.rule.needsRestart { startValue = { StartValue(of: key, in: $0) } }
        }
    }

    init(secret name: String) {
        key = PropertyKey(name)
        isSecret = true
        checks = []
    }

    /// The key as references list it.
    var declaredKey: DeclaredKey {
        guard let attributes else { return DeclaredKey(secret: key) }
        return isSecret ? attributes.masked : attributes
    }

    /// Whether more than the secrecy of the name was declared.
    var isDescribed: Bool { attributes != nil }

    /// Returns the problems with the value of the key.
    func problems(in state: MergedState) -> [PropertyError] { checks.flatMap { $0(state) } }

    /// Returns what this setting is if another declaration of it has other attributes, otherwise nil.
    func settingThatDiffers(from other: KeyDeclaration) -> String? {
        setting == nil || setting == other.setting ? nil : declaredKey.expected
    }

    /// Whether two declarations have different defaults that are not secret.
    func hasOtherDefault(than other: KeyDeclaration) -> Bool {
        guard let one = attributes?.defaultValue, let other = other.attributes?.defaultValue else { return false }
        return !PropertyValue.isSame(one, other)
    }

    /// Adds another declaration of the same name. It can neither unmask the value nor remove a check.
    mutating func add(_ other: KeyDeclaration) {
        isSecret = isSecret || other.isSecret
        if other.attributes?.isRequired == true { attributes?.isRequired = true }
        attributes = attributes ?? other.attributes
        setting = setting ?? other.setting
        unknownKeys = unknownKeys ?? other.unknownKeys
        startValue = startValue ?? other.startValue
        checks += other.checks
    }
}

/// The attributes of a key that decide which values are valid, without its check function.
struct KeyIdentity: Hashable {
    let type: ObjectIdentifier
    let expected: String
    let isRequired: Bool
    let isSecret: Bool
}

extension [PropertyKey: KeyDeclaration] {
    /// Adds a declaration, combining it with one of the same name.
    mutating func combine(_ declaration: KeyDeclaration) {
        if self[declaration.key]?.add(declaration) == nil { self[declaration.key] = declaration }
    }
}

extension PropertyStore {
    /// Declares the keys that the service reads. `verify` checks all of them at once. The names of loosely spelled
    /// sources, such as the environment, are matched with them.
    ///
    ///     store.declare(.port, .host, .password)
    ///
    /// The values of secret keys are masked from now on, here and in child stores. Several declarations of one name are
    /// combined: all checks apply, and the value is masked if one of them is secret.
    ///
    /// - Parameter keys: the keys.
    public func declare<each Value>(_ keys: repeat TypedKey<each Value>) {
        var declarations: [KeyDeclaration] = []
        repeat declarations.append(KeyDeclaration(each keys))
        declare(declarations)
    }

    /// Declares names as secret. From now on their values are masked in every description, dump and error, here and in
    /// child stores.
    ///
    /// - Parameter names: flat names. The name of a table includes everything in the table.
    public func declareSecret(_ names: String...) {
        declare(names.map { KeyDeclaration(secret: $0) })
    }

    func declare(_ declarations: [KeyDeclaration]) {
        change { state in
            for declaration in declarations { state.declare(declaration) }
        }
    }
}
