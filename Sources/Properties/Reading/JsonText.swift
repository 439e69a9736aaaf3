/// Writes values as JSON: two spaces a level, keys in their order.
///
/// What JSON has no value for is a string: dates as RFC 3339, data as base64, numbers that are none or infinite.
package struct JsonText {
    private(set) var text = ""
    private var level = 0
    /// Whether the value of a flat name is masked.
    private let isSecret: (_ name: String?, PropertyNode) -> Bool

    init(isSecret: @escaping (_ name: String?, PropertyNode) -> Bool) {
        self.isSecret = isSecret
    }

    /// Writes a node.
    ///
    /// - Parameter name: its flat name, or nil for all properties.
    mutating func write(_ node: PropertyNode, name: String?) {
        switch node.value {
        case .table(let table):
            write("{", "}", table) { json, entry in
                json.write(entry.key)
                json.text += ": "
                json.write(entry.node, name: name.joined(path: ".\(entry.key)"))
            }
        case _ where isSecret(name, node): write(ValueText.mask)
        case .array(let nodes): write("[", "]", nodes) { $0.write($1, name: name.joined(path: "[]")) }
        case .null: text += "null"
        case .bool(let bool): text += "\(bool)"
        case .integer(let integer): text += "\(integer)"
        case .unsigned(let integer): text += "\(integer)"
        case .bigInteger(let digits): text += digits
        case .double(let double) where double.isFinite: text += "\(double)"
        case .double(let double): write("\(double)")
        case .string(let string), .text(let string): write(string)
        case .data(let bytes): write(Self.base64(bytes))
        case .dateTime(let dateTime): write(dateTime.description)
        case .opaque(let opaque): write(String(describing: opaque.value))
        }
    }

    private mutating func write<Items: Collection>(
        _ open: String, _ close: String, _ items: Items, item: (inout JsonText, Items.Element) -> Void
    ) {
        text += open
        level += 1
        for (index, element) in items.enumerated() {
            text += index == 0 ? "\n" : ",\n"
            indent()
            item(&self, element)
        }
        level -= 1
        if !items.isEmpty {
            text += "\n"
            indent()
        }
        text += close
    }

    private mutating func indent() { text += String(repeating: "  ", count: level) }

    private mutating func write(_ string: String) { text += Self.quoted(string) }

    /// A string with its quotes, escaped as RFC 8259 section 7 demands; beyond that, what acts on a terminal is escaped, so
    /// that JSON in a log stays one line.
    package static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            // None of them is beyond U+FFFF, so four digits do.
            case _ where scalar.isControl:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    // RFC 4648, section 4.
    private static func base64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[word >> (18 - 6 * place) & 63] : "=")
            }
        }
        return text
    }
}

extension PropertyStore {
    /// All properties, or a table of them, as JSON text with secrets masked.
    ///
    /// - Parameter name: the flat name of the table, or nil for all properties. The empty name is that of the key `""`.
    /// - Returns: nil where there is no property of that name.
    public func json(at name: String? = nil) -> String? {
        let snapshot = snapshot
        guard let node = snapshot.table(name) else { return nil }
        var json = JsonText { snapshot.isSecret($0, $1.origin) }
        json.write(node, name: name)
        return json.text
    }
}
