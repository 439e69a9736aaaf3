import TextBasics

/// Functions that create the errors that TOML and JSON have in common.
///
/// They examine the text around the error to find out what its author most likely meant. They run only after a parser
/// has found an error, so their speed does not matter.
protocol SyntaxDiagnostics {
    var cursor: Cursor { get }
    /// The format's name for a table in braces.
    static var tableName: MessageText { get }
    /// The name of the format.
    static var formatName: MessageText { get }
    /// The name and an example of the format, for messages about text that looks like another format.
    static var formatExample: MessageText { get }
    /// The remedy for an invalid escape.
    static var backslashRemedy: MessageText { get }
    /// The remedy for a string that continues on the next line after a backslash, or nil.
    static var multilineRemedy: MessageText? { get }

    /// Returns the error for a word that means null, such as `None`.
    func misspeltNull(at offset: Int) -> Diagnostic
    /// Returns the error for a word that means infinity or not-a-number.
    ///
    /// The offset is the start of the word, or of its sign if it has a sign.
    func misspeltFloat(at offset: Int) -> Diagnostic
}

// MARK: - Characters

extension SyntaxDiagnostics {
    /// Returns the error for a character that is invalid everywhere outside of strings and comments.
    ///
    /// For any other character, and at the end of the text, the result is nil.
    func strangeCharacter(at offset: Int) -> Diagnostic? {
        guard offset < cursor.count else { return nil }
        if isConflictMarker(at: offset) {
            return Diagnostic(
                "a merge conflict was left here", at: offset,
                remedy: "Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`",
                kind: .unrecoverable)
        }
        guard let scalar = cursor.scalar(at: offset) else { return nil }
        switch scalar {
        case "\n", "\t": return nil
        case "\r": return cursor.byte(at: offset + 1) == .newline ? nil : bareCarriageReturn(at: offset)
        case ..<" ", "\u{7F}": return controlCharacter(at: offset)
        case "\u{2018}"..."\u{201F}":
            return Diagnostic(
                "there is a typographic quote, \(cursor.character(at: offset))", at: offset,
                expected: "a plain quote, `\"`", remedy: "Retype the quotes at both ends")
        case "\u{FEFF}":
            return Diagnostic(
                "there is a byte order mark inside the text", at: offset,
                remedy: "Delete this invisible character: it may only be at the very start")
        // Spaces, and characters without a width.
        case "\u{A0}", "\u{2000}"..."\u{200F}", "\u{202F}", "\u{2060}", "\u{3000}":
            return Diagnostic(
                "there is a space of another kind, \(cursor.codePoint(at: offset))", at: offset,
                remedy: "Replace it with a plain space, or delete it")
        default: return nil
        }
    }

    // Returns whether a line starts with a conflict marker of a merge: seven times `<`, `=`, `>` or `|`.
    private func isConflictMarker(at offset: Int) -> Bool {
        let first = cursor.byte(at: offset)
        guard offset == 0 || cursor.byte(at: offset - 1) == .newline, "<=>|".utf8.contains(first) else { return false }
        return (offset..<offset + 7).allSatisfy { cursor.byte(at: $0) == first } && cursor.byte(at: offset + 7) != first
    }

    func controlCharacter(at offset: Int) -> Diagnostic {
        Diagnostic("there is a control character, \(cursor.codePoint(at: offset))", at: offset, remedy: "Delete it")
    }

    func bareCarriageReturn(at offset: Int) -> Diagnostic {
        Diagnostic(
            "a carriage return is not followed by a line feed", at: offset,
            expected: "line ends of LF or CRLF", remedy: "Save the file with one of these line ends",
            kind: .unrecoverable)
    }

    func unexpected(at offset: Int, expected: MessageText = "a value") -> Diagnostic {
        Diagnostic("\(cursor.character(at: offset)) does not belong here", at: offset, expected: expected)
    }

    func looksLikeYAML(at offset: Int) -> Diagnostic {
        Diagnostic(
            "this looks like YAML", at: offset, expected: Self.formatExample, remedy: "Write it as \(Self.formatName)",
            kind: .unrecoverable)
    }

    /// Returns whether an item of a YAML list (`- a`) or a YAML document (`---`) starts at an offset.
    func isListItem(at offset: Int) -> Bool {
        var end = offset
        while end < offset + 3, cursor.byte(at: end) == .minus { end += 1 }
        return (end == offset + 1 || end == offset + 3) && cursor.byte(at: end) <= .space
    }

