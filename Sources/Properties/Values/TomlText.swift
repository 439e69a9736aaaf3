/// Writes values as TOML 1.1, each on one line.
enum TomlText {
    /// Returns a value as TOML. Nil if TOML has no such value: a null, an integer of more than 64 bits, or a Swift
    /// value. Nil, too, if a part of it is secret, or the secret of a URL.
    static func text(_ value: PropertyValue) -> String? {
        switch value {
        case .null, .bigInteger, .opaque: nil
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): Int64(exactly: integer).map { "\($0)" }
        case .double(let double): double.description
        // The escapes of JSON are escapes of TOML too.
        case .string(let text), .text(let text):
            URLSecrets.masked(text).isSame(as: text) ? JsonString.quoted(text) : nil
        case .data(let bytes): JsonString.quoted(Base64.text(of: bytes))
        case .dateTime(let dateTime): dateTime.description
        case .array(let nodes): joined(nodes.map(text)).map { "[\($0)]" }
        case .table(let table):
            joined(table.uniqueEntries.map { entry in text(entry.node).map { "\(key(entry.key)) = \($0)" } })
                .map { $0.isEmpty ? "{}" : "{ \($0) }" }
        }
    }

    private static func text(_ node: PropertyNode) -> String? { node.holdsSecret ? nil : text(node.value) }

    /// Returns a key, in quotes if TOML needs them.
    static func key(_ name: String) -> String {
        let isBare = name.utf8.allSatisfy { $0.isWordPart || $0 == .minus }
        return isBare && !name.isEmpty ? name : JsonString.quoted(name)
    }

    private static func joined(_ texts: [String?]) -> String? {
        texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ", ")
    }
}
