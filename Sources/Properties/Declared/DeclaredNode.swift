/// The declarations of the value at one path: those of its name, those of settings types, and those that follow from
/// the form of a value around it.
///
/// Every lookup of a path goes through `child` and `element`, from the root to the declarations of a value. Code that
/// lists all settings walks the schemas.
///
/// A path may have several declarations, such as the dictionary `pools` and the key `pools.main.size`. They add up: a
/// name is known if one of them declares it, and secret if one of them makes it secret.
struct DeclaredNode {
    /// One declaration of the value.
    private struct Declaration {
        let form: Form
        /// The rule, or nil: an element of an array or a dictionary has none, and a table of settings has none of its own.
        var rule: (any Rule)?
        /// Whether it is declared for the flat name of this path. Otherwise it follows from the form of a value around
        /// it, such as an array.
        var isNamed = false

        /// The table of settings, whose settings have flat names, too. Nil for any other declaration.
        var namedTable: Schema? {
            if isNamed, rule == nil, case .table(let schema) = form { schema } else { nil }
        }
    }

    /// The declarations of one flat name, and the tree of the names below it.
    private struct Named {
        let tree: DeclaredTree?
        var declarations: [Declaration] = []

        /// Whether nothing is declared by the name.
        var isEmpty: Bool { tree == nil && declarations.isEmpty }

        /// Combines the declarations of the name in the tree with those that the tables of settings around it make
        /// (`settings`).
        init(_ tree: DeclaredTree?, _ settings: [Declaration] = []) {
            (self.tree, declarations) = (tree, settings)
            guard let tree, tree.isDeclared else { return }
            for rule in tree.rules { declarations.append(Declaration(form: rule.form, rule: rule, isNamed: true)) }
            for table in tree.tables { declarations.append(Declaration(form: .table(table), isNamed: true)) }
        }
    }

    /// The tree of the names that are declared at and below this path, or nil if there are none.
    private let tree: DeclaredTree?
    /// The declarations of the value. Those of its flat name come first.
    private let declarations: [Declaration]
    /// Whether the value, and everything in it, is secret.
    let isSecret: Bool
    /// The forms of the value at this path.
    var forms: some Collection<Form> { declarations.lazy.map(\.form) }

    /// Creates the node of all properties.
    init(root: DeclaredTree) { self.init(Named(root), isSecret: false) }

    private init(_ named: Named, isSecret: Bool) {
        tree = named.tree
        let isNameSecret = tree?.isSecret == true
        self.isSecret = isSecret || isNameSecret || named.declarations.contains { $0.rule?.isSecret == true }
        // Secret but undeclared: anything may stand here, and nothing in it is unknown.
        let isOnlySecret = isNameSecret && named.declarations.isEmpty && tree?.holds(.settings) == false
        declarations = isOnlySecret ? [Declaration(form: .value(Any.self))] : named.declarations
    }

    private var namedTables: [Schema] { declarations.compactMap(\.namedTable) }
    /// The rules by which the value is checked under its flat name.
    var rules: [any Rule] { declarations.filter(\.isNamed).compactMap(\.rule) }

    /// Whether nothing is declared here.
    var isEmpty: Bool { tree == nil && forms.isEmpty }

    /// The first rule of the value, whether it is checked under its flat name or as a part of another value. Nil if it
    /// has no rule.
    var rule: (any Rule)? { declarations.lazy.compactMap(\.rule).first }

    /// The settings of the tables that may be here.
    var schemas: [Schema] { forms.compactMap(\.table) }

    /// The keys of the settings of this node, without nested tables.
    var settingKeys: [String] {
        schemas.flatMap { $0.fields.map(\.key) } + (tree?.inner.keys.map(\.rawValue) ?? [])
    }

    /// Returns the name of this path as a declared key.
    func key(_ name: String, _ rules: [any Rule]) -> DeclaredKey {
        DeclaredKey(PropertyKey(name), rules, isSecret: isSecret, hidesDefault: hasSecretNames)
    }

    /// Returns the declared keys at and below this path, in no particular order. What is inside an array or a
    /// dictionary has no key.
    func keys(at name: String? = nil) -> [DeclaredKey] {
        let rules = rules, isKey = !rules.isEmpty || tree?.isSecret == true
        var inner = tree.map { Set($0.inner.keys) } ?? []
        for schema in namedTables { inner.formUnion(schema.fields.map { PropertyKey($0.key) }) }
        return (isKey ? name.map { [key($0, rules)] } ?? [] : [])
            + inner.flatMap { child($0.rawValue).keys(at: name.joined(path: ".\($0.rawValue)")) }
    }
}

// MARK: - Steps

extension DeclaredNode {
    /// Returns the node of a key in the table at this path.
    func child(_ key: String) -> DeclaredNode {
        let whole = PropertyKey(key)
        var found = named(whole), isSecret = isSecret
        if found.isEmpty, key.contains(byte: .dot), hasNames {
            // A key with dots is the name of a value in inner tables. A dictionary takes it as one key. Both are looked
            // up, because no declaration unmasks a value that another declaration masks.
            var node = self
            for part in key.parts(between: ".") {
                found = node.named(PropertyKey(String(part)))
                node = DeclaredNode(found, isSecret: false)
                // A name below a secret name is secret, although it belongs to no declared value.
                isSecret = isSecret || node.isSecret
            }
        }
        for value in declarations where value.namedTable == nil {
            if let inner = Self.child(whole, of: value.form) { found.declarations.append(inner) }
        }
        return DeclaredNode(found, isSecret: isSecret)
    }

