import TextBasics

/// Functions that create the errors of the JSON parser.
struct JsonDiagnostics: SyntaxDiagnostics {
    static var tableName: String { "object" }
    static var formatName: String { "JSON" }
    static var formatExample: String { "JSON, such as `{\"key\": \"value\"}`" }
    static var backslashRemedy: String { "Write `\\\\` for a backslash" }
    static var multilineRemedy: String? { nil }

    let cursor: Cursor
    /// The number of nodes that were parsed before the error.
    let nodeCount: Int
    /// The first of these nodes, or nil if there is none.
    let root: SyntaxNode?

    private var bytes: SourceBytes { cursor.bytes }
}

// MARK: - The document

extension JsonDiagnostics {
    func expectedEnd(at place: Int) -> Diagnostic {
        if let strange = strangeCharacter(at: place) { return strange }
        switch bytes[place] {
        case .closeBracket, .closeBrace: return extraBracket(at: place)
        case .hash: return hashComment(at: place)
        case .colon where root?.kind == .string:
            return Diagnostic(
                "there is a key outside of all objects", at: root.map { Int($0.place) },
                expected: "`{` before the first key", remedy: "Put all keys and their values into braces")
        default:
            return Diagnostic(
                "the document has ended, and there is more text", at: place,
                expected: "one value and nothing after it", remedy: "Put several values into one array or object")
        }
    }

    // Returns the error for a document that starts like TOML or YAML, or nil if it does not.
    private func otherFormat(at place: Int) -> Diagnostic? {
        var end = place
        while bytes[end].isWordPart || bytes[end] == .minus || bytes[end] == .dot { end += 1 }
        let isPair = nodeCount == 0 && restOfLine(from: place, has: .equals)
        let isInFirstArray = nodeCount == 1 && root?.kind == .array
        if isPair || isInFirstArray && isHeaderEnd(at: end) {
            return Diagnostic(
                "this looks like TOML", at: place, expected: Self.formatExample,
                remedy: "Load it as TOML, or write it as JSON")
        }
        return nodeCount == 0 && bytes[end] == .colon ? looksLikeYAML(at: place) : nil
    }

    // Returns whether a TOML table header ends at an offset: with a `]` at the end of a line, and more text after it.
    private func isHeaderEnd(at place: Int) -> Bool {
        guard bytes[place] == .closeBracket else { return false }
        var end = place + 1
        while bytes[end] == .space || bytes[end] == .tab { end += 1 }
        guard bytes[end] == .newline || bytes[end] == .carriageReturn else { return false }
        while end < cursor.count, bytes[end] <= .space { end += 1 }
        return end < cursor.count
    }

    private func hashComment(at place: Int) -> Diagnostic {
        Diagnostic("`#` does not start a comment in JSON", at: place, expected: "`//` or `/* */`")
    }
}

// MARK: - Arrays and objects

extension JsonDiagnostics {
    @inline(never)
    func expectedKey(at place: Int, open: Int) -> Diagnostic {
        if place >= cursor.count { return unclosed(.closeBrace, open: open) }
        if let strange = strangeCharacter(at: place) { return strange }
        let byte = bytes[place]
        if byte.isLetter || byte == .underscore || byte == UInt8(ascii: "$") || byte >= 0x80 {
            return Diagnostic(
                "the key \(cursor.quotedKey(at: place)) has no quotes", at: place, expected: "a key in double quotes",
                remedy: "Put quotes around the key, or look for a missing quote before it")
        }
        switch byte {
        case .comma: return extraComma(at: place)
        case .closeBracket: return wrongBracket(at: place, before: .closeBrace, open: open)
        case .apostrophe, .backtick: return singleQuotedString(at: place)
        case .colon: return missingKey(at: place)
        case .openBrace, .openBracket, .minus, UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Diagnostic("this key is not a string", at: place, expected: "a key in double quotes")
        case .hash: return hashComment(at: place)
        default: return unexpected(at: place)
        }
    }

