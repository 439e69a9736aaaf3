import TextBasics

extension TomlParser {
    /// Reads a string (ABNF: `string = ml-basic-string / basic-string / ml-literal-string / literal-string`).
    ///
    /// - Returns: the range of the text. If the string has escapes, it is the range of the unescaped text, which is
    ///   stored behind the source.
    mutating func string() throws(Diagnostic) -> SyntaxText {
        let quote = cursor.byte
        if cursor.peek(1) == quote, cursor.peek(2) == quote { return try multilineString(quote) }
        return quote == .quote ? try basicString() : try literalString()
    }

    /// Reads a string in double quotes (ABNF: `basic-string = quotation-mark *basic-char quotation-mark`).
    mutating func basicString() throws(Diagnostic) -> SyntaxText {
        let open = cursor.offset
        cursor.advance()
        var start = cursor.offset
        let copied = cursor.textEnd
        while true {
            cursor.skipText(until: .quote, .backslash, .delete)
            switch cursor.byte {
            case .quote:
                cursor.advance()
                return text(from: start, to: cursor.offset - 1, copied: copied)
            case .tab:
                cursor.advance()
            case .backslash:
                cursor.append(start..<cursor.offset)
                try escaped()
                start = cursor.offset
            default:
                throw diagnostics.expectedStringEnd(open: open)
            }
        }
    }

    /// Reads a string in single quotes (ABNF: `literal-string = apostrophe *literal-char apostrophe`).
    mutating func literalString() throws(Diagnostic) -> SyntaxText {
        let open = cursor.offset
        cursor.advance()
        while true {
            cursor.skipText(until: .apostrophe, .delete, .delete)
            switch cursor.byte {
            case .apostrophe:
                cursor.advance()
                return SyntaxText(open + 1..<cursor.offset - 1)
            case .tab:
                cursor.advance()
            default:
                throw diagnostics.expectedStringEnd(open: open)
            }
        }
    }

    // Returns the text of a string whose last part, from `start` to `end`, is not copied yet. If no earlier part was
    // copied, the string has no escapes, and its text is that range of the source.
    private mutating func text(from start: Int, to end: Int, copied: Int) -> SyntaxText {
        if cursor.textEnd == copied { return SyntaxText(start..<end) }
        cursor.append(start..<end)
        return SyntaxText(copied..<cursor.textEnd)
    }
}

// MARK: - Multi-line strings

extension TomlParser {
    /// Reads a string in triple quotes.
    ///
    /// ABNF: `ml-basic-string = ml-basic-string-delim [ newline ] ml-basic-body ml-basic-string-delim`, and the same
    /// with apostrophes and without escapes for `ml-literal-string`. A CRLF in it becomes a line feed.
    private mutating func multilineString(_ quote: UInt8) throws(Diagnostic) -> SyntaxText {
        let open = cursor.offset
        cursor.advance(3)
        // TOML 1.1, String: a newline immediately after the opening delimiter is trimmed.
        if cursor.byte == .carriageReturn, cursor.peek(1) == .newline { cursor.advance() }
        if cursor.byte == .newline { cursor.advance() }
        var start = cursor.offset
        let copied = cursor.textEnd
        while true {
            try multilineText(quote, open: open)
            if cursor.byte == .carriageReturn {
                // TOML 1.1, String: a parser may normalize newlines. A line ends in LF, whatever system wrote the file.
                cursor.append(start..<cursor.offset)
                cursor.advance()
                start = cursor.offset
                cursor.advance()
            } else if cursor.byte == .backslash {
                cursor.append(start..<cursor.offset)
                try multilineEscaped()
                start = cursor.offset
            } else if let end = try closingQuotes(quote) {
                return text(from: start, to: end, copied: copied)
            }
        }
    }

