/// The white space and other invisible characters at the ends of a text, as words for a message.
package struct InvisibleEnds: CustomStringConvertible, Sendable {
    /// Their place and their kinds: `white space at its end (2 line feeds)`.
    package let description: String
    /// The text without them.
    package let trimmed: String

    /// Finds the invisible characters, or returns nil if the text has none at its ends.
    package init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, first.isInvisible || last.isInvisible else {
            return nil
        }
        let start = scalars.prefix(while: \.isInvisible), rest = scalars[start.endIndex...]
        let end = rest[(rest.lastIndex { !$0.isInvisible }.map(rest.index(after:)) ?? rest.startIndex)...]
        trimmed = String(rest[..<end.startIndex])
        switch (start.isEmpty, end.isEmpty) {
        case (false, _) where rest.isEmpty: description = "nothing but white space (\(Self.kinds(in: start)))"
        case (true, _): description = "white space at its end (\(Self.kinds(in: end)))"
        case (_, true): description = "white space at its start (\(Self.kinds(in: start)))"
        default:
            description = "white space at both ends (\(Self.kinds(in: start)); \(Self.kinds(in: end)))"
        }
    }

    /// The number of kinds that a message names.
    private static let shownKinds = 3

    /// Returns the kinds of characters and the number of each, in the order of their first occurrence.
    private static func kinds(in scalars: Substring.UnicodeScalarView) -> String {
        var numbers: [Unicode.Scalar: Int] = [:]
        var order: [Unicode.Scalar] = []
        for scalar in scalars {
            if numbers[scalar] == nil { order.append(scalar) }
            numbers[scalar, default: 0] += 1
        }
        let words = order.map { scalar in
            let number = numbers[scalar] ?? 0
            return number == 1 ? "a \(name(of: scalar))" : "\(number.grouped) \(name(of: scalar))s"
        }
        return BoundedList(words, limit: shownKinds).text
    }

    /// Returns the name of an invisible character, without an article.
    package static func name(of scalar: Unicode.Scalar) -> String {
        switch scalar {
        case " ": return "blank"
        case "\t": return "tab"
        case "\n": return "line feed"
        case "\r": return "carriage return"
        case "\u{A0}": return "no-break space"
        case "\u{200B}": return "zero-width space"
        case "\u{FEFF}": return "byte order mark"
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "character U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is invisible at an end of a text: white space, a control character, or a character without a
    /// width, such as a byte order mark.
    package var isInvisible: Bool {
        switch value {
        case 0x21...0x7E: false
        case 0xAD, 0x180E, 0x200B...0x200D, 0x2060...0x2064, 0xFEFF: true
        default: isControl || properties.isWhitespace
        }
    }
}