    /// Returns the declarations that a key has by its flat name, and not by the form of a value.
    private func named(_ key: PropertyKey) -> Named {
        var settings: [Declaration] = []
        for case let field? in declarations.lazy.map({ $0.namedTable?.field(key) }) {
            settings.append(Declaration(form: field.form, rule: field.rule, isNamed: true))
        }
        return Named(tree?.inner[key], settings)
    }

    /// Returns the declaration of a key in a value of a form. Nil if the form has no such key.
    private static func child(_ key: PropertyKey, of form: Form) -> Declaration? {
        switch form {
        case .table(let schema): schema.field(key).map { Declaration(form: $0.form, rule: $0.rule) }
        case .optional(let form): child(key, of: form)
        case .dictionary(let form, _): Declaration(form: form)
        // A value of another kind is an error as a whole, so nothing inside it is reported.
        case .array, .value: Declaration(form: .value(Any.self))
        }
    }

    /// The node of the elements of an array.
    var element: DeclaredNode {
        let elements = declarations.map { declaration in
            if case .array(let element) = declaration.form.unwrapped { element } else { Form.value(Any.self) }
        }
        return DeclaredNode(Named(nil, elements.map { Declaration(form: $0) }), isSecret: isSecret)
    }

    /// Returns the node at a path with indices, such as `servers[2].port`.
    func descendant(path: String) -> DeclaredNode {
        path.parts(between: ".").reduce(self) { node, part in
            let key = part.prefix { $0 != "[" }
            return part.dropFirst(key.count).reduce(node.child(String(key))) { $1 == "[" ? $0.element : $0 }
        }
    }

    /// Returns the node of a flat name.
    func descendant(_ name: String) -> DeclaredNode { name.parts(between: ".").reduce(self) { $0.child(String($1)) } }
}

// MARK: - Secrecy

extension DeclaredNode {
    /// Whether a name at or below this path, or a setting in a form here, is secret.
    var holdsSecret: Bool { isSecret || tree?.holds(.secrets) == true || hasSecretSettings }

    /// Whether a setting inside the value at this path is secret.
    var hasSecretSettings: Bool { forms.contains { $0.traits.contains(.secrets) } }

    /// Whether a name at or below this path is secret, or is a table of settings with a secret anywhere in it.
    var hasSecretNames: Bool {
        tree?.holds(.secretNames) == true || namedTables.contains { $0.traits.contains(.secrets) }
    }
}

// MARK: - Former names

extension DeclaredNode {
    /// Whether a setting at or below this path has a former name, also inside values.
    var holdsFormerNames: Bool {
        tree?.holds(.formerNames) == true || forms.contains { $0.traits.contains(.formerNames) }
    }

    /// Returns the spelling of a flat name in variables and arguments. The key of a dictionary is a level of its own, and so
    /// is each name inside it.
    ///
    /// - Parameters:
    ///   - name: the flat name.
    ///   - isKnown: whether relaxed sources find the name whatever its spelling. Nil if there are none.
    /// - Returns: the spelling, whether the name is known as a whole, and whether it is the name of a value in a dictionary.
    func spelled(
        _ name: String, isKnown: Bool? = nil
    ) -> (name: String, isDeclared: Bool, isInDictionary: Bool) {
        let node = descendant(name), isDeclared = isKnown ?? node.isKey
        if isDeclared || node.isEmpty || node.isKey { return (name, isDeclared, false) }
        return (SettingNaming.snakeCase.keys(for: name).joined(separator: "."), false, true)
    }
}

// MARK: - What the value may be

extension DeclaredNode {
    /// Whether this is a table of settings, where every other key is a mistake.
    var isTableOfSettings: Bool { !schemas.isEmpty }

    /// Whether a key with this name is declared, and not only its secrecy.
    var isKey: Bool { declarations.contains { $0.isNamed && $0.rule != nil } }

    /// Whether names are declared in this table.
    var hasNames: Bool { tree?.inner.isEmpty == false || !namedTables.isEmpty }

    /// Whether a table has names that are declared by their own flat names, or is empty and may have them.
    func hasNames(in node: PropertyNode) -> Bool {
        guard hasNames, case .table(let table) = node.value else { return false }
        return table.isEmpty || table.entries.contains { !named(PropertyKey($0.key)).isEmpty }
    }

    /// Whether the value must be a table: a table of settings, a table that contains one, or a dictionary of such
    /// tables.
    var mustBeTable: Bool {
        forms.allSatisfy(\.isTable) && (forms.contains(where: \.hasSettings) || tree?.holds(.settings) == true)
    }

    /// Whether only a table, a dictionary, or an array of these may be here.
    var hasOnlyTables: Bool { mustBeTable || !forms.isEmpty && forms.allSatisfy(\.hasOnlyTables) }

    /// Whether only an array may be here.
    var mustBeArray: Bool { !forms.isEmpty && !hasNames && forms.allSatisfy(\.isList) }

    /// Whether nothing is declared inside the value here.
    var isOpen: Bool { !hasNames && forms.allSatisfy { !$0.isTable && !$0.isList } }

    /// Whether the value may be absent.
    var isOptional: Bool { forms.contains { if case .optional = $0 { true } else { false } } }

    /// Whether the keys here are keys of a dictionary, which a variable separates by `__` on both sides.
    var isDictionary: Bool { forms.contains(where: \.isDictionary) }

    /// Whether something is declared inside the keys of a table here.
    var hasKeys: Bool { hasNames || forms.contains(where: \.isTable) }

    /// Whether something may be declared inside the elements of an array here.
    var hasElements: Bool { forms.contains(where: \.isList) }
}