    /// Returns whether the rest of the line after an offset contains a byte.
    func restOfLine(from offset: Int, has wanted: UInt8) -> Bool {
        (offset..<cursor.endOfLine(from: offset)).contains { cursor.byte(at: $0) == wanted }
    }
}

// MARK: - Strings

extension SyntaxDiagnostics {
    func unclosedString(at open: Int) -> Diagnostic {
        Diagnostic(
            "the string that starts here has no end", at: open,
            expected: "\(cursor.character(at: open)) before the end of the line", remedy: remedyAtLineEnd(from: open))
    }

    // Returns a remedy if the end of the line shows why the string is not closed, else nil.
    private func remedyAtLineEnd(from open: Int) -> MessageText? {
        var end = cursor.endOfLine(from: open)
        while cursor.byte(at: end - 1) == .carriageReturn { end -= 1 }
        let text = cursor.text(max(open, end - 4)..<end)
        if cursor.byte(at: open) != .apostrophe {
            if text.dropLast(text.hasSuffix(",") ? 1 : 0).hasSuffix("\\\"") {
                return "Write `\\\\` for a backslash: the quote behind one is part of the text"
            }
            if let remedy = Self.multilineRemedy, text.hasSuffix("\\"), end < cursor.count { return remedy }
        }
        guard let last = text.unicodeScalars.last, (0x2018...0x201F).contains(last.value) else { return nil }
        return "Retype the quote at the end: it is a typographic one"
    }

    func controlInString(at offset: Int, open: Int) -> Diagnostic {
        let byte = cursor.byte(at: offset)
        let escape =
            switch byte {
            case .tab: "`\\t`"
            case .newline: "`\\n`"
            default: "`\\u\(Cursor.hexadecimal(byte, digits: 4))`"
            }
        // TOML 1.1, String: a literal string has no escapes.
        let isLiteral = cursor.byte(at: open) == .apostrophe
        return Diagnostic(
            "the string contains a control character, \(cursor.codePoint(at: offset))", at: offset,
            expected: "an escape",
            remedy: isLiteral ? "Put the text in double quotes and write \(escape)" : "Write \(escape) instead")
    }

    func unknownEscape(at offset: Int) -> Diagnostic {
        Diagnostic(
            cursor.visibleCharacter(at: offset + 1).map { "\(PrintableText.quoted("\\" + $0)) is not a valid escape" }
                ?? "the backslash is followed by \(cursor.codePoint(at: offset + 1))",
            at: offset, remedy: Self.backslashRemedy)
    }

    func incompleteEscape(at offset: Int, digits: Int) -> Diagnostic {
        Diagnostic(
            "the escape \(PrintableText.quoted(cursor.text(offset..<offset + 2))) lacks digits", at: offset,
            expected: "\(digits) hexadecimal digits after it", remedy: Self.backslashRemedy)
    }

    func loneSurrogate(at offset: Int, expected: MessageText) -> Diagnostic {
        Diagnostic("the escape is half of a surrogate pair", at: offset, expected: expected)
    }
}

// MARK: - Brackets and commas

extension SyntaxDiagnostics {
    /// Returns the error for an array (`close` is `]`) or a table (`}`) that is still open at the end of the text.
    func unclosed(_ close: UInt8, open: Int) -> Diagnostic {
        let isArray = close == .closeBracket
        return Diagnostic(
            "the \(isArray ? "array" : Self.tableName) that opens here is never closed", at: open,
            expected: isArray ? "a `]`" : "a `}`")
    }

    /// Returns the error for a bracket inside of an array (`close` is `]`) or a table (`}`) that cannot close it.
    func wrongBracket(at offset: Int, before close: UInt8, open: Int) -> Diagnostic {
        let isArray = close == .closeBracket
        return Diagnostic(
            "\(cursor.character(at: offset)) cannot close an \(isArray ? "array" : Self.tableName)", at: offset,
            expected: isArray ? "`]`" : "`}`", note: ("opened at", open))
    }

