// The one place that puts a read error into words.
extension PropertyError: CustomStringConvertible {
    /// One line: `config.toml:12:11: 'api.timeout' is the string "30"; expected an integer. Remove the quotes.`
    public var description: String {
        guard let origin else { return missingText }
        if reason == .missing, !path.isEmpty {
            return "\(origin): '\(name)\(path)' is missing; expected \(expected)."
        }
        var text = "\(origin): '\(name)\(path)' is \(valueText); expected \(expected)"
        if let overridden { text += " (it overrides \(overridden))" }
        if let remedy { text += ". \(remedy)" }
        return text + "."
    }

    /// The nearest name that there is, for a name that there is not.
    public var suggestion: String? {
        reason == .missing && origin == nil ? Suggestions.nearest(to: name, in: snapshot.tree) : nil
    }

    /// What the value overrode, the latest first.
    public var overrode: [PropertyEntry] {
        Array(snapshot.history(of: PropertyKey(name)).dropFirst())
    }

    private var missingText: String {
        let text = "'\(name)' is missing; expected \(expected)."
        guard let suggestion, let index = snapshot.tree.find(PropertyKey(suggestion)) else { return text }
        return "\(text) Did you mean '\(suggestion)' (\(snapshot.tree.elements[index].node.origin))?"
    }

    private var valueText: String {
        guard let node else { return "missing" }
        guard let index = snapshot.tree.find(PropertyKey(name)), snapshot.isSecret(index) else {
            return ValueText.described(node.value)
        }
        return "\(TypeName.noun(of: node.value)) that is secret"
    }

    private var overridden: String? {
        overrode.first.map { "\($0.valueText) at \($0.node.origin)" }
    }
}
