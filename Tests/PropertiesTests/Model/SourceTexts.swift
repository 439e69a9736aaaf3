import Properties

/// Writes entries as JSON.
enum JsonWriter {
    static func text(_ entries: [ModelEntry]) -> String {
        "{\(entries.map { "\(quoted($0.key.text)): \(text($0.value))" }.joined(separator: ", "))}"
    }

    static func quoted(_ text: String) -> String { "\"\(text)\"" }

    private static func text(_ value: ModelValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let text), .text(let text): quoted(text)
        case .array(let elements): "[\(elements.map { text($0) }.joined(separator: ", "))]"
        case .table(let entries): text(entries)
        }
    }
}

/// Writes entries as TOML: first the plain values, then a header for each top-level table. The tables inside these are
/// inline.
enum TomlWriter {
    static func text(_ entries: [ModelEntry]) -> String {
        let values = entries.filter { !$0.value.isTable }.map { "\(line($0))\n" }
        let tables = entries.compactMap { entry -> String? in
            guard case .table(let inner) = entry.value else { return nil }
            return "[\(JsonWriter.quoted(entry.key.text))]\n" + inner.map { "\(line($0))\n" }.joined()
        }
        return (values + tables).joined()
    }

    private static func line(_ entry: ModelEntry) -> String {
        "\(JsonWriter.quoted(entry.key.text)) = \(text(entry.value))"
    }

    private static func text(_ value: ModelValue) -> String {
        switch value {
        // TOML has no null, and the generator creates none for TOML sources.
        case .null: ""
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let text), .text(let text): JsonWriter.quoted(text)
        case .array(let elements): "[\(elements.map { text($0) }.joined(separator: ", "))]"
        case .table(let entries): "{\(entries.map { line($0) }.joined(separator: ", "))}"
        }
    }
}

/// Creates dictionary literals and tables from entries.
enum Literals {
    static func layer(_ entries: [ModelEntry]) -> PropertyLayer { literal(pairs(entries, isLiteral: true)) }

    static func table(_ entries: [ModelEntry]) -> PropertyTable { PropertyTable(pairs(entries, isLiteral: false)) }

    private static func pairs(_ entries: [ModelEntry], isLiteral: Bool) -> [(String, PropertyValue)] {
        entries.map { ($0.key.text, value($0.value, isLiteral: isLiteral)) }
    }

    private static func value(_ value: ModelValue, isLiteral: Bool) -> PropertyValue {
        switch value {
        case .null: nil
        case .bool(let bool): .bool(bool)
        case .integer(let integer): .integer(Int64(integer))
        case .double(let double): .double(double)
        case .string(let text): .string(text)
        case .text(let text): .text(text)
        case .array(let elements): .array(elements.map { PropertyNode(self.value($0, isLiteral: isLiteral)) })
        case .table(let entries):
            isLiteral ? literal(pairs(entries, isLiteral: true)) : .table(table(entries))
        }
    }

    // A dictionary literal has a fixed number of pairs, so there is one literal for each number.
    private static func literal<Value: ExpressibleByDictionaryLiteral>(_ pairs: [(String, PropertyValue)]) -> Value
    where Value.Key == String, Value.Value == PropertyValue {
        let (keys, values) = (pairs.map(\.0), pairs.map(\.1))
        return switch pairs.count {
        case 0: [:]
        case 1: [keys[0]: values[0]]
        case 2: [keys[0]: values[0], keys[1]: values[1]]
        case 3: [keys[0]: values[0], keys[1]: values[1], keys[2]: values[2]]
        case 4: [keys[0]: values[0], keys[1]: values[1], keys[2]: values[2], keys[3]: values[3]]
        default:
            [keys[0]: values[0], keys[1]: values[1], keys[2]: values[2], keys[3]: values[3], keys[4]: values[4]]
        }
    }
}

/// Creates Swift values from entries, for reflection.
enum SwiftValues {
    static func dictionary(_ entries: [ModelEntry]) -> [String: any Sendable] {
        Dictionary(uniqueKeysWithValues: entries.map { ($0.key.text, value($0.value)) })
    }

    static func value(_ value: ModelValue) -> any Sendable {
        switch value {
        case .null: Int?.none
        case .bool(let bool): bool
        case .integer(let integer): integer
        case .double(let double): double
        case .string(let text), .text(let text): text
        // An empty array has no elements to inspect, so its static type must be an array of plain values.
        case .array(let elements): elements.isEmpty ? [Int]() : elements.map { self.value($0) }
        case .table(let entries): dictionary(entries)
        }
    }
}

/// A struct whose stored properties can each hold any value.
struct Fields: Sendable {
    var a: (any Sendable)?
    var b: (any Sendable)?
    var c: (any Sendable)?
    var aB: (any Sendable)?
    var ab: (any Sendable)?

    init(_ entries: [ModelEntry]) {
        for entry in entries {
            let value = SwiftValues.value(entry.value)
            switch entry.key.text {
            case "a": a = value
            case "b": b = value
            case "c": c = value
            case "aB": aB = value
            default: ab = value
            }
        }
    }
}
