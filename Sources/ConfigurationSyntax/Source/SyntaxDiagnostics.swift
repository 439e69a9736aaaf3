import TextBasics

/// Functions that create the errors that TOML and JSON have in common.
///
/// They examine the text around the error to find out what its author most likely meant. They run only after a parser
/// has found an error, so their speed does not matter.
protocol SyntaxDiagnostics {
    var cursor: Cursor { get }
    /// The format's name for a table in braces.
    static var tableName: String { get }
    /// The name of the format.
    static var formatName: String { get }
    /// The name and an example of the format, for messages about text that looks like another format.
    static var formatExample: String { get }
    /// The remedy for an invalid escape.
    static var backslashRemedy: String { get }
    /// The remedy for a string that continues on the next line after a backslash, or nil.
    static var multilineRemedy: String? { get }

    /// Returns the error for a word that means null, such as `None`.
    func misspeltNull(at place: Int) -> Diagnostic
    /// Returns the error for a word that means infinity or not-a-number.
    ///
    /// The offset is that of the word, or of its sign if it has one.
    func misspeltFloat(at place: Int) -> Diagnostic
}

// MARK: - Characters

extension SyntaxDiagnostics {
    /// Returns the error for a character that is invalid everywhere outside of strings and comments.
    ///
    /// For any other character, and at the end of the text, the result is nil.
    func strangeCharacter(at place: Int) -> Diagnostic? {
        guard place < cursor.count else { return nil }
        if isConflictMarker(at: place) {
            return Diagnostic(
                "a merge conflict was left here", at: place,
                remedy: "Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`")
        }
        let first = cursor.byte(at: place)
        let second = cursor.byte(at: place + 1)
        let third = cursor.byte(at: place + 2)
        switch first {
        case .newline, .tab: return nil
        case .carriageReturn: return second == .newline ? nil : bareCarriageReturn(at: place)
        case ..<0x20, .delete: return controlCharacter(at: place)
        // U+00A0 NO-BREAK SPACE.
        case 0xC2 where second == 0xA0: return strangeSpace(at: place)
        // U+2018 to U+201F are quotation marks; U+2000 to U+200F, U+202F and U+2060 are spaces or have no width.
        case 0xE2 where second == 0x80 && (0x98...0x9F).contains(third):
            return Diagnostic(
                "there is a typographic quote, \(cursor.character(at: place))", at: place,
                expected: "a plain quote, `\"`", remedy: "Retype the quotes at both ends")
        case 0xE2 where second == 0x80 && (third <= 0x8F || third == 0xAF): return strangeSpace(at: place)
        case 0xE2 where second == 0x81 && third == 0xA0: return strangeSpace(at: place)
        // U+3000 IDEOGRAPHIC SPACE, U+FEFF BYTE ORDER MARK.
        case 0xE3 where second == 0x80 && third == 0x80: return strangeSpace(at: place)
        case 0xEF where second == 0xBB && third == 0xBF:
            return Diagnostic(
                "there is a byte order mark inside the text", at: place,
                remedy: "Delete this invisible character: it may only be at the very start")
        default: return nil
        }
    }

    // Returns whether a line starts with a conflict marker of a merge: seven times `<`, `=`, `>` or `|`.
    private func isConflictMarker(at place: Int) -> Bool {
        let first = cursor.byte(at: place)
        guard place == 0 || cursor.byte(at: place - 1) == .newline, "<=>|".utf8.contains(first) else { return false }
        return (place..<place + 7).allSatisfy { cursor.byte(at: $0) == first } && cursor.byte(at: place + 7) != first
    }

    private func strangeSpace(at place: Int) -> Diagnostic {
        Diagnostic(
            "there is a space of another kind, \(cursor.codePoint(at: place))", at: place,
            remedy: "Replace it with a plain space, or delete it")
    }

    func controlCharacter(at place: Int) -> Diagnostic {
        Diagnostic("there is a control character, \(cursor.codePoint(at: place))", at: place, remedy: "Delete it")
    }

