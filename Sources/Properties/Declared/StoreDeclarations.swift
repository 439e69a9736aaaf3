/// The declarations of a store itself, without those of its parents.
struct StoreDeclarations: Sendable {
    /// The declared names.
    private(set) var tree = DeclaredTree() { didSet { version += 1 } }
    /// The settings types.
    private(set) var tables: [SettingsDeclaration] = []
    /// The former flat names that were declared apart from settings types.
    private(set) var renamed: [FormerPath] = []
    /// Increases with each declaration.
    private(set) var version = 0

    /// Whether a key is declared, and not only the secrecy of a name.
    var declaresKeys: Bool { tree.holds(.keys) }

    /// Declares the rule of a name, in addition to earlier rules of the same name.
    mutating func declare(_ name: PropertyKey, _ rule: any Rule) {
        DeclaredKey(name, DeclaredNode(root: tree).descendant(name.rawValue).rules, isSecret: false).check(rule)
        tree.add(.init(rules: [rule]), at: name)
    }

    /// Declares a name as secret.
    mutating func declareSecret(_ name: PropertyKey) { tree.add(.init(isSecret: true), at: name) }

    /// Declares former flat names of properties.
    mutating func declare(former names: [FormerPath]) { (renamed, version) = (renamed + names, version + 1) }

    /// Declares a settings type. If it is declared at the same name already, nothing happens, or the process ends if the
    /// declarations differ.
    mutating func declare(_ table: SettingsDeclaration) {
        if let earlier = tables.first(where: { $0.type == table.type && $0.name == table.name }) {
            return earlier.check(table)
        }
        let root = DeclaredNode(root: tree)
        for key in table.schema.keys(at: table.name?.rawValue) {
            let earlier = DeclaredKey(key.key, root.descendant(key.key.rawValue).rules, isSecret: false)
            for rule in key.rules { earlier.check(rule) }
        }
        tree.add(.init(tables: [table.schema]), at: table.name)
        tables.append(table)
    }
}

extension DeclaredKey {
    /// Ends the process if another rule of the name cannot be declared in addition to these rules.
    fileprivate func check(_ rule: any Rule) {
        if !rule.acceptsDefault {
            fatalError("The default of '\(key)' is not \(rule.noun). Correct the default, or the limits of the key.")
        }
        for earlier in rules where earlier !== rule {
            if earlier.attributes.isSetting, rule.attributes.isSetting, !earlier.isSame(as: rule) {
                fatalError(
                    "'\(key)' is declared as \(earlier.noun) and as \(rule.noun). Give both settings the same "
                        + "attributes.")
            }
            if let one = earlier.openDefault, let other = rule.openDefault, !PropertyValue.isSame(one, other) {
                fatalError("'\(key)' is declared with two different defaults. Declare it with one.")
            }
        }
    }
}
