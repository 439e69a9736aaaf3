import TextBasics

/// Functions that create the errors of the JSON parser.
struct JsonDiagnostics: SyntaxDiagnostics {
    static var tableName: MessageText { "object" }
    static var formatName: MessageText { "JSON" }
    static var formatExample: MessageText { "JSON, such as `{\"key\": \"value\"}`" }
    static var backslashRemedy: MessageText { "Write `\\\\` for a backslash" }
    static var multilineRemedy: MessageText? { nil }

    let cursor: Cursor
    /// The number of nodes that were parsed before the error.
    let nodeCount: Int
    /// The first of these nodes, or nil if there is none.
    let root: SyntaxNode?

    private var bytes: SourceBytes { cursor.bytes }
}

// MARK: - The document

extension JsonDiagnostics {
    func expectedEnd(at offset: Int) -> Diagnostic {
        if let strange = strangeCharacter(at: offset) { return strange }
        switch bytes[offset] {
        case .closeBracket, .closeBrace: return extraBracket(at: offset)
        case .hash: return hashComment(at: offset)
        case .colon where root?.kind == .string:
            return Diagnostic(
                "there is a key outside of all objects", at: root.map { Int($0.start) },
                expected: "`{` before the first key", remedy: "Put all keys and their values into braces")
        default:
            return Diagnostic(
                "the document has ended, and there is more text", at: offset,
                expected: "one value and nothing after it", remedy: "Put several values into one array or object")
        }
    }

    // Returns the error for a document that starts like TOML or YAML, or nil if it does not.
    private func otherFormat(at offset: Int) -> Diagnostic? {
        var end = offset
        while bytes[end].isWordPart || bytes[end] == .minus || bytes[end] == .dot { end += 1 }
        let isPair = nodeCount == 0 && restOfLine(from: offset, has: .equals)
        let isInFirstArray = nodeCount == 1 && root?.kind == .array
        if isPair || isInFirstArray && isHeaderEnd(at: end) {
            return Diagnostic(
                "this looks like TOML", at: offset, expected: Self.formatExample,
                remedy: "Load it as TOML, or write it as JSON")
        }
        return nodeCount == 0 && bytes[end] == .colon ? looksLikeYAML(at: offset) : nil
    }

    // Returns whether a TOML table header ends at an offset: with a `]` at the end of a line, and more text after it.
    private func isHeaderEnd(at offset: Int) -> Bool {
        guard bytes[offset] == .closeBracket else { return false }
        var end = bytes.endOfBlanks(from: offset + 1)
        guard bytes[end] == .newline || bytes[end] == .carriageReturn else { return false }
        while end < cursor.count, bytes[end] <= .space { end += 1 }
        return end < cursor.count
    }

    private func hashComment(at offset: Int) -> Diagnostic {
        Diagnostic("`#` does not start a comment in JSON", at: offset, expected: "`//` or `/* */`")
    }
}

// MARK: - Arrays and objects

extension JsonDiagnostics {
    @inline(never)
    func expectedKey(at offset: Int, open: Int) -> Diagnostic {
        if offset >= cursor.count { return unclosed(.closeBrace, open: open) }
        if let strange = strangeCharacter(at: offset) { return strange }
        let byte = bytes[offset]
        if byte.isLetter || byte == .underscore || byte == UInt8(ascii: "$") || byte >= 0x80 {
            return Diagnostic(
                "the key \(cursor.quotedKey(at: offset)) has no quotes", at: offset, expected: "a key in double quotes",
                remedy: "Put quotes around the key, or look for a missing quote before it")
        }
        switch byte {
        case .comma: return extraComma(at: offset)
        case .closeBracket: return wrongBracket(at: offset, before: .closeBrace, open: open)
        case .apostrophe, .backtick: return singleQuotedString(at: offset)
        case .colon: return missingKey(at: offset)
        case .openBrace, .openBracket, .minus, UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Diagnostic("this key is not a string", at: offset, expected: "a key in double quotes")
        case .hash: return hashComment(at: offset)
        default: return unexpected(at: offset, expected: "a key in double quotes")
        }
    }

