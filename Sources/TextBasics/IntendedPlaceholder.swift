/// The probable meaning of a placeholder that leads nowhere, because it is in the notation of another program:
/// `${port:8080}`, `${DB_HOST:=localhost}`, `${DB_HOST:?message}`, `${env.DB_HOST}`.
package struct IntendedPlaceholder {
    /// The name of a property or a variable.
    package let name: String
    /// The default, or nil.
    package private(set) var fallback: String?
    /// The placeholder without what follows the name.
    package let shortened: String
    /// Whether the name is, or looks like, the name of a variable.
    package let isVariable: Bool

    /// Reads the text between the braces of a placeholder without a default of our notation.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - operators: the characters that may follow the name. By default, those that no name of the kind has.
    package init(_ text: String, operators: String? = nil) {
        let bytes = text.utf8, scheme = text.prefix(4).lowercased()
        // `env` may also be a table of properties.
        let isVariable =
            scheme.isSame(as: "env:") || scheme.isSame(as: "env.") && Self.beginsWithVariable(bytes.dropFirst(4))
        let rest = isVariable ? bytes.dropFirst(4) : bytes[...]
        self.isVariable = isVariable || Self.beginsWithVariable(rest)
        // A `-` may be a part of the name of a property.
        let operators = Array((operators ?? (self.isVariable ? ":=?-" : ":=?")).utf8)
        let end = rest.firstIndex(where: operators.contains) ?? rest.endIndex
        guard end > rest.startIndex else {
            (name, fallback, shortened) = (text, nil, "${\(text)}")
            return
        }
        name = String(Substring(rest[..<end]))
        shortened = end == rest.endIndex ? "${\(text)}" : "${\(text[..<end])…}"
        var tail = rest[end...], kind = tail.popFirst()
        if kind == .colon, let next = tail.first, "=?+".utf8.contains(next) { kind = tail.popFirst() }
        // `?` begins a message, and `+` another value for a name that is set.
        fallback = kind == nil || kind == UInt8(ascii: "?") || kind == .plus ? nil : String(Substring(tail))
    }

    /// Whether a text begins with a word of capitals, digits and low lines, as the names of variables are.
    private static func beginsWithVariable(_ text: Substring.UTF8View) -> Bool {
        let word = text.prefix(while: \.isWordPart)
        let next = text[word.endIndex...].first
        return word.contains(where: \.isLetter) && word.allSatisfy { !$0.isLetter || $0 & 0x20 == 0 }
            && word.first?.isDigit == false && (next == nil || ":=?-+".utf8.contains(next ?? 0))
    }

    /// The same placeholder, whose default is not shown.
    package var withoutText: IntendedPlaceholder {
        var other = self
        other.fallback = fallback.map { _ in "…" }
        return other
    }

    /// Returns the placeholder with another name.
    package func named(_ name: String) -> String { "${\(name)\(fallback.map { ":-\($0)" } ?? "")}" }
}
