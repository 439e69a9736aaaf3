extension MergedState {
    /// The values in force of all declared keys and of the settings inside them, sorted by name.
    var values: [PropertyEntry] {
        declarations.compactMap { key in value(of: key).map { key.form.settings(in: $0) } }.joined()
            .sorted(byName: \.name)
    }

    /// Returns the value in force of a declared key, or nil if it has none. Tables of settings in it have their defaults.
    func value(of declaration: DeclaredKey) -> PropertyEntry? {
        let name = declaration.key.rawValue
        if !isMissing(declaration.key), let node = node(declaration.key) {
            let shown = declaration.form.shown(node)
            return PropertyEntry(name: name, node: declaration.isSecret ? shown.markedSecret : shown)
        }
        // Of a name that was only declared secret, nothing is known unless a source has it.
        if declaration.isRequired || !declaration.isDescribed { return nil }
        let fallback = masked(declaration).defaultEntry
        return PropertyEntry(name: name, node: declaration.form.shown(fallback.node))
    }

    /// Returns what is declared of a flat name, also inside a dictionary, an array or an optional table: `servers[2].port`.
    /// Nil if nothing but its secrecy is.
    func declaration(at name: String) -> DeclaredKey? {
        let node = declared.root.descendant(path: name)
        guard let rule = node.rule else { return nil }
        let table = name.path.dropLast().joined(separator: ".")
        let former = rule.attributes.formerName.map { ["\(table).\($0)"] } ?? []
        return DeclaredKey(PropertyKey(name), node.rules.isEmpty ? [rule] : node.rules, isSecret: node.isSecret)
            .changing { $0.formerNames = former }
    }

    /// Returns the value in force of a setting inside the value of a declared key, or nil if its table is not there.
    func value(inside name: String) -> PropertyEntry? {
        for key in declarations where name.isInside(key.key.rawValue) && key.form.hasSettings {
            guard let outer = value(of: key) else { continue }
            return key.form.tables(in: outer).first { $0.name.isSame(as: name) }
        }
        return nil
    }

    /// Whether no source has a value for a name. A value that cannot be read is not missing.
    func isMissing(_ key: PropertyKey) -> Bool { (node(key)?.isNull ?? true) && cause(of: key) == nil }

    /// Returns a declared key without its default if that is secret, or contains the value of a secret key.
    func masked(_ key: DeclaredKey) -> DeclaredKey {
        let node = declared.node(key.key)
        if node.isSecret { return key.masked }
        return node.hasSecretNames ? key.withoutDefault : key
    }
}

extension String {
    /// Whether this path leads to a value inside the value of a flat name: `servers[2].port` is inside `servers`.
    fileprivate func isInside(_ name: String) -> Bool { begins(with: name + ".") || begins(with: name + "[") }
}
