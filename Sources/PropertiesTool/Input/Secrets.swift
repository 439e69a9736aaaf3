import PropertyLoaders

/// The values that `dump` and `explain` mask.
struct Secrets {
    /// The rule, for help texts.
    static let help = """
        Secrets are masked, unless --show-secrets is given: those that the schema marks, mounted files, and each name \
        that the schema does not list and whose last word is password, secret, token, credential(s), or key after \
        api, private, secret or signing.
        """

    private let schema: Schema?
    private let showsAll: Bool

    /// Creates the rule.
    ///
    /// - Parameters:
    ///   - schema: declares which names are secret. A name that it does not list is secret if its words suggest it.
    ///   - showsAll: whether nothing is masked.
    init(_ schema: Schema?, showsAll: Bool) { (self.schema, self.showsAll) = (schema, showsAll) }

    /// Declares the names that look like those of secrets, so that the store also masks values that are made of them.
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
            let origin = JsonText.quoted("\(entry.node.origin)")
            return "  \(JsonText.quoted(entry.name)): {\"value\": \(json(of: entry)), \"origin\": \(origin)}"
        }
        return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n}"
    }

    /// The value of a property as JSON.
    func json(of entry: PropertyEntry) -> String {
        if isMasked(entry) { return JsonText.quoted(ValueText.mask) }
        return JsonText.text(entry.node, name: entry.name) { name, node in
            !showsAll && (node.origin.source.isSecret || hides(name ?? ""))
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

/// Recognizes the names of secrets.
package enum SecretName {
    private static let words: Set = ["password", "secret", "token", "credential", "credentials"]
    private static let kindsOfKeys: Set = ["api", "private", "secret", "signing"]

    /// Whether the last word of a name, or of a table that it is in, is one for secrets: `db.adminPassword`, `API_KEY`.
    package static func looksSecret(_ name: String) -> Bool {
        var before = "", last = ""
        for key in name.parts(between: ".") {
            for word in words(in: key) { (before, last) = (last, word) }
            if words.contains(last) || last == "key" && kindsOfKeys.contains(before) { return true }
        }
        return false
    }

    /// Returns the words of a key in lower case. A capital letter begins one, except inside an abbreviation.
    private static func words(in key: Substring) -> [String] {
        let bytes = Array(key.utf8)
        let words = bytes.indices.reduce(into: [[UInt8]()]) { words, index in
            let byte = bytes[index]
            if [.underscore, .minus, .openBracket, .closeBracket].contains(byte) { return words.append([]) }
            let isAfterCapital = index > 0 && bytes[index - 1].isCapital
            let isBeforeSmall = index + 1 < bytes.count && bytes[index + 1].isSmall
            if byte.isCapital, !isAfterCapital || isBeforeSmall { words.append([]) }
            words[words.count - 1].append(byte.isLetter ? byte | 0x20 : byte)
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { isLetter && self & 0x20 == 0 }
    fileprivate var isSmall: Bool { isLetter && !isCapital }
}
