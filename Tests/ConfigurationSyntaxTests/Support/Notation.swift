import ConfigurationSyntax

// The text of a value in tests, such as `{a: 1, b: [true, "x"], c: 1.0, d: date-local 2026-11-21}`.
extension DocumentValue {
    var notation: String {
        switch content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)u"
        case .bigInteger(let value): "\(value)big"
        case .double(let value): "\(value)"
        case .string(let value): value.debugDescription
        case .dateTime(let value): "\(value.kind.rawValue) \(value)"
        case .array(let items): "[\(items.map(\.notation).joined(separator: ", "))]"
        case .table(let members): "{\(members.map { "\($0.key): \($0.value.notation)" }.joined(separator: ", "))}"
        }
    }

    /// The position of the value, as `line:column`.
    var place: String { "\(line):\(column)" }
}

extension DocumentValue.Member {
    /// The position of the key, as `line:column`.
    var keyPlace: String { "\(keyLine):\(keyColumn)" }
}

func toml(_ text: String) throws -> String {
    try TomlDocument(bytes: text.utf8, name: "test.toml").root.notation
}

func json(_ text: String) throws -> String {
    try JsonDocument(bytes: text.utf8, name: "test.json").root.notation
}

/// Returns the text of empty arrays nested `count` levels deep.
func brackets(_ count: Int) -> String {
    String(repeating: "[", count: count) + String(repeating: "]", count: count)
}

/// The error that a test throws if a value is of another kind than expected.
struct Unexpected: Error {}
