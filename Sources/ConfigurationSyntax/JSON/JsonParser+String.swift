import TextBasics

extension JsonParser {
    /// Reads a string (RFC 8259, section 7: `string = quotation-mark *char quotation-mark`).
    ///
    /// - Returns: the range of the text and the offset after the closing quote. If the string has escapes, it is the
    ///   range of the unescaped text, which is stored behind the source.
    @inline(__always)
    mutating func string(at open: Int) throws(Diagnostic) -> (text: SyntaxText, end: Int) {
        let end = bytes.endOfText(from: open + 1, until: .quote, .backslash)
        guard bytes[end] == .quote else { return try escapedString(open: open, end) }
        return (SyntaxText(open + 1..<end), end + 1)
    }

    @inline(never)
    private mutating func escapedString(open: Int, _ offset: Int) throws(Diagnostic) -> (text: SyntaxText, end: Int) {
        let start = cursor.textEnd
        var plain = open + 1
        cursor.move(to: offset)
        while true {
            cursor.append(plain..<cursor.offset)
            switch cursor.byte {
            case .quote:
                return (SyntaxText(start..<cursor.textEnd), cursor.offset + 1)
            case .backslash:
                try escape()
            default:
                throw diagnostics.expectedStringEnd(at: cursor.offset, open: open)
            }
            plain = cursor.offset
            cursor.move(to: bytes.endOfText(from: plain, until: .quote, .backslash))
        }
    }

    /// Reads an escape and appends the character that it represents to the unescaped text.
    ///
    /// RFC 8259, section 7: `char = unescaped / escape ( quotation mark / reverse solidus / … / u 4HEXDIG )`.
    private mutating func escape() throws(Diagnostic) {
        let replacement: UInt8
        switch cursor.peek(1) {
        case .quote: replacement = .quote
        case .backslash: replacement = .backslash
        case .slash: replacement = .slash
        case UInt8(ascii: "b"): replacement = 0x08
        case UInt8(ascii: "f"): replacement = 0x0C
        case UInt8(ascii: "n"): replacement = .newline
        case UInt8(ascii: "r"): replacement = .carriageReturn
        case UInt8(ascii: "t"): replacement = .tab
        case UInt8(ascii: "u"): return try unicodeEscape()
        // A control character, such as the end of the line, is not an escape. The caller reports it with a better
        // message.
        case ..<0x20: return cursor.advance()
        default: throw diagnostics.unknownEscape(at: cursor.offset)
        }
        cursor.append(replacement)
        cursor.advance(2)
    }

    // RFC 8259, section 7: a character outside of the Basic Multilingual Plane is written as two escapes, a surrogate
    // pair.
    private mutating func unicodeEscape() throws(Diagnostic) {
        let offset = cursor.offset
        guard let first = cursor.hexNumber(at: offset + 2, digits: 4) else {
            throw diagnostics.incompleteEscape(at: offset, digits: 4)
        }
        cursor.advance(6)
        if let scalar = Unicode.Scalar(first) { return cursor.append(scalar) }
        guard first < 0xDC00, cursor.byte == .backslash, cursor.peek(1) == UInt8(ascii: "u"),
            let second = cursor.hexNumber(at: cursor.offset + 2, digits: 4), second & 0xFC00 == 0xDC00,
            let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + second & 0x3FF)
        else { throw diagnostics.loneSurrogate(at: offset, expected: "both halves, as in `\\ud83d\\ude00`") }
        cursor.append(scalar)
        cursor.advance(6)
    }
}
