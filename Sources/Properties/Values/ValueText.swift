/// Describes values in human-readable text, with the secrets of URLs masked.
package enum ValueText {
    /// The text that is shown in place of a secret value.
    package static let mask = URLSecrets.mask

    /// Returns a short description of a value: `30`, `"text"`, `[1, 2]`, `{3 keys}`.
    package static func short(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let bool): String(bool)
        case .integer(let integer): String(integer)
        case .unsigned(let integer): String(integer)
        case .bigInteger(let digits): PrintableText.clipped(digits)
        case .double(let double): String(double)
        case .string(let string), .text(let string): quoted(string)
        case .data(let bytes): "\(bytes.count) bytes"
        case .dateTime(let dateTime): String(describing: dateTime)
        case .array(let nodes): list(nodes)
        case .table(let table): table.isEmpty ? "{}" : "{\(EnglishText.counted(table.count, "key"))}"
        case .opaque(let opaque): PrintableText.clipped(PrintableText.escaped(String(describing: opaque.value)))
        }
    }

    /// Returns a description of a value with its type: `the string "30"`, `a table of 3 keys`.
    package static func described(_ value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .array(let nodes): "an array of \(EnglishText.counted(nodes.count, "value"))"
        case .table(let table): "a table of \(EnglishText.counted(table.count, "key"))"
        case .data(let bytes): "data of \(EnglishText.counted(bytes.count, "byte"))\(flaw(of: bytes))"
        case .opaque(let opaque): "\(short(value)) of type \(type(of: opaque.value))"
        default: "the \(kind(of: value)) \(short(value))"
        }
    }

    /// Returns why data is not text, as the end of its description. It is empty if the data could be text.
    static func flaw(of bytes: [UInt8]) -> String {
        if bytes.contains(0) { return ", with a NUL byte" }
        return String(validating: bytes, as: UTF8.self) == nil ? ", which is not UTF-8" : ""
    }

    /// Returns the kind of a value with its article, such as "an integer".
    static func noun(of value: PropertyValue) -> String {
        switch value {
        case .null, .data: kind(of: value)
        default: EnglishText.withArticle(kind(of: value))
        }
    }

    /// Returns the kind of a value, such as "integer".
    static func kind(of value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .unsigned, .bigInteger: "integer"
        case .double: "number"
        case .string: "string"
        case .text: "text"
        case .data: "data"
        case .dateTime(let dateTime): dateTime.kind.noun
        case .array: "array"
        case .table: "table"
        case .opaque(let opaque): String(describing: type(of: opaque.value))
        }
    }

    private static func list(_ nodes: [PropertyNode]) -> String {
        let shown = nodes.prefix(8).map { $0.holdsSecret ? mask : short($0.value) }.joined(separator: ", ")
        return PrintableText.clipped("[\(shown)\(nodes.count > 8 ? ", …" : "")]")
    }

    private static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in PrintableText.clipped(string).unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text += "\\" }
            text += PrintableText.escaped(scalar)
        }
        return text + "\""
    }
}
