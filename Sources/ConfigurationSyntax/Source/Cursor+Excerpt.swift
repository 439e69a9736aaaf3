import TextBasics

// Excerpts of the source for messages, most of them in backticks.
extension Cursor {
    /// Returns the character at an offset in backticks, or its code point if it is invisible.
    func character(at offset: Int) -> String {
        visibleCharacter(at: offset).map(PrintableText.quoted) ?? codePoint(at: offset)
    }

    /// Returns the character at an offset without backticks, or nil if it is invisible or at the end of the text.
    func visibleCharacter(at offset: Int) -> String? {
        guard let scalar = scalar(at: offset) else { return nil }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned: return nil
        default: return String(Character(scalar))
        }
    }

    /// Returns the code point at an offset, such as `U+00A0`.
    ///
    /// For the end of the text, the end of a line, and a space, it returns a name instead.
    func codePoint(at offset: Int) -> String {
        switch scalar(at: offset) {
        case nil: "the end of the text"
        case "\n", "\r": "the end of the line"
        case " ": "a space"
        case let scalar?: "U+\(Self.hexadecimal(scalar.value, digits: 4))"
        }
    }

    /// Returns the scalar at an offset, or nil at the end of the text.
    func scalar(at offset: Int) -> Unicode.Scalar? { text(offset..<offset + 4).unicodeScalars.first }

    /// Returns the word or the string at an offset in backticks.
    ///
    /// A word ends before the next blank, bracket, separator or quote, and after at most 40 bytes. A string must be
    /// closed within 40 bytes and on the same line; otherwise only its start is returned.
    func excerpt(at offset: Int) -> String {
        let limit = offset + 40
        if byte(at: offset) == .quote,
            let end = (offset + 1..<min(limit + 1, count)).first(where: {
                byte(at: $0) == .quote || byte(at: $0) < .space
            }),
            byte(at: end) == .quote
        {
            return quoted(offset..<end + 1)
        }
        var end = offset
        while end < min(limit, count), !isBreak(byte(at: end), isFirst: end == offset) { end += 1 }
        return end == offset ? character(at: offset) : quoted(offset..<end)
    }

    private func isBreak(_ byte: UInt8, isFirst: Bool) -> Bool {
        byte <= .space || byte == .delete || !isFirst && "[]{},;#=\"'".utf8.contains(byte)
    }

    /// Returns the key at an offset in backticks, without the quotes that it has in the source.
    func quotedKey(at offset: Int) -> String {
        let quote = byte(at: offset)
        let start = quote.isQuote ? offset + 1 : offset
        var end = start
        while end < min(start + 60, count), isKeyPart(byte(at: end), quote: quote) { end += 1 }
        return quoted(start..<end)
    }

    private func isKeyPart(_ byte: UInt8, quote: UInt8) -> Bool {
        guard !quote.isQuote else { return byte != quote && byte != .newline }
        return byte.isWordPart || byte == .minus || byte >= 0x80
    }

    /// Returns up to 40 letters, digits and underscores from an offset on.
    func word(startingAt offset: Int) -> String {
        var end = offset
        while end < min(offset + 40, count), byte(at: end).isWordPart { end += 1 }
        return text(offset..<end)
    }

    /// Returns the text in a range of the source in backticks, with the secrets of URLs masked, also of URLs that are
    /// only partly in the range.
    private func quoted(_ range: Range<Int>) -> String {
        let line = max(0, range.lowerBound - URLSecrets.reach)..<min(count, range.upperBound + URLSecrets.reach)
        let masked = URLSecrets.masked(range, in: line.map { byte(at: $0) }, startingAt: line.lowerBound)
        return PrintableText.quoted(Self.trimmed(masked))
    }

    /// Returns the text in a range of the source. If the range ends inside of a character, the character is left out.
    func text(_ range: Range<Int>) -> String {
        Self.trimmed(String(decoding: range.clamped(to: 0..<count).map { byte(at: $0) }, as: UTF8.self))
    }

    /// Returns text without an incomplete character at its end.
    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
        return text
    }

    /// Returns a number in upper-case hexadecimal, padded with zeros to a number of digits.
    static func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
