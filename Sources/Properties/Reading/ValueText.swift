/// Values as text for people.
package enum ValueText {
    /// What stands for a secret.
    package static let mask = "********"

    /// The longest text that is shown of one value, in characters.
    private static let width = 60

    /// The value as one would write it: `30`, `"text"`, `[1, 2]`, `{…}`.
    package static func short(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): String(bool)
        case .integer(let integer): String(integer)
        case .unsigned(let integer): String(integer)
        case .bigInteger(let digits): clipped(digits)
        case .double(let double): String(double)
        case .string(let string), .text(let string): quoted(string)
        case .data(let bytes): "\(bytes.count) bytes"
        case .dateTime(let dateTime): String(describing: dateTime)
        case .array(let nodes): list(nodes)
        case .table(let table): table.isEmpty ? "{}" : "{\(counted(table.count, "key"))}"
        case .opaque(let opaque): clipped(String(describing: opaque.value))
        }
    }

    /// The value with its type: `the string "30"`, `a table of 3 keys`.
    package static func described(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .array(let nodes): "an array of \(counted(nodes.count, "value"))"
        case .table(let table): "a table of \(counted(table.count, "key"))"
        case .data(let bytes): "data of \(counted(bytes.count, "byte"))"
        case .opaque(let opaque): "\(short(value)) of type \(type(of: opaque.value))"
        default: "the \(TypeName.bare(of: value)) \(short(value))"
        }
    }

    private static func list(_ nodes: [PropertyNode]) -> String {
        let shown = nodes.prefix(8).map { $0.origin.source.isSecret ? mask : short($0.value) }.joined(separator: ", ")
        return clipped("[\(shown)\(nodes.count > 8 ? ", …" : "")]")
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in clipped(string).unicodeScalars { text += escaped(scalar) }
        return text + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case _ where isControl(scalar): "\\u{\(String(scalar.value, radix: 16))}"
        default: String(scalar)
        }
    }

    /// Text that a source may have written a part of, such as a key, with the control characters escaped as they are in
    /// values: it can neither begin a line of its own nor tell the terminal anything.
    package static func printable(_ text: String) -> String {
        // In UTF-8 those from 0x80 on begin with 0xC2.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { $0 += isControl($1) ? escaped($1) : String($1) }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    // By scalars, since one character can be megabytes of combining marks.
    private static func clipped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: width, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