    func bareCarriageReturn(at place: Int) -> Diagnostic {
        Diagnostic(
            "a carriage return is not followed by a line feed", at: place,
            expected: "line ends of LF or CRLF", remedy: "Save the file with one of these line ends")
    }

    func unexpected(at place: Int, expected: String = "a value") -> Diagnostic {
        Diagnostic("\(cursor.character(at: place)) does not belong here", at: place, expected: expected)
    }

    func looksLikeYAML(at place: Int) -> Diagnostic {
        Diagnostic(
            "this looks like YAML", at: place, expected: Self.formatExample, remedy: "Write it as \(Self.formatName)")
    }

    /// Returns whether an item of a YAML list (`- a`) or a YAML document (`---`) starts at an offset.
    func isListItem(at place: Int) -> Bool {
        var end = place
        while end < place + 3, cursor.byte(at: end) == .minus { end += 1 }
        return (end == place + 1 || end == place + 3) && cursor.byte(at: end) <= .space
    }

    /// Returns whether the rest of the line after an offset contains a byte.
    func restOfLine(from place: Int, has wanted: UInt8) -> Bool {
        let line = (place..<max(place, cursor.count)).lazy.map { cursor.byte(at: $0) }.prefix { $0 != .newline }
        return line.contains(wanted)
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
    private func remedyAtLineEnd(from open: Int) -> String? {
        var end = open
        while end < cursor.count, cursor.byte(at: end) != .newline, cursor.byte(at: end) != .carriageReturn { end += 1 }
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

    func controlInString(at place: Int, open: Int) -> Diagnostic {
        let byte = cursor.byte(at: place)
        let escape =
            switch byte {
            case .tab: "`\\t`"
            case .newline: "`\\n`"
            default: "`\\u\(Cursor.hexadecimal(byte, digits: 4))`"
            }
        // TOML 1.1, String: a literal string has no escapes.
        let isLiteral = cursor.byte(at: open) == .apostrophe
        return Diagnostic(
            "the string contains a control character, \(cursor.codePoint(at: place))", at: place, expected: "an escape",
            remedy: isLiteral ? "Put the text in double quotes and write \(escape)" : "Write \(escape) instead")
    }

    func unknownEscape(at place: Int) -> Diagnostic {
        Diagnostic(
            cursor.visibleCharacter(at: place + 1).map { "\(PrintableText.quoted("\\" + $0)) is not a valid escape" }
                ?? "the backslash is followed by \(cursor.codePoint(at: place + 1))",
            at: place, remedy: Self.backslashRemedy)
    }

    func incompleteEscape(at place: Int, digits: Int) -> Diagnostic {
        Diagnostic(
            "the escape \(PrintableText.quoted(cursor.text(place..<place + 2))) lacks digits", at: place,
            expected: "\(digits) hexadecimal digits after it", remedy: Self.backslashRemedy)
    }

    func loneSurrogate(at place: Int, expected: String) -> Diagnostic {
        Diagnostic("the escape is half of a surrogate pair", at: place, expected: expected)
    }
}

// MARK: - Brackets and commas

extension SyntaxDiagnostics {
    /// Returns the error for an array (`close` is `]`) or a table (`}`) that is still open at the end of the text.
    func unclosed(_ close: UInt8, open: Int) -> Diagnostic {
        close == .closeBracket
            ? Diagnostic("the array that opens here is never closed", at: open, expected: "a `]`")
            : Diagnostic("the \(Self.tableName) that opens here is never closed", at: open, expected: "a `}`")
    }

    /// Returns the error for a bracket inside of an array (`close` is `]`) or a table (`}`) that cannot close it.
    func wrongBracket(at place: Int, before close: UInt8, open: Int) -> Diagnostic {
        let isArray = close == .closeBracket
        return Diagnostic(
            "\(cursor.character(at: place)) cannot close an \(isArray ? "array" : Self.tableName)", at: place,
            expected: isArray ? "`]`" : "`}`", note: ("opened at", open))
    }

    func extraBracket(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.character(at: place)) closes what was never opened", at: place,
            remedy: "Remove it, or look for a missing bracket")
    }

    func extraComma(at place: Int) -> Diagnostic {
        Diagnostic("there is an extra comma", at: place, expected: "a value", remedy: "Remove this comma")
    }

