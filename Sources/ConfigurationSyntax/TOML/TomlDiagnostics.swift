import TextBasics

/// Functions that create the errors of the TOML parser.
struct TomlDiagnostics: SyntaxDiagnostics {
    static var tableName: MessageText { "inline table" }
    static var formatName: MessageText { "TOML" }
    static var formatExample: MessageText { "TOML, such as `key = \"value\"`" }
    static var backslashRemedy: MessageText {
        "Write `\\\\` for a backslash, or put the text in single quotes, where it stands for itself"
    }
    static var multilineRemedy: MessageText? { "Put text of several lines in triple quotes, `\"\"\"`" }

    let cursor: Cursor
    /// Whether the text has no value and no table before the error.
    let isAtStart: Bool

    private var offset: Int { cursor.offset }
}

// MARK: - Keys and headers

extension TomlDiagnostics {
    @inline(never)
    func expectedKey() -> Diagnostic {
        if let strange = strangeCharacter(at: offset) { return strange }
        switch cursor.byte {
        case .openBrace where isAtStart:
            return Diagnostic(
                "this looks like JSON", at: offset, expected: Self.formatExample,
                remedy: "Load it as JSON, or write it as TOML", kind: .unrecoverable)
        case .slash: return slashComment()
        case .semicolon: return semicolonComment()
        case .equals: return isAfterDot ? missingKeyPart() : missingKey(at: offset)
        case .comma: return extraComma(at: offset)
        case .closeBracket, .closeBrace: return isAfterDot ? missingKeyPart() : extraBracket(at: offset)
        case .dot, 0, .newline, .carriageReturn: return missingKeyPart()
        default: return invalidKeyCharacter()
        }
    }

    private func missingKeyPart() -> Diagnostic {
        Diagnostic("a part of the key is missing here", at: offset, expected: "a name on both sides of each dot")
    }

    private func invalidKeyCharacter() -> Diagnostic {
        Diagnostic(
            "\(cursor.character(at: offset)) is not allowed in a key without quotes", at: offset,
            expected: "letters, digits, `_` or `-`", remedy: "Put the key in quotes")
    }

    @inline(never)
    func expectedEquals(_ key: SyntaxKey) -> Diagnostic {
        let keyOffset = Int(key.start)
        if isListItem(at: keyOffset) { return looksLikeYAML(at: keyOffset) }
        if !isAtLineEnd, let strange = strangeCharacter(at: offset) { return strange }
        let byte = cursor.byte
        if byte == .colon { return Diagnostic("`:` follows the key", at: offset, expected: "`=`") }
        if byte == .closeBracket { return extraBracket(at: offset) }
        let isQuoted = cursor.byte(at: keyOffset).isQuote
        let isEnd = isAtLineEnd || byte == .hash || byte == .comma || byte == .closeBrace
        guard isAfterBlank || isQuoted || isEnd else { return invalidKeyCharacter() }
        guard byte.isWordPart || byte.isQuote, !isQuoted, restOfLine(from: offset, has: .equals) else {
            return Diagnostic(
                "`=` is missing after the key", at: offset, expected: "`=` and a value",
                note: ("the key is at", keyOffset))
        }
        if cursor.word(startingAt: keyOffset) == "export" {
            return Diagnostic(
                "\(cursor.excerpt(at: keyOffset)) comes before the key", at: keyOffset, expected: "a key alone",
                remedy: "Remove this word")
        }
        return spaceInKey(expected: "`=` or `.`", note: ("the key is at", keyOffset))
    }

    private func spaceInKey(expected: MessageText, note: (String, Int)? = nil) -> Diagnostic {
        Diagnostic(
            "a key without quotes has a space in it, before \(cursor.excerpt(at: offset))", at: offset,
            expected: expected, remedy: "Put the key in quotes", note: note)
    }

    func expectedHeaderEnd(open: Int) -> Diagnostic {
        let isEnd = isAtLineEnd || cursor.byte == .hash || cursor.byte == .equals
        if isEnd, cursor.byte(at: open + 1) != .openBracket { return unclosedHeader(open, expected: "a `]`") }
        if !isEnd, let strange = strangeCharacter(at: offset) { return strange }
        if isEnd || cursor.byte == .closeBracket {
            return unclosedHeader(open, expected: "`]]`, with no space in it")
        }
        return isAfterBlank && cursor.byte.isWordPart ? spaceInKey(expected: "`]` or `.`") : invalidKeyCharacter()
    }

    private func unclosedHeader(_ open: Int, expected: MessageText) -> Diagnostic {
        Diagnostic("the table header that opens here is never closed", at: open, expected: expected)
    }

    private var isAfterDot: Bool { lastByte == .dot }

    private var isAfterBlank: Bool { cursor.byte(at: offset - 1) == .space || cursor.byte(at: offset - 1) == .tab }

    // The last byte before the cursor that is not a blank.
    private var lastByte: UInt8? {
        (0..<offset).lazy.reversed().map { cursor.byte(at: $0) }.first { $0 != .space && $0 != .tab }
    }

    private var isAtLineEnd: Bool {
        cursor.isAtEnd || cursor.byte == .newline || cursor.byte == .carriageReturn && cursor.peek(1) == .newline
    }
}

// MARK: - Lines and arrays

