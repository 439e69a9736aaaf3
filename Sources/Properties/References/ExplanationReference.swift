/// Explains a name: a setting, a table of settings, or a property that is not declared.
struct ExplanationReference {
    private let snapshot: PropertySnapshot
    private let state: MergedState
    private let name: String
    /// The values that the sources have for the name, the latest first. If the first value has another name, it
    /// replaced the table that the name was in.
    private let history: [PropertyEntry]

    init(of name: String, in snapshot: PropertySnapshot) {
        (self.name, self.snapshot, state) = (name, snapshot, snapshot.state)
        history = snapshot.history(of: name)
    }

    /// Returns the explanation.
    ///
    /// - Throws: the error about an unknown name if the name is neither declared, nor a former name, nor in a source.
    func explanation() throws(PropertyError) -> SettingExplanation {
        if let explanation = setting ?? table ?? property { return explanation }
        if let current = state.declarations.currentName(of: name) {
            return try ExplanationReference(of: current, in: snapshot).explanation()
        }
        let names = Set(state.declarations.keys.map(\.key.rawValue) + state.tree.all.map(\.name)).sorted(byName: \.self)
        throw snapshot.unknownName(name, at: nil, written: name, among: names)
    }

    /// The explanation of a declared key, or of a setting inside the value of a declared key. Nil if the name is neither.
    private var setting: SettingExplanation? {
        if let key = state.declarations.keys.first(where: { $0.key == PropertyKey(name) && $0.isDescribed }) {
            return explanation(of: key, value: state.value(of: key))
        }
        return state.declaration(at: name).map { explanation(of: $0, value: state.value(inside: name)) }
    }

    private func explanation(of key: DeclaredKey, value: PropertyEntry?) -> SettingExplanation {
        SettingExplanation(
            name: name, value: value, overridden: overridden(by: value), defaultText: key.defaultText,
            rule: key.expected, summary: key.summary, isRequired: key.isRequired, needsRestart: key.needsRestart,
            variable: key.notes.variable, formerNames: key.notes.formerNames,
            unset: state.layers.compactMap { $0.given.unset?(name, key.notes.variable) },
            rules: key.notes.settingsRules)
    }

    /// The explanation of a property that is not declared, or nil if no source has or had it.
    private var property: SettingExplanation? {
        guard let latest = history.first else { return nil }
        let value = latest.name.isSame(as: name) ? latest : nil
        return SettingExplanation(
            name: name, value: value, overridden: overridden(by: value), defaultText: nil, rule: ruleOfOuterKey)
    }

    /// The rule of a property inside the value of a declared key, such as a key of a dictionary. Nil for other properties.
    private var ruleOfOuterKey: String? {
        let tables = Set(PropertyKey(name).tables)
        let outer = state.declarations.keys.last { $0.isDescribed && tables.contains($0.key) }
        return outer.map { "a part of '\($0.key)', which is \($0.expected)" }
    }

    /// Returns the values of the sources that are not in force: all of them if the value is the default or nil.
    private func overridden(by value: PropertyEntry?) -> [PropertyEntry] {
        let isInSource = value.map { $0.node.origin != DeclaredKey.defaultOrigin } ?? false
        return isInSource ? Array(history.dropFirst()) : history
    }
}

// MARK: - Tables

extension ExplanationReference {
    /// The explanation of a table of settings, or nil if no setting is declared in it.
    private var table: SettingExplanation? {
        let start = name + "."
        let declared = state.declarations.keys.filter { $0.isDescribed && $0.key.rawValue.begins(with: start) }
        // A table inside the value of a declared key, such as `servers[2]`, has no declared keys of its own.
        let settings = declared.isEmpty ? settingsInTable : declared
        if settings.isEmpty { return nil }
        let value =
            declared.isEmpty ? state.value(inside: name)?.node.value : snapshot.allValues.table(below: start)
        let defaults = settings.map(\.defaultEntry).table(below: start)
        return SettingExplanation(
            name: name, value: value.map { PropertyEntry(name: name, node: PropertyNode($0, origin: tableOrigin)) },
            overridden: [], defaultText: JsonText.text(PropertyNode(defaults)), rule: "a table of settings",
            isTable: true)
    }

    /// The settings of a table inside the value of a declared key, or an empty array.
    private var settingsInTable: [DeclaredKey] {
        let schemas = state.declarations.root.descendant(path: name).schemas
        return schemas.flatMap { $0.keys(at: name) }.compactMap { state.declaration(at: $0.key.rawValue) }
    }

    /// The origin of the table. The tables of several sources are merged, so the values are not all from the last table.
    private var tableOrigin: PropertyOrigin {
        switch history.count {
        case 0: DeclaredKey.defaultOrigin
        case 1: history[0].node.origin
        default: PropertyOrigin(source: PropertySource(name: "several sources"))
        }
    }
}

extension [PropertyEntry] {
    /// Returns the entries whose names begin with a text, as a table of the rest of their names.
    fileprivate func table(below start: String) -> PropertyValue {
        let entries = filter { $0.name.begins(with: start) }
            .map { PropertyTable.Entry(key: String($0.name.dropFirst(start.count)), node: $0.node) }
        let table = PropertyTable(entries: entries)
        // Names that are in conflict stay as they are.
        return .table((try? table.splitAtDots(levels: 1)) ?? table)
    }
}
