/// The declarations at one path of the properties: by names, by settings types, and in the forms of values around it.
///
/// All code follows the declarations by its methods: `child` and `element` lead from the root to the declarations of a
/// value.
///
/// A path may have several declarations, such as the dictionary `pools` and the key `pools.main.size`. They add up: a
/// name is known if one of them declares it, and secret if one of them makes it secret.
struct DeclaredNode {
    private let byName: ByName
    private let byEnclosingValue: [ByEnclosingValue]
    /// Whether everything here is secret.
    let isSecret: Bool
    /// The forms of the value at this path.
    let forms: [Form]

    /// Creates the node of all properties.
    init(root: DeclaredTree) { self.init(ByName(root), [], false) }

    private init(_ byName: ByName, _ byEnclosingValue: [ByEnclosingValue], _ isSecret: Bool) {
        self.byName = byName
        self.isSecret = isSecret || byName.isSecret
        // Secret but undeclared: anything may stand here, and nothing in it is unknown.
        self.byEnclosingValue = byEnclosingValue.isEmpty && byName.isOnlySecret ? [.anything] : byEnclosingValue
        forms =
            self.byEnclosingValue.map(\.form) + byName.rules.map(\.form) + byName.tables.map { .table($0) }
    }

    /// The declarations by the flat name of this path: by its own name, and by the tables of settings that it is in.
    private struct ByName {
        /// The declared names at and below this path, or nil.
        let tree: DeclaredTree?
        /// The rules of the value.
        var rules: [any Rule]
        /// The settings types that are declared as the table at this path, or are a table in one of them.
        var tables: [Schema]

        init(_ tree: DeclaredTree? = nil) {
            (self.tree, rules, tables) = (tree, tree?.rules ?? [], tree?.tables ?? [])
        }

        /// Leads to the value of a key, or to nothing.
        func child(_ key: PropertyKey) -> ByName {
            var child = ByName(tree?.inner[key])
            for field in tables.compactMap({ $0.field(key) }) {
                switch field.content {
                case .value(let rule): child.rules.insert(rule, at: 0)
                case .table(let schema): child.tables.append(schema)
                }
            }
            return child
        }

        var isEmpty: Bool { tree == nil && rules.isEmpty && tables.isEmpty }
        var isSecret: Bool { tree?.isSecret == true || rules.contains(where: \.isSecret) }
        /// Whether the name is declared secret, but has no rule, and no settings type is declared at or below it.
        var isOnlySecret: Bool {
            tree?.isSecret == true && tree?.holdsSettings == false && rules.isEmpty && tables.isEmpty
        }
    }

    /// A declaration by the form of a value that encloses this path, such as an array or an optional table. An element of an
    /// array or a dictionary has no rule of its own.
    fileprivate struct ByEnclosingValue {
        let form: Form
        var rule: (any Rule)?

        /// The declaration of a value that may be anything.
        static var anything: ByEnclosingValue { ByEnclosingValue(form: .value(Any.self)) }
    }

    private var tree: DeclaredTree? { byName.tree }
    /// The rules of the value at this path, which is checked by its name.
    var rules: [any Rule] { byName.rules }

    /// Whether nothing is declared here.
    var isEmpty: Bool { tree == nil && forms.isEmpty }

    /// The rule of the value at this path, also inside another value, or nil.
    var rule: (any Rule)? { rules.first ?? byEnclosingValue.lazy.compactMap(\.rule).first }

    /// The settings of the tables that may be here.
    var schemas: [Schema] {
        forms.compactMap { if case .table(let schema) = $0.unwrapped { schema } else { nil } }
    }

    /// The keys of the settings of this node, without nested tables.
    var settingKeys: [String] {
        schemas.flatMap { $0.fields.map(\.key) } + (tree?.inner.keys.map(\.rawValue) ?? [])
    }

    /// The names at and below this path that are declared by themselves, with their rules, without an order.
    var keys: [DeclaredKey] { Self.keys(byName, at: nil) }

    private static func keys(_ byName: ByName, at name: String?) -> [DeclaredKey] {
        // Secrecy that a table has is added by `MergedState.masked`.
        let isSecret = byName.tree?.isSecret == true
        var keys: [DeclaredKey] = []
        if let name, !byName.rules.isEmpty || isSecret {
            keys.append(DeclaredKey(PropertyKey(name), byName.rules, isSecret: isSecret))
        }
        var inner = byName.tree.map { Set($0.inner.keys) } ?? []
        for schema in byName.tables { inner.formUnion(schema.fields.map { PropertyKey($0.key) }) }
        return keys
            + inner.flatMap { Self.keys(byName.child($0), at: name.joined(path: ".\($0.rawValue)")) }
    }
}

