/// What is declared at one path of the properties: by names, and in the forms of values around it.
///
/// It is the one step through the declarations: `child` and `element` lead from the root to what is declared of a value.
///
/// A path may have several declarations, such as the dictionary `pools` and the key `pools.main.size`. They add up: a
/// name is known if one of them declares it, and secret if one of them makes it secret.
struct DeclaredNode {
    /// The declared names at and below this path, or nil.
    private let names: DeclaredTree?
    /// The forms of the value at this path.
    let forms: [Form]
    /// Whether everything here is secret.
    let isSecret: Bool

    /// Creates the node of all properties.
    init(root: DeclaredTree) { self.init(root, [], false) }

    private init(_ names: DeclaredTree?, _ forms: [Form], _ isSecret: Bool) {
        self.names = names
        // Only the secrecy of a name says nothing about the form of a table of settings there.
        let own = names?.key.flatMap { $0.isDescribed || names?.holdsSettings != true ? $0.forms : nil }
        self.forms = forms + (own ?? [])
        self.isSecret = isSecret || names?.key?.isSecret == true
    }

    /// Whether nothing is declared here.
    var isEmpty: Bool { names == nil && forms.isEmpty }

    /// The settings of the tables that may be here.
    var schemas: [SettingsSchema] {
        forms.compactMap { if case .table(let reference) = $0.unwrapped { reference.schema } else { nil } }
    }

    /// The keys of the settings of this node, without those of nested tables.
    var settingKeys: [String] {
        schemas.flatMap { $0.fields.map(\.key) } + (names?.inner.keys.map(\.rawValue) ?? [])
    }
}

// MARK: - Steps

extension DeclaredNode {
    /// Returns the node of the value of a key in the table here.
    func child(_ key: String) -> DeclaredNode {
        let whole = PropertyKey(key)
        let found = forms.compactMap { $0.child(whole) }
        let node = DeclaredNode(names?.inner[whole], found.map(\.form), isSecret || found.contains(where: \.isSecret))
        guard let names, names.inner[whole] == nil, key.contains(byte: .dot) else { return node }
        // A key with dots is the name of a value in inner tables. The key of a dictionary is whole, but no declaration
        // unmasks what another one masks.
        let inner = along(key.parts(between: "."), from: names)
        return DeclaredNode(inner.names, found.map(\.form), node.isSecret || inner.isSecret)
    }

    private func along(_ keys: [Substring], from names: DeclaredTree) -> DeclaredNode {
        var names = names, isSecret = isSecret
        for key in keys {
            // A name below a secret one is secret, although it belongs to no declared value.
            guard let inner = names.inner[PropertyKey(String(key))] else { return DeclaredNode(nil, [], isSecret) }
            names = inner
            isSecret = isSecret || names.key?.isSecret == true
        }
        return DeclaredNode(names, [], isSecret)
    }

    /// Leads to the elements of an array.
    var element: DeclaredNode { DeclaredNode(nil, forms.map(\.element), isSecret) }

    /// Returns the node at a path with indices, such as `servers[2].port`.
    func descendant(path: String) -> DeclaredNode {
        path.parts(between: ".").reduce(self) { node, part in
            let key = part.prefix { $0 != "[" }
            return part.dropFirst(key.count).reduce(node.child(String(key))) { $1 == "[" ? $0.element : $0 }
        }
    }

    /// Leads to the value of a flat name.
    func descendant(_ name: String) -> DeclaredNode { name.parts(between: ".").reduce(self) { $0.child(String($1)) } }
}

extension Form {
    /// The form of the value of a key of a table, and whether it is declared secret. Nil if there is no such key.
    fileprivate func child(_ key: PropertyKey) -> (form: Form, isSecret: Bool)? {
        switch self {
        case .table(let reference): reference.schema.field(key).map { ($0.form, $0.isSecret) }
        case .optional(let form): form.child(key)
        case .dictionary(let form, _): (form, false)
        // A value of another kind is an error as a whole, so nothing inside it is reported.
        case .array, .value: (.value(Any.self), false)
        }
    }

    /// The form of the elements of an array.
    fileprivate var element: Form {
        if case .array(let element) = unwrapped { element } else { .value(Any.self) }
    }
}

// MARK: - Secrecy

extension DeclaredNode {
    /// Whether a name at or below this path, or a setting in a form here, is secret.
    var holdsSecret: Bool { isSecret || names?.holdsSecret == true || hasSecretSettings }

    /// Whether a setting inside the value at this path is secret.
    var hasSecretSettings: Bool { forms.contains(where: \.holdsSecret) }

    /// Whether a name at or below this path is declared as secret by its name.
    var hasSecretNames: Bool { names?.hasSecretNames == true }
}

// MARK: - What the value may be

extension DeclaredNode {
    /// Whether this is a table of settings, in which every other key is a mistake.
    var isTableOfSettings: Bool { names?.isSettings == true || !schemas.isEmpty }

    /// Whether a key with this name is declared, and not only its secrecy.
    var isKey: Bool { names?.key?.isDescribed == true }

    /// Whether names are declared in this table.
    var hasNames: Bool { names.map { !$0.inner.isEmpty || $0.isSettings } ?? false }

    /// Whether the value must be a table: a table of settings, a table that contains one, or a dictionary of such
    /// tables.
    var mustBeTable: Bool {
        let isTable = forms.contains { form in
            switch form.unwrapped {
            case .table: true
            case .dictionary(let values, _): values.hasSettings
            case .array, .value, .optional: false
            }
        }
        let isOther = forms.contains { form in
            switch form.unwrapped {
            case .table, .dictionary: false
            case .array, .value, .optional: true
            }
        }
        return !isOther && (isTable || names?.holdsSettings == true)
    }

    /// Whether only an array may be here.
    var mustBeArray: Bool {
        !forms.isEmpty && !hasNames && forms.allSatisfy { if case .array = $0.unwrapped { true } else { false } }
    }

    /// Whether nothing is declared inside the value here.
    var isOpen: Bool {
        !hasNames && forms.allSatisfy { if case .value = $0.unwrapped { true } else { false } }
    }

    /// Whether the value may be absent.
    var isOptional: Bool { forms.contains { if case .optional = $0 { true } else { false } } }

    /// Whether the keys here are those of a dictionary, which a variable separates by `__` on both sides.
    var isDictionary: Bool {
        forms.contains { if case .dictionary = $0.unwrapped { true } else { false } }
    }

    /// Whether something is declared inside the keys of a table here.
    var hasKeys: Bool {
        hasNames
            || forms.contains { form in
                switch form.unwrapped {
                case .table, .dictionary: true
                case .array, .value, .optional: false
                }
            }
    }

    /// Whether something may be declared inside the elements of an array here.
    var hasElements: Bool { forms.contains(where: \.isList) }
}
