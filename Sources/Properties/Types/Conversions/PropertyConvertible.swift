import TextBasics

/// A type that properties can be read as.
///
/// The basic types, arrays, dictionaries and optionals conform, and so do `URL`, `Date` and `Data` if a module with
/// loaders is linked. Enums with raw values and `Decodable` types need no conformance.
///
/// A type that is written as text reads it with `String(property:)`: the text of a file is `PropertyValue.string`, and
/// that of an untyped source, such as a variable, is `PropertyValue.text`.
public protocol PropertyConvertible {
    /// The name of the type in messages, with its article, such as "an integer".
    static var propertyTypeName: String { get }

    /// Creates a value from a node, if that loses no information.
    ///
    /// - Parameter node: the value of a property, with its origin.
    /// - Throws: a `PropertyError` if the node has another type or cannot be converted without loss.
    init(property node: PropertyNode) throws(PropertyError)
}

extension PropertyConvertible {
    /// Returns the error about a value that cannot be converted to the type. The remedy must not quote the value: a
    /// message about a secret value has it, too. `quoting` is a remedy that quotes the value. A message about text of an
    /// untyped source does not have it.
    package static func mismatch(
        _ reason: PropertyError.Reason, _ node: PropertyNode, remedy: String? = nil, quoting quoted: String? = nil
    ) -> PropertyError {
        let isHidden = node.disclosure(isDeclared: false) < .values
        return PropertyError(
            PropertyError.Parts(
                reason: reason, origin: node.origin, node: node, expected: propertyTypeName, remedy: remedy,
                isPlainRemedy: true, quotedRemedy: isHidden ? nil : quoted.map(URLSecrets.masked)))
    }
}

extension PropertyNode: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a value" }

    /// Reads any value, with its origin and everything in it.
    public init(property node: PropertyNode) throws(PropertyError) { self = node }
}

extension PropertyValue: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a value" }

    /// Reads any value, with everything in it.
    public init(property node: PropertyNode) throws(PropertyError) { self = node.value }
}

// MARK: - Names in messages

/// The names of Swift types in messages.
package enum TypeName {
    /// Returns a noun for the values that a Swift type accepts: "an integer", "a string", "one of "debug", "info"".
    package static func noun(_ type: Any.Type) -> String {
        if let convertible = type as? any PropertyConvertible.Type { return convertible.propertyTypeName }
        if let cases = caseNames(type) { return "one of \(cases.joined(separator: ", "))" }
        if let raw = type as? any RawRepresentable.Type {
            return noun(PropertyValue.rawType(raw)) + " that \(type) accepts"
        }
        if DeclaredTables.contains(type) { return "a table" }
        if let decodable = type as? any Decodable.Type { return noun(decoding: decodable) }
        return EnglishText.withArticle(String(describing: type))
    }

    /// Returns the noun for the values of a type without the limits that follow from the type.
    static func unlimitedNoun(_ type: Any.Type) -> String {
        if type is any BinaryInteger.Type { return "an integer" }
        let noun = noun(type)
        return noun.firstIndex(ofText: " such as ").map { String(noun[..<$0]) } ?? noun
    }

    /// Returns the name of a Swift type in one word: "integer", "URL", and "value" if the noun has several words.
    static func word(_ type: Any.Type) -> String {
        let noun = noun(type)
        let words = noun.split(separator: " ").prefix { $0 != "such" && $0 != "that" && $0 != "for" }.map {
            $0.prefix { $0 != "," }
        }
        return words.count == 2 && words[0].first == "a" && words[0].count <= 2 ? String(words[1]) : "value"
    }

    /// Returns the raw values of an enum's cases as messages write them, or nil if the type is not a `CaseIterable`
    /// enum with raw values.
    static func caseNames(_ type: Any.Type) -> [String]? { PropertyValue.caseValues(type)?.map(ValueText.short) }

    /// Returns the name of the case that a wrong text probably means: the only case that differs in upper and lower
    /// case alone, or else a similar one. Nil if there is none.
    static func nearestCase(of type: Any.Type, to text: String) -> String? {
        guard let names = caseNames(type) else { return nil }
        let letters = text.lowercased(), same = names.filter { $0.lowercased().isSame(as: letters) }
        return same.count == 1 ? same.first : Suggestions.nearest(to: text, among: names)
    }
}
