import PropertyLoaders

/// Writes properties as TOML 1.0. A time without seconds needs TOML 1.1.
///
/// What TOML cannot express is written as a string (integers of more than 64 bits, data) or left out (null).
struct TomlText {
    private var text = ""

    /// Returns a table as a document, without a line break at its end.
    static func text(of table: PropertyTable) -> String {
        var writer = TomlText()
        writer.write(table, at: "")
        return String(writer.text.dropLast())
    }

    /// Writes the plain values of a table, and then the tables in it: after the header of a table, a plain value would
    /// belong to that table.
    private mutating func write(_ table: PropertyTable, at path: String) {
        for entry in table where Self.tables(in: entry.node.value) == nil {
            guard let value = Self.inline(entry.node.value) else { continue }
            text += "\(Self.key(entry.key)) = \(value)\n"
        }
        for entry in table {
            guard let tables = Self.tables(in: entry.node.value) else { continue }
            let name = (path.isEmpty ? "" : path + ".") + Self.key(entry.key)
            for inner in tables.list {
                if !text.isEmpty { text += "\n" }
                text += tables.isArray ? "[[\(name)]]\n" : "[\(name)]\n"
                write(inner, at: name)
            }
        }
    }

    /// Returns the tables that need headers: a table, or an array of tables only. Nil for all other values.
    private static func tables(in value: PropertyValue) -> (list: [PropertyTable], isArray: Bool)? {
        switch value {
        case .table(let table): return ([table], false)
        case .array(let nodes) where !nodes.isEmpty:
            let tables = nodes.compactMap { if case .table(let table) = $0.value { table } else { nil } }
            return tables.count == nodes.count ? (tables, true) : nil
        default: return nil
        }
    }

    private static func inline(_ value: PropertyValue) -> String? {
        switch value {
        case .null: nil
        case .bool(let bool): "\(bool)"
        case .integer(let integer): "\(integer)"
        case .unsigned(let integer): JsonText.quoted("\(integer)")
        case .bigInteger(let digits): JsonText.quoted(digits)
        case .double(let double): double.description
        case .string(let text), .text(let text): JsonText.quoted(text)
        case .data(let bytes): JsonText.quoted(Base64.text(of: bytes))
        case .dateTime(let date): date.description
        case .array(let nodes): "[\(nodes.compactMap { inline($0.value) }.joined(separator: ", "))]"
        case .table(let table): inline(table)
        case .opaque(let opaque): JsonText.quoted(String(describing: opaque.value))
        }
    }

    private static func inline(_ table: PropertyTable) -> String {
        let members = table.compactMap { entry in inline(entry.node.value).map { "\(key(entry.key)) = \($0)" } }
        return members.isEmpty ? "{}" : "{ \(members.joined(separator: ", ")) }"
    }

    // TOML 1.0, Keys: bare keys have ASCII letters, digits, underscores and dashes.
    private static func key(_ key: String) -> String {
        let isBare = !key.isEmpty && key.utf8.allSatisfy { $0.isWordPart || $0 == UInt8(ascii: "-") }
        return isBare ? key : JsonText.quoted(key)
    }
}
