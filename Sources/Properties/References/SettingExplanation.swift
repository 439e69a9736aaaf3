/// The known facts about one setting or property: its value and origin, and the valid values.
public struct SettingExplanation: Sendable {
    /// The flat name.
    public let name: String
    /// The value in force, which may be the default. Nil if there is none.
    public let value: PropertyEntry?
    /// The values that it overrode, the latest first. If the first value has another name, it replaced the table of the
    /// setting.
    public let overridden: [PropertyEntry]
    /// The default as JSON text. Nil if there is none, or if it is secret.
    public let defaultText: String?
    /// The valid values as a noun, such as "an integer from 1 to 65535". Nil for a property that is not declared.
    public let rule: String?
    /// The purpose of the setting, or nil.
    public let summary: String?
    /// Whether a source must have a value.
    public let isRequired: Bool
    /// Whether the value at the start of the service is kept until a restart.
    public let needsRestart: Bool
    /// The variable that sets it too, whatever the prefix of the environment, or nil.
    public var variable: String?
    /// The names that the setting had in earlier versions, which sources may still use.
    public var formerNames: [String] = []
    /// What is expected of the setting together with others.
    public var rules: [String] = []
}

extension SettingExplanation: CustomStringConvertible {
    /// A line for each part, with secrets masked.
    public var description: String {
        var rows = [("setting", name), ("value", value?.fullText ?? "none")]
        rows += overridden.map { entry in
            ("overrides", (entry.name.isSame(as: name) ? "" : "\(entry.name) = ") + entry.fullText)
        }
        rows.append(("default", defaultText ?? (isRequired ? "none, a source must have a value" : "none")))
        rows.append(("rule", rule ?? "none, the property is not declared"))
        rows += rules.map { ("together", $0) }
        if let summary { rows.append(("summary", summary)) }
        if let variable { rows.append(("variable", variable)) }
        if !formerNames.isEmpty { rows.append(("formerly", formerNames.joined(separator: ", "))) }
        rows.append(("restart", needsRestart ? "needed" : "not needed"))
        let lines = rows.map { title, text in
            title + String(repeating: " ", count: 11 - title.count) + PrintableText.escaped(text)
        }
        return lines.joined(separator: "\n")
    }

    /// The parts as a JSON object, with secrets masked.
    public var json: String {
        func object(_ entry: PropertyEntry) -> String {
            let name = entry.name.isSame(as: name) ? "" : "\"name\": \(JsonText.quoted(entry.name)), "
            return "{\(name)\"value\": \(entry.json), \"origin\": \(JsonText.quoted("\(entry.node.origin)"))}"
        }
        func text(_ text: String?) -> String { text.map(JsonText.quoted) ?? "null" }
        let overridden = overridden.map(object).joined(separator: ", ")
        let names = formerNames.map(JsonText.quoted).joined(separator: ", ")
        let former = formerNames.isEmpty ? "" : ",\n  \"formerNames\": [\(names)]"
        let together = rules.isEmpty ? "" : ",\n  \"rules\": [\(rules.map(JsonText.quoted).joined(separator: ", "))]"
        return """
            {
              "name": \(JsonText.quoted(name)),
              "value": \(value?.json ?? "null"),
              "origin": \(text(value.map { "\($0.node.origin)" })),
              "overrides": [\(overridden)],
              "default": \(defaultText ?? "null"),
              "rule": \(text(rule)),
              "summary": \(text(summary)),
              "required": \(isRequired),
              "needsRestart": \(needsRestart)\(variable.map { ",\n  \"variable\": \(JsonText.quoted($0))" } ?? "")\(former)\(together)
            }
            """
    }
}

