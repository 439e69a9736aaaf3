/// What messages call types: the one place for these names.
package enum TypeName {
    /// The type of a value, with its article: "an integer".
    package static func noun(of value: PropertyValue) -> String {
        switch value {
        case .null, .data: bare(of: value)
        default: withArticle(bare(of: value))
        }
    }

    /// The type of a value: "integer".
    package static func bare(of value: PropertyValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .integer, .unsigned, .bigInteger: "integer"
        case .double: "number"
        case .string: "string"
        case .text: "text"
        case .data: "data"
        case .dateTime(let dateTime): bare(of: dateTime.kind)
        case .array: "array"
        case .table: "table"
        case .opaque(let opaque): String(describing: type(of: opaque.value))
        }
    }

    private static func bare(of kind: PropertyDateTime.Kind) -> String {
        switch kind {
        case .offsetDateTime: "offset date-time"
        case .localDateTime: "local date-time"
        case .localDate: "local date"
        case .localTime: "local time"
        }
    }

    /// What a Swift type takes, with its article: "an integer", "a string", "one of "debug", "info"".
    package static func noun(_ type: Any.Type) -> String {
        if let convertible = type as? any PropertyConvertible.Type { return convertible.propertyTypeName }
        if let cases = caseNames(type) { return "one of \(cases.joined(separator: ", "))" }
        if let raw = type as? any RawRepresentable.Type { return noun(rawType(raw)) + " that \(type) accepts" }
        if type is any Decodable.Type { return "a table for \(type)" }
        return withArticle(String(describing: type))
    }

    /// The values that an enum's cases are written as, or nil for a type that does not list them.
    static func caseNames(_ type: Any.Type) -> [String]? {
        guard let cases = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return names(cases)
    }

    private static func names<E: CaseIterable & RawRepresentable>(_ type: E.Type) -> [String] {
        let isText = E.RawValue.self == String.self || E.RawValue.self == Character.self
        return type.allCases.map { isText ? "\"\($0.rawValue)\"" : "\($0.rawValue)" }
    }

    private static func rawType<R: RawRepresentable>(_ type: R.Type) -> Any.Type { R.RawValue.self }

    private static func withArticle(_ noun: String) -> String {
        let vowels: Set<Character> = ["a", "e", "i", "o", "A", "E", "I", "O"]
        return noun.first.map(vowels.contains) == true ? "an \(noun)" : "a \(noun)"
    }
}