    func missingComma(at place: Int) -> Diagnostic {
        Diagnostic(
            "a comma is missing before \(cursor.excerpt(at: place))", at: place, expected: "`,` between two values",
            remedy: "Add it, or look for a missing quote before this place")
    }

    func semicolonForComma(at place: Int) -> Diagnostic {
        Diagnostic("a semicolon separates two values", at: place, expected: "a comma")
    }

    func keyInArray(at place: Int, open: Int) -> Diagnostic {
        Diagnostic(
            "there is a key in an array", at: place, expected: "values alone",
            remedy: "Put the key and its value into braces, or make the array an \(Self.tableName)",
            note: ("opened at", open))
    }

    func missingKey(at place: Int) -> Diagnostic {
        Diagnostic("a key is missing before \(cursor.character(at: place))", at: place, expected: "a key")
    }
}

// MARK: - Values

extension SyntaxDiagnostics {
    func missingValue(at place: Int) -> Diagnostic {
        Diagnostic(
            "a value is missing", at: place,
            expected: "a string, a number, a boolean, an array or an \(Self.tableName)")
    }

    /// Returns the error for a word where a value is expected.
    func unquotedText(at place: Int) -> Diagnostic {
        let text = cursor.excerpt(at: place)
        return switch misspeltLiteral(at: place) {
        case .true: Diagnostic("\(text) is not a valid value", at: place, expected: "`true`, or text in quotes")
        case .false: Diagnostic("\(text) is not a valid value", at: place, expected: "`false`, or text in quotes")
        case .null: misspeltNull(at: place)
        case .float: misspeltFloat(at: place)
        case nil:
            Diagnostic("the text \(text) has no quotes", at: place, expected: "a value", remedy: "Put text in quotes")
        }
    }

    /// Returns the literal that the word at an offset most likely means, such as `true` for `yes`, or nil.
    func misspeltLiteral(at place: Int) -> MisspeltLiteral? {
        let word = cursor.word(startingAt: place)
        // Letters right before a quote are not a literal but the prefix of a string, as in `f'x'`.
        guard !cursor.byte(at: place + word.utf8.count).isQuote else { return nil }
        return switch word.lowercased() {
        case "true", "tru", "ture", "yes", "on", "y", "t": .true
        case "false", "fals", "flase", "no", "off", "n", "f": .false
        case "null", "nul", "nil", "none", "undefined": .null
        case "nan", "inf", "infinity": .float
        default: nil
        }
    }

    @inline(never)
    func leadingZero(at place: Int) -> Diagnostic {
        Diagnostic(
            "the number starts with a zero", at: place, expected: "a number without leading zeros",
            remedy: "Remove the zeros, or put it in quotes if it is not a number")
    }

    func leadingPoint(at place: Int) -> Diagnostic {
        Diagnostic("the number starts with a decimal point", at: place, expected: "a digit before it, as in `0.5`")
    }

    func missingDigits(at place: Int) -> Diagnostic {
        Diagnostic("a number is missing after the sign", at: place, expected: "a digit")
    }

    func invalidNumber(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: place)) is not a valid number", at: place, expected: "a number, or text in quotes")
    }

    /// Returns the error for a number that ends at an offset, if the byte there looks like a part of the number.
    ///
    /// Examples are the `:`, `%` and `/` in `12:30`, `10%` and `1/2`. For any other byte the result is nil.
    func invalidNumber(endingAt place: Int) -> Diagnostic? {
        guard place > 0, cursor.byte(at: place - 1).isDigit else { return nil }
        switch cursor.byte(at: place) {
        case .plus, .minus, UInt8(ascii: "%"), 0x80...: break
        case .colon, .slash:
            guard cursor.byte(at: place + 1).isDigit else { return nil }
        default: return nil
        }
        var start = place
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
    static func floatTooLarge(at place: Int) -> Diagnostic {
        Diagnostic(
            "the number is too large for a 64-bit float", at: place, expected: "less than 1.8e308",
            remedy: "Put it in quotes if it is not a number", kind: .unsupported)
    }
}
