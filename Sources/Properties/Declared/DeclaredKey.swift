/// A declared name with the rules of all its declarations.
package struct DeclaredKey: Sendable {
    /// The flat name.
    package let key: PropertyKey
    /// The rules, or an empty array if only the secrecy of the name is declared. A setting of a settings type is first.
    let rules: [any Rule]
    /// Whether the value is masked in every description.
    package let isSecret: Bool
    private let hidesDefault: Bool
    /// The variable, the former names and the rules of the name.
    private(set) var notes = Notes()

    /// The facts about a name that do not depend on its value.
    struct Notes: Sendable {
        /// The variable that sets it, whatever the prefix of the environment, or nil.
        var variable: String?
        /// The names that it had in earlier versions.
        var formerNames: [String] = []
        /// The rules that it must obey together with other settings, as text.
        var settingsRules: [String] = []
    }

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - key: the flat name.
    ///   - rules: its rules.
    ///   - isSecret: whether the name, or a table that it is in, is declared as secret.
    ///   - hidesDefault: whether the default may contain a secret.
    init(_ key: PropertyKey, _ rules: [any Rule], isSecret: Bool = false, hidesDefault: Bool = false) {
        (self.key, self.rules, self.hidesDefault) = (key, rules, hidesDefault)
        self.isSecret = isSecret || rules.contains(where: \.isSecret)
        if let former = rules.first?.attributes.formerName {
            notes.formerNames = [key.tables.last.map { "\($0).\(former)" } ?? former]
        }
    }

    /// Returns the key with other notes.
    func changing(_ change: (inout Notes) -> Void) -> DeclaredKey {
        var key = self
        change(&key.notes)
        return key
    }
}

// MARK: - Attributes

extension DeclaredKey {
    /// The valid values: a noun with its article, such as "a port from 1 to 65535".
    var expected: String { rules.first?.noun ?? "a value" }

    /// The purpose of the property, or nil.
    var summary: String? {
        let summary = rules.first?.attributes.summary
        return rules.first?.needsRestart == true
            ? "\(summary.map { "\($0) " } ?? "")(needs a restart)" : summary
    }

    /// Whether a source must have a value, because a declaration has no default.
    var isRequired: Bool { rules.contains(where: \.isRequired) }

    /// Whether it is a setting that keeps its value until a restart.
    var needsRestart: Bool { rules.contains(where: \.needsRestart) }

    /// The default as a source would contain it. Nil if there is none, or if it is secret.
    package var defaultValue: PropertyValue? {
        isSecret || hidesDefault ? Optional.none : rules.lazy.compactMap(\.openDefault).first
    }

    /// The default as JSON text. Nil if there is none, or if it is secret.
    package var defaultText: String? { defaultValue.map { JsonText.text(PropertyNode($0)) } }

    /// Whether there is a default other than nil, which a description of a secret masks.
    var hasDefault: Bool { rules.contains { $0.sourceDefault.map { !PropertyNode($0).isNull } ?? false } }

    /// The name of the type in one word, such as "integer".
    var typeName: String { rules.first?.typeName ?? "value" }

    /// The keywords of the JSON Schema for the value in a file, which replace the keywords of its form.
    var keywords: [(String, PropertyValue)] {
        guard let attributes = rules.first?.attributes else { return [] }
        return (attributes.bounds?.schema ?? []) + (attributes.unit == nil ? [] : [("type", ["string", "integer"])])
    }

    /// The form of the value.
    var form: Form { rules.first?.form ?? .value(Any.self) }

    /// Whether more than the secrecy of the name was declared.
    var isDescribed: Bool { !rules.isEmpty }

    /// The default as an entry. It is null if there is none, and for a secret.
    package var defaultEntry: PropertyEntry {
        let node = PropertyNode(defaultValue ?? .null, origin: Self.defaultOrigin)
        // It is not a secret that an optional secret is not set.
        return PropertyEntry(name: key.rawValue, node: isSecret && hasDefault ? node.markedSecret : node)
    }

    /// The origin of values that no source has.
    static let defaultOrigin = PropertyOrigin(source: PropertySource(name: "default"))
}