    @inline(never)
    func expectedColon(at place: Int, key: Int) -> Diagnostic {
        if let strange = strangeCharacter(at: place) { return strange }
        if bytes[place] == .equals { return Diagnostic("`=` follows the key", at: place, expected: "`:`") }
        return Diagnostic(
            "a colon is missing after the key", at: place, expected: "`:` and a value",
            remedy: "Add it, or look for a missing quote before this place", note: ("the key is at", key))
    }

    @inline(never)
    func expectedSeparator(at place: Int, before close: UInt8, open: Int) -> Diagnostic {
        if place >= cursor.count { return unclosed(close, open: open) }
        if let error = strangeCharacter(at: place) ?? invalidNumber(endingAt: place) { return error }
        switch bytes[place] {
        case .closeBracket, .closeBrace: return wrongBracket(at: place, before: close, open: open)
        case .colon where close == .closeBracket: return keyInArray(at: place, open: open)
        case .semicolon: return semicolonForComma(at: place)
        case .hash: return hashComment(at: place)
        case .quote, .apostrophe, .openBrace, .openBracket, .minus:
            return missingComma(at: place)
        case let byte where byte.isWordPart: return missingComma(at: place)
        default: return unexpected(at: place, expected: "`,` or the closing bracket")
        }
    }
}

// MARK: - Values

extension JsonDiagnostics {
    @inline(never)
    func expectedValue(at place: Int) -> Diagnostic {
        if let strange = strangeCharacter(at: place) { return strange }
        switch bytes[place] {
        case let byte where byte.isWordPart || byte >= 0x80: return otherFormat(at: place) ?? unquotedText(at: place)
        case 0, .comma, .closeBracket, .closeBrace: return missingValue(at: place)
        case .apostrophe, .backtick: return singleQuotedString(at: place)
        case .plus:
            return Diagnostic("the number starts with a plus sign", at: place, remedy: "Remove the sign")
        case .dot where bytes[place + 1].isDigit: return leadingPoint(at: place)
        case .hash: return hashComment(at: place)
        default: return unexpected(at: place)
        }
    }

    func misspeltNull(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: place)) is not a valid value", at: place, expected: "`null`, or text in quotes")
    }

    func misspeltFloat(at place: Int) -> Diagnostic {
        Diagnostic(
            "\(cursor.excerpt(at: place)) is not a JSON number", at: place, expected: "a finite number, or `null`")
    }

    private func singleQuotedString(at place: Int) -> Diagnostic {
        Diagnostic(
            "the string is in the wrong kind of quotes, \(cursor.character(at: place))", at: place,
            expected: "double quotes, `\"`")
    }

    // RFC 8259, section 7: in a string, control characters must be escaped. Line ends are control characters.
    func expectedStringEnd(at place: Int, open: Int) -> Diagnostic {
        let isLineEnd = bytes[place] == .newline || bytes[place] == .carriageReturn
        return place >= cursor.count || isLineEnd
            ? unclosedString(at: open) : controlInString(at: place, open: open)
    }

    @inline(never)
    func invalidNumber(at place: Int, start: Int) -> Diagnostic {
        if nodeCount == 0, isListItem(at: start) { return looksLikeYAML(at: start) }
        let byte = bytes[place]
        guard bytes[place - 1].isDigit else {
            if byte == .dot { return leadingPoint(at: start) }
            return misspeltLiteral(at: place) == .float ? misspeltFloat(at: start) : missingDigits(at: start)
        }
        if bytes[place - 1] == UInt8(ascii: "0"), "xXoObB".utf8.contains(byte) {
            return Diagnostic("the number has a prefix", at: start, expected: "a decimal number")
        }
        if byte == .underscore {
            return Diagnostic("there is an underscore in the number", at: start, remedy: "Remove it")
        }
        return invalidNumber(at: start)
    }
}
