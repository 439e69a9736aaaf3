import PropertyLoaders
import TextBasics

/// The values that `dump` and `explain` mask.
struct Secrets {
    /// The rule, for help texts.
    static let help = """
        Secrets are masked, unless --show-secrets is given: those that the schema marks, mounted files, the passwords \
        of URLs, and what the schema does not list and has \(SecretName.rule).
        """

    private let schema: Schema?
    private let showsAll: Bool

    /// Creates the rule.
    ///
    /// - Parameters:
    ///   - schema: declares which names are secret. A name that it does not list is secret if its words suggest it.
    ///   - showsAll: whether nothing is masked.
    init(_ schema: Schema?, showsAll: Bool) { (self.schema, self.showsAll) = (schema, showsAll) }

    /// Declares the names that look like names of secrets, so that the store also masks values that are made of them.
    func declare(in store: PropertyStore) {
        if showsAll { return }
        let names = store.entries.map(\.name).filter { hides($0) }
        store.declare(names.map { TypedKey($0, default: PropertyNode(.null), isSecret: true) })
    }

    /// The value of a property for a table. Unlike `valueText` it is complete, except that data is its size.
    func text(of entry: PropertyEntry) -> String {
        if isMasked(entry) { return ValueText.mask }
        return switch entry.node.value {
        case .string, .text, .array, .table: json(of: entry)
        case .bigInteger(let digits): digits
        default: ValueText.short(entry.node.value)
        }
    }

    /// The properties as one JSON object, with the value and the origin of each name.
    func json(of entries: [PropertyEntry]) -> String {
        let lines = entries.map { entry in
            let origin = JsonString.quoted("\(entry.node.origin)")
            return "  \(JsonString.quoted(entry.name)): {\"value\": \(json(of: entry)), \"origin\": \(origin)}"
        }
        return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n}"
    }

    /// The value of a property as JSON.
    func json(of entry: PropertyEntry) -> String {
        if isMasked(entry) { return JsonString.quoted(ValueText.mask) }
        if showsAll { return JsonText.text(entry.node, name: entry.name, isMasked: nil) }
        return JsonText.text(entry.node, name: entry.name) { name, node in
            node.origin.source.isSecret || hides(name ?? "")
        }
    }

    private func isMasked(_ entry: PropertyEntry) -> Bool {
        if showsAll { return false }
        // In a table or an array, the secrets are masked one by one.
        switch entry.node.value {
        case .array, .table: return hides(entry.name)
        default: return entry.isSecret || hides(entry.name)
        }
    }

    private func hides(_ name: String) -> Bool {
        schema?.isSecret(name) ?? SecretName.looksSecret(name)
    }
}