extension PropertyReading where Properties == Self {
    /// Returns the known facts about a setting, a table of settings or a property: its value in force, the overridden
    /// values, and its rule.
    ///
    ///     print(try store.explain("api.timeout"))
    ///
    /// - Parameter name: the flat name.
    /// - Returns: the explanation. For a former name of a setting, it is the explanation of the setting.
    /// - Throws: a `PropertyError` with the most similar name if the name is neither declared nor in a source.
    public func explain(_ name: String) throws(PropertyError) -> SettingExplanation {
        let state = snapshot.state, key = PropertyKey(name)
        let named = state.declarations.first { $0.key == key && $0.isDescribed }
        let declared = (named ?? state.declaration(at: name)).map { state.masked($0) }
        let history = state.history(of: key)
        if declared == nil, let table = tableExplanation(of: name, history) { return table }
        if declared == nil, history.isEmpty {
            if let current = state.declared.currentName(of: name) { return try explain(current) }
            let names = Set(state.declarations.map(\.key.rawValue) + state.names.all.map(\.name)).sorted(byName: \.self)
            throw PropertyError(
                PropertyError.Parts(
                    reason: .unknownKey, name: name, expected: "a key that is read",
                    candidates: Candidates(written: name, names: names), history: state))
        }
        let isRemoved = history.first?.name.isSame(as: name) == false
        let value =
            named == nil && declared != nil
            ? state.value(inside: name) : declared.map { state.value(of: $0) } ?? (isRemoved ? nil : history.first)
        let isInForce = value.map { $0.node.origin != DeclaredKey.defaultOrigin } ?? false
        return SettingExplanation(
            name: name, value: value, overridden: Array(isInForce ? history.dropFirst() : history[...]),
            defaultText: declared?.defaultText, rule: declared?.expected ?? state.rule(inside: name),
            summary: declared?.summary,
            isRequired: declared?.isRequired ?? false, needsRestart: declared?.needsRestart ?? false,
            variable: state.declared.variables.first { $0.setting == key }?.name,
            formerNames: declared?.notes.formerNames ?? [], rules: declared?.notes.rules ?? [])
    }

    /// Returns the known facts about a table of settings, or nil if no setting is declared in it.
    private func tableExplanation(of name: String, _ history: [PropertyEntry]) -> SettingExplanation? {
        let state = snapshot.state, start = name + "."
        let inside = state.declared.root.descendant(path: name).schemas.flatMap { $0.keys(at: name) }
        let declared = state.declarations.filter { $0.isDescribed && $0.key.rawValue.begins(with: start) }
        let keys = declared.isEmpty ? inside : declared
        guard !keys.isEmpty else { return nil }
        let fallback = keys.map { state.masked($0).defaultEntry }.table(below: start)
        let values: PropertyValue
        if declared.isEmpty {
            guard let value = state.value(inside: name) else {
                return SettingExplanation(
                    name: name, value: nil, overridden: [], defaultText: JsonText.text(PropertyNode(fallback)),
                    rule: "a table of settings", summary: nil, isRequired: false, needsRestart: false)
            }
            values = value.node.value
        } else {
            values = allValues.table(below: start)
        }
        // The tables of several sources are merged, so the values are not all from the last table.
        let origin =
            switch history.count {
            case 0: DeclaredKey.defaultOrigin
            case 1: history[0].node.origin
            default: PropertyOrigin(source: PropertySource(name: "several sources"))
            }
        return SettingExplanation(
            name: name, value: PropertyEntry(name: name, node: PropertyNode(values, origin: origin)),
            overridden: [], defaultText: JsonText.text(PropertyNode(fallback)), rule: "a table of settings",
            summary: nil, isRequired: false, needsRestart: false)
    }

    /// The values in force of all declared settings, as `values`, and all other properties of the sources, sorted by
    /// name.
    package var allValues: [PropertyEntry] {
        let values = values
        let names = Set(values.map { PropertyKey($0.name) } + declaredKeys.filter(\.isDescribed).map(\.key))
        let others = entries.filter { entry in
            let name = entry.name
            let isInside = name.utf8.indices.contains { index in
                name.utf8[index] == .dot && names.contains(PropertyKey(String(name[..<index])))
            }
            return !isInside && !names.contains(PropertyKey(name))
        }
        return (values + others).sorted(byName: \.name)
    }
}

extension MergedState {
    /// Returns the rule of a property inside the value of a declared key, such as a table in a dictionary, or nil.
    fileprivate func rule(inside name: String) -> String? {
        let outer = declarations.last { $0.isDescribed && name.begins(with: $0.key.rawValue + ".") }
        return outer.map { "a part of '\($0.key)', which is \($0.expected)" }
    }
}

extension [PropertyEntry] {
    /// Returns the entries whose names begin with a text, as a table of the rest of their names.
    fileprivate func table(below start: String) -> PropertyValue {
        let entries = filter { $0.name.begins(with: start) }
            .map { PropertyTable.Entry(key: String($0.name.dropFirst(start.count)), node: $0.node) }
        let table = PropertyTable(entries: entries)
        // Names that are in conflict stay as they are.
        return .table((try? table.splitAtFirstLevel(depthLimit: PropertyLayer.depthLimit)) ?? table)
    }
}