extension TomlDiagnostics {
    @inline(never)
    func expectedLineEnd() -> Diagnostic {
        if let error = strangeCharacter(at: offset) ?? invalidNumber(endingAt: offset) { return error }
        switch cursor.byte {
        case .comma:
            return Diagnostic(
                "a comma follows the value", at: offset, expected: "the end of the line",
                remedy: "Remove the comma: each key is on a line of its own")
        case .semicolon: return semicolonComment()
        case .slash where cursor.peek(1) == .slash || cursor.peek(1) == .asterisk:
            return slashComment()
        case .closeBracket, .closeBrace: return extraBracket(at: offset)
        default:
            return Diagnostic(
                "there is more text on this line, \(cursor.excerpt(at: offset))", at: offset,
                expected: "the end of the line",
                remedy: "Put each key on a line of its own, and look for a missing quote before this place")
        }
    }

    private func slashComment() -> Diagnostic {
        Diagnostic("`/` does not start a comment in TOML", at: offset, expected: "`#`")
    }

    private func semicolonComment() -> Diagnostic {
        Diagnostic(
            "there is a semicolon here", at: offset, expected: "the end of the line",
            remedy: "Remove it; a comment begins with `#`")
    }

    func expectedComma(before close: UInt8, open: Int) -> Diagnostic {
        let isArray = close == .closeBracket
        if cursor.isAtEnd { return unclosed(close, open: open) }
        if let error = strangeCharacter(at: offset) ?? invalidNumber(endingAt: offset) { return error }
        switch cursor.byte {
        case .closeBracket, .closeBrace: return wrongBracket(at: offset, before: close, open: open)
        case .equals where isArray: return unclosed(close, open: open)
        case .colon where isArray: return keyInArray(at: offset, open: open)
        case .semicolon: return semicolonForComma(at: offset)
        case .slash: return slashComment()
        default:
            // A key and a value at the start of a line: most likely, the `]` before them is missing.
            let isPair = lastByte == .newline && cursor.byte.isWordPart && restOfLine(from: offset, has: .equals)
            return isArray && isPair ? unclosed(close, open: open) : missingComma(at: offset)
        }
    }
}

// MARK: - Values

extension TomlDiagnostics {
    @inline(never)
    func expectedValue() -> Diagnostic {
        if isAtLineEnd { return missingValue(at: offset) }
        if let strange = strangeCharacter(at: offset) { return strange }
        switch cursor.byte {
        case .hash, .comma, .closeBracket, .closeBrace: return missingValue(at: offset)
        case .dot where cursor.peek(1).isDigit: return leadingPoint(at: offset)
        case .equals, .colon: return unexpected(at: offset)
        default: return unquotedText(at: offset)
        }
    }

    func misspeltNull(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: offset)) is not a valid value: TOML has no null", at: offset,
            remedy: "Leave the key out, or put text in quotes")
    }

    func misspeltFloat(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: offset)) is not a valid number", at: offset, expected: "`inf` or `nan`, in lower case"
        )
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
        cursor.byte == .carriageReturn ? bareCarriageReturn(at: offset) : controlInString(at: offset, open: open)
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
        let expected: MessageText =
            switch cursor.byte(at: start + 1) {
            case UInt8(ascii: "x"): "digits from 0 to 9 and from a to f"
            case UInt8(ascii: "o"): "digits from 0 to 7"
            default: "the digits 0 and 1"
            }
        return Diagnostic(
            "\(cursor.character(at: offset)) is not a digit of this number", at: offset, expected: expected,
            note: ("it starts at", start))
    }

    @inline(never)
    func integerTooLarge(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the integer does not fit in 64 bits", at: offset, expected: "\(Int64.min) to \(Int64.max)",
            remedy: "Put it in quotes if it is not a number", kind: .unsupported)
    }

    @inline(never)
    func expectedNumber(start: Int) -> Diagnostic {
        let byte = cursor.byte
        let last = cursor.byte(at: offset - 1)
        let hasDigits = offset > start && last.isWordPart
        if byte == .underscore || hasDigits && last == .underscore {
            return Diagnostic(
                "an underscore is not between two digits", at: byte == .underscore ? offset : offset - 1,
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
        guard offset > start else { return byte.isLetter ? unquotedText(at: start) : missingValue(at: start) }
        return misspeltLiteral(at: offset) == .float ? misspeltFloat(at: start) : missingDigits(at: start)
    }

    @inline(never)
    func leadingZero(start: Int) -> Diagnostic {
        let isDateOrTime = cursor.byte == .minus || cursor.byte == .colon
        return isDateOrTime ? expectedNumber(start: start) : leadingZero(at: start)
    }

    func invalidDate(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: offset)) is not a valid date", at: offset,
            expected: "year, month and day, as in `2026-11-21`", remedy: "Put it in quotes if it is meant as text")
    }

    func invalidTime(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: offset)) is not a valid time", at: offset,
            expected: "hours and minutes, as in `06:30` or `06:30:00.5`",
            remedy: "Put it in quotes if it is meant as text")
    }

    func invalidDateTime(_ error: PropertyDateTime.ScanError, start: Int) -> Diagnostic {
        let offset = start + error.offset
        switch (error.part, error.isOutOfRange) {
        case (.date, false): return invalidDate(at: offset)
        case (.time, false): return invalidTime(at: offset)
        case (.offset, false):
            return Diagnostic(
                "\(cursor.excerpt(at: offset)) is not a valid offset from UTC", at: offset,
                expected: "`Z`, or an offset as in `+01:00`")
        case (.date, true):
            return Diagnostic(
                "the day `\(cursor.text(offset..<offset + 10))` does not exist", at: offset,
                expected: "a day of the calendar")
        case (.time, true):
            return Diagnostic(
                "the time \(cursor.excerpt(at: offset)) does not exist", at: offset, expected: "00:00:00 to 23:59:59",
                remedy: "Put it in quotes if it is meant as text")
        case (.offset, true):
            return Diagnostic(
                "the offset \(cursor.excerpt(at: offset)) is out of range", at: offset, expected: "-23:59 to +23:59")
        }
    }
}
