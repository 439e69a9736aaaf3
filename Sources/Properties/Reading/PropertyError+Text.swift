// The one place that puts a read error into words.
extension PropertyError: CustomStringConvertible {
    /// One line: `config.toml:12:11: 'api.timeout' is the string "30"; expected an integer. Remove the quotes.`
    public var description: String { PrintableText.escaped(message) }

    private var message: String {
        if let cause { return cause.description }
        if reason == .unknownKey { return "\(place)\(subject) is not a key that is read.\(advice)" }
        guard let node else { return missing }
        var text = "\(place)\(subject) is \(valueText(node)); expected \(expected)"
        if let complaint { text += " (\(complaint))" }
        if let overridden { text += " (it overrides \(overridden))" }
        if let remedy { text += ". \(remedy)" }
        return text.ends(with: "?") ? text : text + "."
    }

    private var missing: String {
        guard let removal else { return "\(place)\(subject) is missing; expected \(expected).\(advice)" }
        let was = overridden.map { " (it was \($0))" } ?? ""
        let how = removal.node.isNull ? "null" : "replaced"
        return "\(place)\(subject) is missing, since '\(removal.name)' is \(how) here\(was); expected \(expected). "
            + "Set it here too."
    }

    /// What removed the value that an earlier source had.
    var removal: PropertyEntry? {
        guard reason == .missing, node == nil, !isAboutAll else { return nil }
        return snapshot.removal(of: PropertyKey(name))
    }

    /// The nearest name that there is, for a name that there is not; for a key that nobody reads, the nearest that is.
    public var suggestion: String? {
        if let candidates { return candidates.nearest }
        guard reason == .missing, node == nil, removal == nil else { return nil }
        return Suggestions.nearest(to: name, in: snapshot.tree)
    }

    /// What the value overrode, the latest first.
    public var overrode: [PropertyEntry] {
        // What was read as a secret was one before, too, whether or not the store knows it.
        snapshot.history(of: PropertyKey(name)).dropFirst().map { isSecret ? $0.masked : $0 }
    }

    private var subject: String { isAboutAll ? "the root" : "'\(name)'" }

    private var place: String { origin.map { "\($0): " } ?? "" }

    private var advice: String {
        guard let suggestion else { return "" }
        guard reason == .missing, let index = snapshot.find(PropertyKey(suggestion)) else {
            return " Did you mean '\(suggestion)'?"
        }
        return " Did you mean '\(suggestion)' (\(snapshot.tree.elements[index].node.origin))?"
    }

    private func valueText(_ node: PropertyNode) -> String {
        guard isSecret, !node.isNull else { return ValueText.described(node.value) }
        return "\(TypeName.noun(of: node.value)) that is secret"
    }

    private var overridden: String? {
        overrode.first.map { "\($0.valueText) at \($0.node.origin)" }
    }
}

// MARK: - Dumps

// A dump would walk into the store's state, secrets included.
extension PropertyError: CustomReflectable {
    /// The message alone.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
