import TextBasics

/// Functions that create the errors of the TOML parser.
struct TomlDiagnostics: SyntaxDiagnostics {
    static var tableName: String { "inline table" }
    static var formatName: String { "TOML" }
    static var formatExample: String { "TOML, such as `key = \"value\"`" }
    static var backslashRemedy: String {
        "Write `\\\\` for a backslash, or put the text in single quotes, where it stands for itself"
    }
    static var multilineRemedy: String? { "Put text of several lines in triple quotes, `\"\"\"`" }

    let cursor: Cursor
    /// Whether the text has no value and no table before the error.
    let isAtStart: Bool

    private var place: Int { cursor.offset }
}

// MARK: - Keys and headers

extension TomlDiagnostics {
    @inline(never)
    func expectedKey() -> Diagnostic {
        if let strange = strangeCharacter(at: place) { return strange }
        switch cursor.byte {
        case .openBrace where isAtStart:
            return Diagnostic(
                "this looks like JSON", at: place, expected: Self.formatExample,
                remedy: "Load it as JSON, or write it as TOML")
        case .slash: return slashComment()
        case .semicolon: return semicolonComment()
        case .equals: return isAfterDot ? missingKeyPart() : missingKey(at: place)
        case .comma: return extraComma(at: place)
        case .closeBracket, .closeBrace: return isAfterDot ? missingKeyPart() : extraBracket(at: place)
        case .dot, 0, .newline, .carriageReturn: return missingKeyPart()
        default: return invalidKeyCharacter()
        }
    }

    private func missingKeyPart() -> Diagnostic {
        Diagnostic("a part of the key is missing here", at: place, expected: "a name on both sides of each dot")
    }

    private func invalidKeyCharacter() -> Diagnostic {
        Diagnostic(
            "\(cursor.character(at: place)) is not allowed in a key without quotes", at: place,
            expected: "letters, digits, `_` or `-`", remedy: "Put the key in quotes")
    }

    @inline(never)
    func expectedEquals(_ key: SyntaxKey) -> Diagnostic {
        let keyPlace = Int(key.place)
        if isListItem(at: keyPlace) { return looksLikeYAML(at: keyPlace) }
        if !isAtLineEnd, let strange = strangeCharacter(at: place) { return strange }
        let byte = cursor.byte
        if byte == .colon { return Diagnostic("`:` follows the key", at: place, expected: "`=`") }
        if byte == .closeBracket { return extraBracket(at: place) }
        let isQuoted = cursor.byte(at: keyPlace).isQuote
        let isEnd = isAtLineEnd || byte == .hash || byte == .comma || byte == .closeBrace
        guard isAfterBlank || isQuoted || isEnd else { return invalidKeyCharacter() }
        guard byte.isWordPart || byte.isQuote, !isQuoted, restOfLine(from: place, has: .equals) else {
            return Diagnostic(
                "`=` is missing after the key", at: place, expected: "`=` and a value",
                note: ("the key is at", keyPlace))
        }
        if cursor.word(startingAt: keyPlace) == "export" {
            return Diagnostic(
                "\(cursor.excerpt(at: keyPlace)) comes before the key", at: keyPlace, expected: "a key alone",
                remedy: "Remove this word")
        }
        return spaceInKey(expected: "`=` or `.`", note: ("the key is at", keyPlace))
    }

    private func spaceInKey(expected: String, note: (String, Int)? = nil) -> Diagnostic {
        Diagnostic(
            "a key without quotes has a space in it, before \(cursor.excerpt(at: place))", at: place,
            expected: expected, remedy: "Put the key in quotes", note: note)
    }

    func expectedHeaderEnd(open: Int) -> Diagnostic {
        let isEnd = isAtLineEnd || cursor.byte == .hash || cursor.byte == .equals
        if isEnd, cursor.byte(at: open + 1) != .openBracket { return unclosedHeader(open, expected: "a `]`") }
        if !isEnd, let strange = strangeCharacter(at: place) { return strange }
        if isEnd || cursor.byte == .closeBracket {
            return unclosedHeader(open, expected: "`]]`, with no space in it")
        }
        return isAfterBlank && cursor.byte.isWordPart ? spaceInKey(expected: "`]` or `.`") : invalidKeyCharacter()
    }

