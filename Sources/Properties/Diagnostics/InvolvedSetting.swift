import TextBasics

/// A setting in the error about a rule that several settings break together.
struct InvolvedSetting: Sendable {
    /// The flat name of the value that was read, or nil until that is known.
    var name: String?
    /// The path from that value to the setting.
    var path = ""
    /// The value in a source, or nil if there is none.
    var node: PropertyNode?
    /// Whether the value is masked.
    var isSecret: Bool
    /// The default, which is used if no source has a value. Nil if there is none, or if it is secret.
    let fallback: PropertyValue?

    /// The flat name of the setting, with the path inside a value.
    var flatName: String { name.joined(path: path) }

    /// Whether no source has a value.
    var isUnset: Bool { node?.isNull ?? true }

    func inside(_ step: String) -> InvolvedSetting {
        var setting = self
        setting.path = step + path
        return setting
    }

    /// Returns the setting as a part of the value that was read: with the name of that value, and secret if that is.
    func read(at name: String?, isSecret: Bool) -> InvolvedSetting {
        var setting = self
        setting.name = self.name ?? name
        setting.isSecret = self.isSecret || isSecret || node?.holdsSecret == true
        return setting
    }

    /// Describes the setting and its value: `'pool.max' is the integer 4 (config.toml:3:7)`.
    ///
    /// - Parameter origin: the place at which the message begins, which is not repeated.
    /// - Returns: the clause.
    func text(besides origin: PropertyOrigin?) -> String {
        guard let node, !node.isNull else {
            if isSecret { return "'\(flatName)' is not set" }
            let value = fallback.map { " is \(Self.text(PropertyNode($0))) by default" }
            return "'\(flatName)'\(value ?? " is not set")"
        }
        let place = node.origin == origin || node.origin.source.isUnknown ? "" : " (\(node.origin))"
        let isShown = node.disclosure(isDeclared: true) >= .values
        let value =
            isSecret
            ? "\(ValueText.noun(of: node.value)) that is secret"
            : isShown ? Self.text(node.single) : "a text that may be secret"
        return "'\(flatName)' is \(value)\(place)"
    }

    private static func text(_ node: PropertyNode) -> String {
        node.isContainer ? ValueText.described(node.value) : ValueText.short(node.value)
    }
}

extension PropertyError {
    /// Creates the error about settings that break a rule together.
    ///
    /// - Parameters:
    ///   - expected: what the rule expects of the settings.
    ///   - involved: the settings that the rule is about.
    ///   - table: the table that they are in, or nil for flat names.
    init(broken expected: String, _ involved: [InvolvedSetting], in table: PropertyNode?) {
        let first = involved.first { !$0.isUnset }, lead = first ?? involved.first
        self.init(
            Parts(
                reason: .brokenRule, name: lead?.name, path: lead?.path ?? "", origin: (first?.node ?? table)?.origin,
                node: first?.node ?? table, expected: expected, involved: involved))
    }

    /// Whether the error is only that a secret has no value.
    var lacksSecret: Bool {
        reason == .brokenRule ? parts.involved.contains { $0.isSecret && $0.isUnset } : isSecret && reason == .missing
    }

    /// The text of an error about a rule of several settings.
    var ruleMessage: String {
        let place = origin.map { "\($0): " } ?? "", texts = parts.involved.map { $0.text(besides: origin) }
        return "\(place)\(EnglishText.enumeration(texts)); expected that \(expected). \(remedy ?? "")."
    }
}
