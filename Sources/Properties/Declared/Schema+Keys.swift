extension Schema {
    /// Returns the settings as declared keys, in the table with a flat name, or of all properties for nil.
    ///
    /// They are in the order of `Field.valueIndex`: the decoding order of the type, with the settings of a nested table in
    /// the place of the table.
    func keys(at name: String?) -> [DeclaredKey] {
        let keys = fields.flatMap { field in
            let inner = name.joined(path: ".\(field.key)")
            return switch field.content {
            case .value(let rule): [DeclaredKey(PropertyKey(inner), [rule])]
            case .table(let schema): schema.keys(at: inner)
            }
        }
        if settingsRules.isEmpty { return keys }
        let texts = settingsRuleTexts(at: name)
        return keys.map { key in key.changing { $0.settingsRules += texts[key.key] ?? [] } }
    }

    /// The rules of this table, by the flat names of the settings that they are about.
    private func settingsRuleTexts(at name: String?) -> [PropertyKey: [String]] {
        var texts: [PropertyKey: [String]] = [:]
        for rule in settingsRules {
            for path in rule.settings {
                texts[PropertyKey(name.joined(path: path.map { ".\($0.key)" }.joined())), default: []].append(
                    rule.expected)
            }
        }
        return texts
    }
}
