/// The names of Swift types in messages.
package enum TypeName {
    /// The values that a Swift type accepts, with an article: "an integer", "a string", "one of "debug", "info"".
    package static func noun(_ type: Any.Type) -> String {
        if let convertible = type as? any PropertyConvertible.Type { return convertible.propertyTypeName }
        if let cases = caseNames(type) { return "one of \(cases.joined(separator: ", "))" }
        if let raw = type as? any RawRepresentable.Type { return noun(rawType(raw)) + " that \(type) accepts" }
        if type is any Decodable.Type { return "a table for \(type)" }
        return ValueText.withArticle(String(describing: type))
    }

    /// The raw values of an enum's cases as messages write them, or nil for a type that does not list them.
    static func caseNames(_ type: Any.Type) -> [String]? {
        guard let cases = type as? any (CaseIterable & RawRepresentable).Type else { return nil }
        return names(cases)
    }

    private static func names<E: CaseIterable & RawRepresentable>(_ type: E.Type) -> [String] {
        let isText = E.RawValue.self == String.self || E.RawValue.self == Character.self
        return type.allCases.map { isText ? "\"\($0.rawValue)\"" : "\($0.rawValue)" }
    }

    private static func rawType<R: RawRepresentable>(_ type: R.Type) -> Any.Type { R.RawValue.self }
}
