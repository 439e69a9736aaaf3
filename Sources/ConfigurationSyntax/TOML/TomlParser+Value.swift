import TextBasics

extension TomlParser {
    /// Reads a value (ABNF: `val = string / boolean / array / inline-table / date-time / float / integer`).
    ///
    /// - Parameters:
    ///   - key: the key of the value, or `.none`.
    ///   - depth: the number of arrays and tables around the value.
    /// - Returns: the node of the value.
    /// - Throws: the first error in the value.
    // Scalars are read by another function, which keeps the stack frame of this recursive function small.
    mutating func val(_ key: SyntaxKey, depth: Int) throws(Diagnostic) -> UInt32 {
        switch cursor.byte {
        case .openBracket, .openBrace: try collection(key, depth: depth + 1)
        default: try scalar(key)
        }
    }

    private mutating func scalar(_ key: SyntaxKey) throws(Diagnostic) -> UInt32 {
        let offset = cursor.offset
        switch cursor.byte {
        case .quote, .apostrophe:
            return document.append(.string, at: offset, bits: try string().bits, key: key)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard cursor.bytes.isDateTime(at: offset) else { return try number(key) }
            return document.append(.dateTime, at: offset, bits: document.bits(of: try dateTime()), key: key)
        case UInt8(ascii: "t") where cursor.bytes.isWord("true", at: offset):
            cursor.advance(4)
            return document.append(.bool, at: offset, bits: 1, key: key)
        case UInt8(ascii: "f") where cursor.bytes.isWord("false", at: offset):
            cursor.advance(5)
            return document.append(.bool, at: offset, bits: 0, key: key)
        case .minus, .plus, UInt8(ascii: "i"), UInt8(ascii: "n"):
            return try number(key)
        default:
            throw diagnostics.expectedValue()
        }
    }

    /// Reads an array or an inline table. A comma may follow the last value.
    ///
    /// ABNF: `array = array-open [ array-values ] ws-comment-newline array-close`, and
    /// `inline-table = inline-table-open [ inline-table-keyvals ] ws-comment-newline inline-table-close`.
    private mutating func collection(_ key: SyntaxKey, depth: Int) throws(Diagnostic) -> UInt32 {
        let open = cursor.offset
        let isArray = cursor.byte == .openBracket
        let close: UInt8 = isArray ? .closeBracket : .closeBrace
        let node = document.append(isArray ? .array : .table, at: open, key: key)
        guard depth <= limits.depth else { throw limits.tooDeep(at: open) }
        cursor.advance()
        try whitespaceCommentNewline()
        while cursor.byte != close {
            guard cursor.byte != .comma else { throw diagnostics.extraComma(at: cursor.offset) }
            if cursor.isAtEnd { throw diagnostics.unclosed(close, open: open) }
            if isArray {
                document.link(try val(.none, depth: depth), to: node)
            } else {
                try keyval(in: node, depth: depth)
            }
            try whitespaceCommentNewline()
            guard try comma(before: close, open: open) else { break }
        }
        cursor.advance()
        return node
    }

    // Advances over a comma and the white space after it, and returns true. At the closing bracket, it returns false
    // and does not advance.
    private mutating func comma(before close: UInt8, open: Int) throws(Diagnostic) -> Bool {
        if cursor.byte == close { return false }
        guard cursor.byte == .comma else { throw diagnostics.expectedComma(before: close, open: open) }
        cursor.advance()
        try whitespaceCommentNewline()
        return true
    }

    /// Advances over white space and comments (ABNF: `ws-comment-newline = *( wschar / [ comment ] newline )`).
    @inline(__always)
    private mutating func whitespaceCommentNewline() throws(Diagnostic) {
        // The common cases are nothing and one space.
        if cursor.byte == .space { cursor.advance() }
        if cursor.byte > .space, cursor.byte != .hash { return }
        try skipWhitespaceCommentNewline()
    }

    @inline(never)
    private mutating func skipWhitespaceCommentNewline() throws(Diagnostic) {
        while true {
            switch cursor.byte {
            case .space, .tab: cursor.skipBlanks()
            case .newline: cursor.advance()
            case .carriageReturn where cursor.peek(1) == .newline: cursor.advance(2)
            case .hash: try comment()
            default: return
            }
        }
    }
}
