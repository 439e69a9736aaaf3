/// An enum whose cases may be written in any case in a source: `MODE=FAST` is `fast`.
///
///     enum Mode: String, Decodable, CaseInsensitiveValue { case fast, slow }
///
/// If the raw values of two cases differ only in their case, they must be written exactly. The keys of a dictionary may
/// be written in any case, too.
public protocol CaseInsensitiveValue: CaseIterable, RawRepresentable where RawValue == String {}

extension CaseInsensitiveValue {
    /// Returns the only case whose raw value equals a text if upper and lower case are not distinguished, or nil.
    static func value(withLettersOf text: String) -> Self? {
        let letters = text.lowercased()
        let cases = allCases.filter { $0.rawValue.lowercased().isSame(as: letters) }
        return cases.count == 1 ? cases.first : nil
    }

    /// The keywords of JSON Schema for the texts that are read as a case.
    static var schema: [(String, PropertyValue)] {
        let cases = allCases.map { $0.rawValue.map(letter).joined() }.joined(separator: "|")
        return [("type", "string"), ("pattern", .string("^(\(cases))$"))]
    }

    /// Returns the regular expression of a letter in any case.
    private static func letter(_ letter: Character) -> String {
        if letter.isASCII, letter.isLetter { return "[\(letter.uppercased())\(letter.lowercased())]" }
        // Some letters that are not ASCII have a lower case of another length.
        if !letter.isASCII { return ".*" }
        return ("\\^$.*+?()[]{}|/".contains(letter) ? "\\" : "") + String(letter)
    }
}
