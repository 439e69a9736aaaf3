import PropertyLoaders

/// Writes properties as an XML property list.
///
/// What a property list cannot express is written as a string (dates that are not whole seconds in UTC, integers of
/// more than 64 bits), replaced (control characters) or left out (null).
enum PlistText {
    /// Returns a table as a document, without a line break at its end.
    static func text(of table: PropertyTable) -> String {
        let lines = dictionary(table, indent: "")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            \(lines.joined(separator: "\n"))
            </plist>
            """
    }

    private static func dictionary(_ table: PropertyTable, indent: String) -> [String] {
        let inner = indent + "  "
        let members = table.flatMap { entry -> [String] in
            let value = lines(of: entry.node.value, indent: inner)
            return value.isEmpty ? [] : ["\(inner)<key>\(escaped(entry.key))</key>"] + value
        }
        return ["\(indent)<dict>"] + members + ["\(indent)</dict>"]
    }

    private static func lines(of value: PropertyValue, indent: String) -> [String] {
        switch value {
        case .null: []
        case .table(let table): dictionary(table, indent: indent)
        case .array(let nodes):
            ["\(indent)<array>"] + nodes.flatMap { lines(of: $0.value, indent: indent + "  ") } + ["\(indent)</array>"]
        default: [indent + element(of: value)]
        }
    }

    private static func element(of value: PropertyValue) -> String {
        switch value {
        case .bool(let bool): "<\(bool)/>"
        case .integer(let integer): "<integer>\(integer)</integer>"
        case .unsigned(let integer): "<integer>\(integer)</integer>"
        case .double(let double): "<real>\(double.description)</real>"
        case .data(let bytes): "<data>\(Base64.text(of: bytes))</data>"
        case .dateTime(let date) where isExact(date): "<date>\(date)</date>"
        case .dateTime(let date): "<string>\(date)</string>"
        case .string(let text), .text(let text), .bigInteger(let text): "<string>\(escaped(text))</string>"
        case .opaque(let opaque): "<string>\(escaped(String(describing: opaque.value)))</string>"
        case .null, .array, .table: ""
        }
    }

    /// Whether a date is a whole second in UTC, and not a leap second: `2026-11-22T10:00:00Z`.
    private static func isExact(_ date: PropertyDateTime) -> Bool {
        guard date.offset == 0, let time = date.time, let second = time.second else { return false }
        return second < 60 && time.nanosecond == nil
    }

    // XML 1.0, 2.2: no other control characters can be in a document, not even as references.
    private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE || scalar == "\t" || scalar == "\n"
    }

    /// Escapes markup. A carriage return becomes a reference, since a parser replaces it by a line feed (XML 1.0,
    /// 2.11).
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            case _ where !isXML(scalar): result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