    private func unclosedHeader(_ open: Int, expected: String) -> Diagnostic {
        Diagnostic("the table header that opens here is never closed", at: open, expected: expected)
    }

    private var isAfterDot: Bool { lastByte == .dot }

    private var isAfterBlank: Bool { cursor.byte(at: place - 1) == .space || cursor.byte(at: place - 1) == .tab }

    // The last byte before the cursor that is not a blank.
    private var lastByte: UInt8? {
        (0..<place).lazy.reversed().map { cursor.byte(at: $0) }.first { $0 != .space && $0 != .tab }
    }

    private var isAtLineEnd: Bool {
        cursor.isAtEnd || cursor.byte == .newline || cursor.byte == .carriageReturn && cursor.peek(1) == .newline
    }
}

// MARK: - Lines and arrays

extension TomlDiagnostics {
    @inline(never)
    func expectedLineEnd() -> Diagnostic {
        if let error = strangeCharacter(at: place) ?? invalidNumber(endingAt: place) { return error }
        switch cursor.byte {
        case .comma:
            return Diagnostic(
                "a comma follows the value", at: place, expected: "the end of the line",
                remedy: "Remove the comma: each key is on a line of its own")
        case .semicolon: return semicolonComment()
        case .slash where cursor.peek(1) == .slash || cursor.peek(1) == .asterisk:
            return slashComment()
        case .closeBracket, .closeBrace: return extraBracket(at: place)
        default:
            return Diagnostic(
                "there is more text on this line, \(cursor.excerpt(at: place))", at: place,
                expected: "the end of the line",
                remedy: "Put each key on a line of its own, and look for a missing quote before this place")
        }
    }

    private func slashComment() -> Diagnostic {
        Diagnostic("`/` does not start a comment in TOML", at: place, expected: "`#`")
    }

    private func semicolonComment() -> Diagnostic {
        Diagnostic(
            "there is a semicolon here", at: place, expected: "the end of the line",
            remedy: "Remove it; a comment begins with `#`")
    }

    func expectedComma(before close: UInt8, open: Int) -> Diagnostic {
        let isArray = close == .closeBracket
        if cursor.isAtEnd { return unclosed(close, open: open) }
        if let error = strangeCharacter(at: place) ?? invalidNumber(endingAt: place) { return error }
        switch cursor.byte {
        case .closeBracket, .closeBrace: return wrongBracket(at: place, before: close, open: open)
        case .equals where isArray: return unclosed(close, open: open)
        case .colon where isArray: return keyInArray(at: place, open: open)
        case .semicolon: return semicolonForComma(at: place)
        case .slash: return slashComment()
        default:
            // A key and a value at the start of a line: most likely, the `]` before them is missing.
            let isPair = lastByte == .newline && restOfLine(from: place, has: .equals)
            return isArray && isPair ? unclosed(close, open: open) : missingComma(at: place)
        }
    }
}

// MARK: - Values

extension TomlDiagnostics {
    @inline(never)
    func expectedValue() -> Diagnostic {
        if isAtLineEnd { return missingValue(at: place) }
        if let strange = strangeCharacter(at: place) { return strange }
        switch cursor.byte {
        case .hash, .comma, .closeBracket, .closeBrace: return missingValue(at: place)
        case .dot where cursor.peek(1).isDigit: return leadingPoint(at: place)
        case .equals, .colon: return unexpected(at: place)
        default: return unquotedText(at: place)
        }
    }

    func misspeltNull(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: place)) is not a valid value: TOML has no null", at: place,
            remedy: "Leave the key out, or put text in quotes")
    }

    func misspeltFloat(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: place)) is not a valid number", at: place, expected: "`inf` or `nan`, in lower case")
    }

    func expectedStringEnd(open: Int) -> Diagnostic {
        isAtLineEnd ? unclosedString(at: open) : invalidStringCharacter(open: open)
    }

    func expectedMultilineStringEnd(open: Int) -> Diagnostic {
        guard cursor.isAtEnd else { return invalidStringCharacter(open: open) }
        return Diagnostic(
            "the string that starts here has no end", at: open,
            expected: "`\(cursor.text(open..<open + 3))` before the end of the file")
    }

    private func invalidStringCharacter(open: Int) -> Diagnostic {
        cursor.byte == .carriageReturn ? bareCarriageReturn(at: place) : controlInString(at: place, open: open)
    }
}

