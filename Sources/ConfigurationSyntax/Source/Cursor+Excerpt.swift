import TextBasics

// What a message quotes of the source, in backticks.
extension Cursor {
    /// The character at a place, or its code point where it cannot be seen.
    func character(at place: Int) -> String {
        visibleCharacter(at: place).map(PrintableText.quoted) ?? codePoint(at: place)
    }

    /// The character at a place without backticks, or nil where it cannot be seen.
    func visibleCharacter(at place: Int) -> String? {
        guard let scalar = scalar(at: place) else { return nil }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned: return nil
        default: return String(Character(scalar))
        }
    }

    /// The code point at a place, as U+00A0, or which end is there.
    func codePoint(at place: Int) -> String {
        switch scalar(at: place) {
        case nil: "the end of the text"
        case "\n", "\r": "the end of the line"
        case " ": "a space"
        case let scalar?: "U+\(Self.hexadecimal(scalar.value, digits: 4))"
        }
    }

    private func scalar(at place: Int) -> Unicode.Scalar? { text(place..<place + 4).unicodeScalars.first }

    /// The text up to the next blank, bracket or comma, or a whole string on one line.
    func excerpt(at place: Int) -> String {
        let limit = place + 40
        if byte(at: place) == .quote,
            let end = (place + 1..<min(limit + 1, count)).first(where: {
                byte(at: $0) == .quote || byte(at: $0) < .space
            }),
            byte(at: end) == .quote
        {
            return PrintableText.quoted(text(place..<end + 1))
        }
        var end = place
        while end < min(limit, count), !isBreak(byte(at: end), isFirst: end == place) { end += 1 }
        return end == place ? character(at: place) : PrintableText.quoted(text(place..<end))
    }

    private func isBreak(_ byte: UInt8, isFirst: Bool) -> Bool {
        byte <= .space || byte == .delete || !isFirst && "[]{},;#=\"'".utf8.contains(byte)
    }

    /// The key at a place, without its quotes.
    func quotedKey(at place: Int) -> String {
        let quote = byte(at: place)
        let start = quote.isQuote ? place + 1 : place
        var end = start
        while end < min(start + 60, count), isKeyPart(byte(at: end), quote: quote) { end += 1 }
        return PrintableText.quoted(text(start..<end))
    }

    private func isKeyPart(_ byte: UInt8, quote: UInt8) -> Bool {
        guard !quote.isQuote else { return byte != quote && byte != .newline }
        return byte.isWordPart || byte == .minus || byte >= 0x80
    }

    /// The letters, digits and underscores from a place on, as far as a message shows them.
    func word(startingAt place: Int) -> String {
        var end = place
        while end < min(place + 40, count), byte(at: end).isWordPart { end += 1 }
        return text(place..<end)
    }

    /// A part of the source. Half a character at its end is left out.
    func text(_ range: Range<Int>) -> String {
        let part = range.clamped(to: 0..<count).map { byte(at: $0) }
        var text = String(decoding: part, as: UTF8.self)
        while text.unicodeScalars.last == "\u{FFFD}" { text.unicodeScalars.removeLast() }
        return text
    }

    /// A number in hexadecimal, with zeros in front.
    static func hexadecimal(_ number: some BinaryInteger, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