// MARK: - Steps

extension DeclaredNode {
    /// Returns the node of the value of a key in the table here.
    func child(_ key: String) -> DeclaredNode {
        let whole = PropertyKey(key), child = byName.child(whole)
        let enclosing = (byEnclosingValue.map(\.form) + rules.map(\.form)).compactMap { $0.child(whole) }
        let isSecret = isSecret || enclosing.contains { $0.rule?.isSecret == true }
        guard child.isEmpty, key.contains(byte: .dot), !byName.isEmpty else {
            return DeclaredNode(child, enclosing, isSecret)
        }
        // A key with dots is the name of a value in inner tables. The key of a dictionary is whole, but no declaration
        // unmasks a value that another declaration masks.
        var inner = byName, isMasked = isSecret
        for part in key.parts(between: ".") {
            inner = inner.child(PropertyKey(String(part)))
            // A name below a secret name is secret, although it belongs to no declared value.
            isMasked = isMasked || inner.isSecret
        }
        return DeclaredNode(inner, enclosing, isMasked)
    }

    /// Leads to the elements of an array.
    var element: DeclaredNode { DeclaredNode(ByName(), forms.map { ByEnclosingValue(form: $0.element) }, isSecret) }

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
    /// Returns the declarations of the value of a key in this value. Nil if there is no such key.
    fileprivate func child(_ key: PropertyKey) -> DeclaredNode.ByEnclosingValue? {
        switch self {
        case .table(let schema): schema.field(key).map { DeclaredNode.ByEnclosingValue(form: $0.form, rule: $0.rule) }
        case .optional(let form): form.child(key)
        case .dictionary(let form, _): DeclaredNode.ByEnclosingValue(form: form)
        // A value of another kind is an error as a whole, so nothing inside it is reported.
        case .array, .value: .anything
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
    var holdsSecret: Bool { isSecret || tree?.holdsSecret == true || hasSecretSettings }

    /// Whether a setting inside the value at this path is secret.
    var hasSecretSettings: Bool { forms.contains(where: \.holdsSecret) }

    /// Whether a name at or below this path is secret, not counting settings inside values.
    var hasSecretNames: Bool { tree?.hasSecretNames == true || byName.tables.contains { $0.attributes.holdsSecret } }
}

// MARK: - Former names

extension DeclaredNode {
    /// Whether a setting at or below this path has a former name, also inside values.
    var holdsFormerNames: Bool { tree?.holdsFormerNames == true || forms.contains(where: \.holdsFormerNames) }

    /// Returns the spelling of a flat name in variables and arguments, and whether the name is known as a whole. The
    /// key of a dictionary is a level of its own, and so is each name inside it.
    func spelled(_ name: String) -> (name: String, isDeclared: Bool) {
        let node = descendant(name)
        if node.isEmpty || node.isKey { return (name, node.isKey) }
        return (SettingNaming.snakeCase.keys(for: name).joined(separator: "."), false)
    }
}

// MARK: - What the value may be

extension DeclaredNode {
    /// Whether this is a table of settings, where every other key is a mistake.
    var isTableOfSettings: Bool { !schemas.isEmpty }

    /// Whether a key with this name is declared, and not only its secrecy.
    var isKey: Bool { !rules.isEmpty }

    /// Whether names are declared in this table.
    var hasNames: Bool { tree?.inner.isEmpty == false || !byName.tables.isEmpty }

    /// Whether a table has names that are declared by their own flat names, or is empty and may have them.
    func hasNames(in node: PropertyNode) -> Bool {
        guard hasNames, case .table(let table) = node.value else { return false }
        return table.isEmpty || table.entries.contains { !byName.child(PropertyKey($0.key)).isEmpty }
    }

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
        return !isOther && (isTable || tree?.holdsSettings == true)
    }

    /// Whether only a table, a dictionary, or an array of these may be here.
    var hasOnlyTables: Bool { mustBeTable || !forms.isEmpty && forms.allSatisfy(\.hasOnlyTables) }

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

    /// Whether the keys here are keys of a dictionary, which a variable separates by `__` on both sides.
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