// MARK: - Numbers and dates

extension TomlDiagnostics {
    @inline(never)
    func invalidPrefix(start: Int) -> Diagnostic {
        if cursor.offset > start, "xob".utf8.contains(cursor.peek(1)) {
            return Diagnostic(
                "the number has a sign and a prefix", at: start, remedy: "Remove the sign, or write it in decimal")
        }
        guard "XOB".utf8.contains(cursor.peek(1)) else { return invalidNumber(at: start) }
        return Diagnostic("the number's prefix is in upper case", at: start, expected: "`0x`, `0o` or `0b`")
    }

    @inline(never)
    func invalidDigit(start: Int) -> Diagnostic {
        let expected =
            switch cursor.byte(at: start + 1) {
            case UInt8(ascii: "x"): "digits from 0 to 9 and from a to f"
            case UInt8(ascii: "o"): "digits from 0 to 7"
            default: "the digits 0 and 1"
            }
        return Diagnostic(
            "\(cursor.character(at: place)) is not a digit of this number", at: place, expected: expected,
            note: ("it starts at", start))
    }

    @inline(never)
    func integerTooLarge(at place: Int) -> Diagnostic {
        Diagnostic(
            "the integer does not fit in 64 bits", at: place, expected: "\(Int64.min) to \(Int64.max)",
            remedy: "Put it in quotes if it is not a number", kind: .unsupported)
    }

    @inline(never)
    func expectedNumber(start: Int) -> Diagnostic {
        let byte = cursor.byte
        let last = cursor.byte(at: place - 1)
        let hasDigits = place > start && last.isWordPart
        if byte == .underscore || hasDigits && last == .underscore {
            return Diagnostic(
                "an underscore is not between two digits", at: byte == .underscore ? place : place - 1,
                remedy: "Remove it")
        }
        if hasDigits {
            switch byte {
            case .minus: return invalidDate(at: start)
            case .colon: return invalidTime(at: start)
            default: return invalidNumber(at: start)
            }
        }
        if byte == .dot { return leadingPoint(at: start) }
        guard place > start else { return byte.isLetter ? unquotedText(at: start) : missingValue(at: start) }
        return misspeltLiteral(at: place) == .float ? misspeltFloat(at: start) : missingDigits(at: start)
    }

    @inline(never)
    func leadingZero(start: Int) -> Diagnostic {
        let isDateOrTime = cursor.byte == .minus || cursor.byte == .colon
        return isDateOrTime ? expectedNumber(start: start) : leadingZero(at: start)
    }

    func invalidDate(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: place)) is not a valid date", at: place,
            expected: "year, month and day, as in `2026-11-21`", remedy: "Put it in quotes if it is meant as text")
    }

    func invalidTime(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: place)) is not a valid time", at: place,
            expected: "hours and minutes, as in `06:30` or `06:30:00.5`",
            remedy: "Put it in quotes if it is meant as text")
    }

    func invalidDateTime(_ error: PropertyDateTime.ScanError, start: Int) -> Diagnostic {
        let place = start + error.offset
        switch (error.part, error.isOutOfRange) {
        case (.date, false): return invalidDate(at: place)
        case (.time, false): return invalidTime(at: place)
        case (.offset, false):
            return Diagnostic(
                "\(cursor.excerpt(at: place)) is not a valid offset from UTC", at: place,
                expected: "`Z`, or an offset as in `+01:00`")
        case (.date, true):
            return Diagnostic(
                "the day `\(cursor.text(place..<place + 10))` does not exist", at: place,
                expected: "a day of the calendar")
        case (.time, true):
            return Diagnostic(
                "the time \(cursor.excerpt(at: place)) does not exist", at: place, expected: "00:00:00 to 23:59:59",
                remedy: "Put it in quotes if it is meant as text")
        case (.offset, true):
            return Diagnostic(
                "the offset \(cursor.excerpt(at: place)) is out of range", at: place, expected: "-23:59 to +23:59")
        }
    }
}