    @inline(never)
    func expectedColon(at offset: Int, key: Int) -> Diagnostic {
        if let strange = strangeCharacter(at: offset) { return strange }
        if bytes[offset] == .equals { return Diagnostic("`=` follows the key", at: offset, expected: "`:`") }
        return Diagnostic(
            "a colon is missing after the key", at: offset, expected: "`:` and a value",
            remedy: "Add it, or look for a missing quote before this place", note: ("the key is at", key))
    }

    @inline(never)
    func expectedSeparator(at offset: Int, before close: UInt8, open: Int) -> Diagnostic {
        if offset >= cursor.count { return unclosed(close, open: open) }
        if let error = strangeCharacter(at: offset) ?? invalidNumber(endingAt: offset) { return error }
        switch bytes[offset] {
        case .closeBracket, .closeBrace: return wrongBracket(at: offset, before: close, open: open)
        case .colon where close == .closeBracket: return keyInArray(at: offset, open: open)
        case .semicolon: return semicolonForComma(at: offset)
        case .hash: return hashComment(at: offset)
        case .quote, .apostrophe, .openBrace, .openBracket, .minus:
            return missingComma(at: offset)
        case let byte where byte.isWordPart: return missingComma(at: offset)
        default: return unexpected(at: offset, expected: "`,` or the closing bracket")
        }
    }
}

// MARK: - Values

extension JsonDiagnostics {
    @inline(never)
    func expectedValue(at offset: Int) -> Diagnostic {
        if let strange = strangeCharacter(at: offset) { return strange }
        switch bytes[offset] {
        case let byte where byte.isWordPart || byte >= 0x80: return otherFormat(at: offset) ?? unquotedText(at: offset)
        case 0, .comma, .closeBracket, .closeBrace: return missingValue(at: offset)
        case .apostrophe, .backtick: return singleQuotedString(at: offset)
        case .plus:
            return Diagnostic("the number starts with a plus sign", at: offset, remedy: "Remove the sign")
        case .dot where bytes[offset + 1].isDigit: return leadingPoint(at: offset)
        case .hash: return hashComment(at: offset)
        default: return unexpected(at: offset)
        }
    }

    func misspeltNull(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: offset)) is not a valid value", at: offset, expected: "`null`, or text in quotes")
    }

    func misspeltFloat(at offset: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: offset)) is not a JSON number", at: offset, expected: "a finite number, or `null`")
    }

    private func singleQuotedString(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the string is in the wrong kind of quotes, \(cursor.character(at: offset))", at: offset,
            expected: "double quotes, `\"`")
    }

    // RFC 8259, section 7: in a string, control characters must be escaped. Line ends are control characters.
    func expectedStringEnd(at offset: Int, open: Int) -> Diagnostic {
        let isLineEnd = bytes[offset] == .newline || bytes[offset] == .carriageReturn
        return offset >= cursor.count || isLineEnd
            ? unclosedString(at: open) : controlInString(at: offset, open: open)
    }

    @inline(never)
    func invalidNumber(at offset: Int, start: Int) -> Diagnostic {
        if nodeCount == 0, isListItem(at: start) { return looksLikeYAML(at: start) }
        let byte = bytes[offset]
        guard bytes[offset - 1].isDigit else {
            if byte == .dot { return leadingPoint(at: start) }
            return misspeltLiteral(at: offset) == .float ? misspeltFloat(at: start) : missingDigits(at: start)
        }
        if bytes[offset - 1] == UInt8(ascii: "0"), "xXoObB".utf8.contains(byte) {
            return Diagnostic("the number has a prefix", at: start, expected: "a decimal number")
        }
        if byte == .underscore {
            return Diagnostic("there is an underscore in the number", at: start, remedy: "Remove it")
        }
        return invalidNumber(at: start)
    }
}