    func extraBracket(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.character(at: offset)) closes what was never opened", at: offset,
            remedy: "Remove it, or look for a missing bracket")
    }

    func extraComma(at offset: Int) -> Diagnostic {
        Diagnostic("there is an extra comma", at: offset, expected: "a value", remedy: "Remove this comma")
    }

    func missingComma(at offset: Int) -> Diagnostic {
        Diagnostic(
            "a comma is missing before \(cursor.excerpt(at: offset))", at: offset, expected: "`,` between two values",
            remedy: "Add it, or look for a missing quote before this place")
    }

    func semicolonForComma(at offset: Int) -> Diagnostic {
        Diagnostic("a semicolon separates two values", at: offset, expected: "a comma")
    }

    func keyInArray(at offset: Int, open: Int) -> Diagnostic {
        Diagnostic(
            "there is a key in an array", at: offset, expected: "values alone",
            remedy: "Put the key and its value into braces, or make the array an \(Self.tableName)",
            note: ("opened at", open))
    }

    func missingKey(at offset: Int) -> Diagnostic {
        Diagnostic("a key is missing before \(cursor.character(at: offset))", at: offset, expected: "a key")
    }
}

// MARK: - Values

extension SyntaxDiagnostics {
    func missingValue(at offset: Int) -> Diagnostic {
        Diagnostic(
            "a value is missing", at: offset,
            expected: "a string, a number, a boolean, an array or an \(Self.tableName)")
    }

    /// Returns the error for a word where a value is expected.
    func unquotedText(at offset: Int) -> Diagnostic {
        let text = cursor.excerpt(at: offset)
        return switch misspeltLiteral(at: offset) {
        case .true: Diagnostic("\(text) is not a valid value", at: offset, expected: "`true`, or text in quotes")
        case .false: Diagnostic("\(text) is not a valid value", at: offset, expected: "`false`, or text in quotes")
        case .null: misspeltNull(at: offset)
        case .float: misspeltFloat(at: offset)
        case nil:
            Diagnostic("the text \(text) has no quotes", at: offset, expected: "a value", remedy: "Put text in quotes")
        }
    }

    /// Returns the literal that the word at an offset most likely means, such as `true` for `yes`, or nil.
    func misspeltLiteral(at offset: Int) -> MisspeltLiteral? {
        let word = cursor.word(startingAt: offset)
        // Letters right before a quote are not a literal but the prefix of a string, as in `f'x'`.
        guard !cursor.byte(at: offset + word.utf8.count).isQuote else { return nil }
        return switch word.lowercased() {
        case "true", "tru", "ture", "yes", "on", "y", "t": .true
        case "false", "fals", "flase", "no", "off", "n", "f": .false
        case "null", "nul", "nil", "none", "undefined": .null
        case "nan", "inf", "infinity": .float
        default: nil
        }
    }

    @inline(never)
    func leadingZero(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the number starts with a zero", at: offset, expected: "a number without leading zeros",
            remedy: "Remove the zeros, or put it in quotes if it is not a number")
    }

    func leadingPoint(at offset: Int) -> Diagnostic {
        Diagnostic("the number starts with a decimal point", at: offset, expected: "a digit before it, as in `0.5`")
    }

    func missingDigits(at offset: Int) -> Diagnostic {
        Diagnostic("a number is missing after the sign", at: offset, expected: "a digit")
    }

    func invalidNumber(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: offset)) is not a valid number", at: offset, expected: "a number, or text in quotes")
    }

    /// Returns the error for a number that ends at an offset, if the byte there looks like a part of the number.
    ///
    /// Examples are the `:`, `%` and `/` in `12:30`, `10%` and `1/2`. For any other byte the result is nil.
    func invalidNumber(endingAt offset: Int) -> Diagnostic? {
        guard offset > 0, cursor.byte(at: offset - 1).isDigit else { return nil }
        switch cursor.byte(at: offset) {
        case .plus, .minus, UInt8(ascii: "%"), 0x80...: break
        case .colon, .slash:
            guard cursor.byte(at: offset + 1).isDigit else { return nil }
        default: return nil
        }
        var start = offset
        while start > 0, cursor.byte(at: start - 1).isWordPart || "+-.:".utf8.contains(cursor.byte(at: start - 1)) {
            start -= 1
        }
        // A colon before the number separates it from its key.
        while cursor.byte(at: start) == .colon { start += 1 }
        let first = cursor.byte(at: start)
        let isNumber = first.isDigit || first == .plus || first == .minus
        return isNumber ? invalidNumber(at: start) : nil
    }
}

/// The literals that a misspelt word, or a word of another language, can mean.
enum MisspeltLiteral { case `true`, `false`, null, float }

extension Diagnostic {
    @inline(never)
    static func floatTooLarge(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the number is too large for a 64-bit float", at: offset, expected: "less than 1.8e308",
            remedy: "Put it in quotes if it is not a number", kind: .unsupported)
    }
}