    // Advances to the next quote or CRLF, or in a basic string to the next quote, CRLF or backslash.
    private mutating func multilineText(_ quote: UInt8, open: Int) throws(Diagnostic) {
        while true {
            if quote == .quote {
                cursor.skipText(until: .quote, .backslash, .delete)
            } else {
                cursor.skipText(until: .apostrophe, .delete, .delete)
            }
            switch cursor.byte {
            case .newline, .tab: cursor.advance()
            case .carriageReturn where cursor.peek(1) == .newline: return
            case quote, .backslash: return
            default: throw diagnostics.expectedMultilineStringEnd(open: open)
            }
        }
    }

    // Advances over a run of quotes. Returns the end of the string's text, or nil if the quotes are a part of the text.
    //
    // TOML 1.1, String: three quotes close the string. One or two quotes are text, even right before the closing ones.
    private mutating func closingQuotes(_ quote: UInt8) throws(Diagnostic) -> Int? {
        var run = 1
        while run < 6, cursor.peek(run) == quote { run += 1 }
        guard run < 6 else {
            throw Diagnostic(
                "there are more than five quotes in a row", at: cursor.offset,
                expected: "at most two quotes and then the three that end the string",
                remedy: "Escape those that belong to the text")
        }
        cursor.advance(run)
        return run < 3 ? nil : cursor.offset - 3
    }

    /// Reads an escape in a multi-line string.
    ///
    /// ABNF: `mlb-escaped-nl = escape ws newline *( wschar / newline )`, or `escaped`.
    private mutating func multilineEscaped() throws(Diagnostic) {
        let offset = cursor.offset
        guard [.space, .tab, .newline, .carriageReturn].contains(cursor.peek(1)) else { return try escaped() }
        cursor.advance()
        cursor.skipBlanks()
        guard cursor.byte == .newline || cursor.byte == .carriageReturn && cursor.peek(1) == .newline else {
            throw Diagnostic(
                "the line continues after a backslash and a blank", at: offset,
                expected: "the end of the line, or an escape", remedy: "Write `\\\\` for a backslash")
        }
        while true {
            switch cursor.byte {
            case .space, .tab: cursor.skipBlanks()
            case .newline: cursor.advance()
            case .carriageReturn where cursor.peek(1) == .newline: cursor.advance(2)
            default: return
            }
        }
    }
}

// MARK: - Escapes

extension TomlParser {
    /// Reads an escape and appends the character that it represents (ABNF: `escaped = escape escape-seq-char`).
    private mutating func escaped() throws(Diagnostic) {
        let replacement: UInt8
        switch cursor.peek(1) {
        case .quote: replacement = .quote
        case .backslash: replacement = .backslash
        case UInt8(ascii: "b"): replacement = 0x08
        case UInt8(ascii: "e"): replacement = 0x1B
        case UInt8(ascii: "f"): replacement = 0x0C
        case UInt8(ascii: "n"): replacement = .newline
        case UInt8(ascii: "r"): replacement = .carriageReturn
        case UInt8(ascii: "t"): replacement = .tab
        case UInt8(ascii: "x"): return try unicodeEscape(digits: 2)
        case UInt8(ascii: "u"): return try unicodeEscape(digits: 4)
        case UInt8(ascii: "U"): return try unicodeEscape(digits: 8)
        // The end of the line or of the text is not an escape. The caller reports it with a better message.
        case .newline, .carriageReturn, 0: return cursor.advance()
        default: throw diagnostics.unknownEscape(at: cursor.offset)
        }
        cursor.append(replacement)
        cursor.advance(2)
    }

    // TOML 1.1, String: the escape codes must be Unicode scalar values.
    private mutating func unicodeEscape(digits: Int) throws(Diagnostic) {
        let offset = cursor.offset
        guard let number = cursor.hexNumber(at: offset + 2, digits: digits) else {
            throw diagnostics.incompleteEscape(at: offset, digits: digits)
        }
        guard let scalar = Unicode.Scalar(number) else {
            throw number < 0xE000
                ? diagnostics.loneSurrogate(at: offset, expected: "one character, as in `\\U0001F600`")
                : Diagnostic("the escape does not name a character", at: offset, expected: "a number up to 10FFFF")
        }
        cursor.append(scalar)
        cursor.advance(2 + digits)
    }
}
