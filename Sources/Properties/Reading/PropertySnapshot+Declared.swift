// MARK: - Declared keys

extension PropertyReading where Properties == Self {
    /// The keys that were declared in this store and its parents, sorted by name. They do not show the defaults of secrets.
    package var declaredKeys: [DeclaredKey] {
        let state = snapshot.state
        return state.declaredKeys.map { state.masked($0) }
    }
}

// What the references need to know about the declarations, apart from the declared keys.
extension PropertySnapshot {
    /// Returns what is declared of a value, also inside a dictionary, an array or an optional table: `servers[2].port`. Nil
    /// if nothing but its secrecy is.
    func declaredKey(at path: String) -> DeclaredKey? {
        state.declaration(at: path).map { state.masked($0) }
    }

    /// Returns the settings of the table at a path, or an empty array if it is not a table of settings.
    func settings(inTable path: String) -> [DeclaredKey] {
        state.declarations.root.descendant(path: path).schemas.flatMap { $0.keys(at: path) }.map { state.masked($0) }
    }

    /// Returns the settings of a table by their names in it, with the variables of their own. The name is that of the
    /// table, or nil in an array or a dictionary, whose settings have no flat names.
    func settings(of schema: Schema, at name: String?) -> [DeclaredKey] {
        let variables = name == nil ? [:] : variableNames
        return schema.keys(at: nil).map { key in
            key.changing { $0.variable = variables[PropertyKey(name.joined(path: ".\(key.key)"))] }
        }
    }

    /// Whether settings are declared in the table with a flat name.
    func isTableOfSettings(_ name: String) -> Bool { state.declarations.node(PropertyKey(name)).isTableOfSettings }

    /// The variables of the settings that have a variable of their own, by the flat names of the settings.
    var variableNames: [PropertyKey: String] { state.declarations.variableNames }

    /// Returns the name that a property with a former name has now. Nil if the name is not a former name.
    func currentName(of name: String) -> String? { state.declarations.currentName(of: name) }

    // MARK: - Values in force

    /// Returns the value in force of a declared key, or nil if it has none.
    func value(of key: DeclaredKey) -> PropertyEntry? { state.value(of: key) }

    /// Returns the value in force of a setting inside the value of a declared key, or nil if its table is not there.
    func value(inside path: String) -> PropertyEntry? { state.value(inside: path) }

    /// All names that a source has, including the names of tables.
    var names: [String] { state.tree.all.map(\.name) }
}
