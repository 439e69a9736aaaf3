import TextBasics

/// A recursive-descent parser of JSON (RFC 8259) with optional comments and trailing commas.
///
/// Each grammar rule has a function that takes the offset of the first byte and returns the offset after the last byte.
/// The offsets stay in registers, which is faster than a cursor in memory. Only strings with escapes use the cursor.
struct JsonParser: SyntaxParser, ~Copyable {
    var cursor: Cursor
    var document: DocumentBuilder
    let allowsComments: Bool
    let allowsTrailingCommas: Bool
    let limits: SyntaxLimits
    let bytes: SourceBytes

    init(_ cursor: Cursor, allowsComments: Bool, allowsTrailingCommas: Bool, limits: SyntaxLimits) {
        self.cursor = cursor
        bytes = cursor.bytes
        self.allowsComments = allowsComments
        self.allowsTrailingCommas = allowsTrailingCommas
        self.limits = limits
        document = DocumentBuilder(cursor)
    }

    var diagnostics: JsonDiagnostics {
        let count = document.nodes.count
        return JsonDiagnostics(cursor: cursor, nodeCount: count, root: count > 0 ? document.nodes[0] : nil)
    }

    mutating func parse() -> [Diagnostic] {
        do throws(Diagnostic) {
            try text()
            return []
        } catch {
            return [error]
        }
    }

    /// Reads the whole text (RFC 8259, section 2: `JSON-text = ws value ws`).
    private mutating func text() throws(Diagnostic) {
        var offset = try whitespace(from: cursor.offset)
        if offset >= cursor.count {
            throw Diagnostic(
                "the document is empty", at: offset, expected: "a value", remedy: "Write {} for no properties")
        }
        offset = try value(at: offset, .none, depth: 0)
        offset = try whitespace(from: offset)
        if offset < cursor.count { throw diagnostics.expectedEnd(at: offset) }
    }

    /// Reads a value (RFC 8259, section 3: `value = false / null / true / object / array / number / string`).
    ///
    /// - Parameters:
    ///   - offset: the offset of the value.
    ///   - key: the key of the value, or `.none`.
    ///   - depth: the number of arrays and objects around the value.
    /// - Returns: the offset after the value.
    /// - Throws: the first error in the value.
    @inline(__always)
    private mutating func value(at offset: Int, _ key: SyntaxKey, depth: Int) throws(Diagnostic) -> Int {
        switch bytes[offset] {
        case .quote:
            let (text, end) = try string(at: offset)
            document.append(.string, at: offset, bits: text.bits, key: key)
            return end
        case .openBrace: return try object(at: offset, key, depth: depth + 1)
        case .openBracket: return try array(at: offset, key, depth: depth + 1)
        case .minus, UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(at: offset, key)
        default: return try literal(at: offset, key)
        }
    }

    /// Reads a literal (RFC 8259, section 3: `false / null / true`).
    private mutating func literal(at offset: Int, _ key: SyntaxKey) throws(Diagnostic) -> Int {
        if bytes.isWord("true", at: offset) {
            document.append(.bool, at: offset, bits: 1, key: key)
            return offset + 4
        }
        if bytes.isWord("false", at: offset) {
            document.append(.bool, at: offset, bits: 0, key: key)
            return offset + 5
        }
        guard bytes.isWord("null", at: offset) else { throw diagnostics.expectedValue(at: offset) }
        document.append(.null, at: offset, key: key)
        return offset + 4
    }
}

// MARK: - Arrays and objects

extension JsonParser {
    /// Reads an array (RFC 8259, section 5: `array = begin-array [ value *( value-separator value ) ] end-array`).
    private mutating func array(at open: Int, _ key: SyntaxKey, depth: Int) throws(Diagnostic) -> Int {
        let node = document.append(.array, at: open, key: key)
        guard depth <= limits.depth else { throw limits.tooDeep(at: open) }
        var offset = try whitespace(from: open + 1)
        if bytes[offset] == .closeBracket { return offset + 1 }
        repeat {
            if bytes[offset] == .comma { throw diagnostics.extraComma(at: offset) }
            if offset >= cursor.count { throw diagnostics.unclosed(.closeBracket, open: open) }
            let child = document.nextNumber
            offset = try value(at: offset, .none, depth: depth)
            document.link(child, to: node)
        } while try separator(at: &offset, before: .closeBracket, open: open)
        return offset
    }

    /// Reads an object. If several members have the same name, the last member supersedes the others.
    ///
    /// RFC 8259, section 4: `object = begin-object [ member *( value-separator member ) ] end-object`.
    private mutating func object(at open: Int, _ key: SyntaxKey, depth: Int) throws(Diagnostic) -> Int {
        let node = document.append(.table, at: open, key: key)
        guard depth <= limits.depth else { throw limits.tooDeep(at: open) }
        var offset = try whitespace(from: open + 1)
        if bytes[offset] == .closeBrace { return offset + 1 }
        repeat {
            let (key, end) = try name(at: offset, open: open)
            document.supersede(key, in: node)
            let child = document.nextNumber
            offset = try value(at: end, key, depth: depth)
            document.add(child, in: node)
        } while try separator(at: &offset, before: .closeBrace, open: open)
        return offset
    }

    /// Reads the name of a member and the colon (RFC 8259, section 4: `member = string name-separator value`).
    @inline(__always)
    private mutating func name(at open: Int, open object: Int) throws(Diagnostic) -> (key: SyntaxKey, end: Int) {
        guard bytes[open] == .quote else { throw diagnostics.expectedKey(at: open, open: object) }
        let (text, end) = try string(at: open)
        return (SyntaxKey(text, at: open), try colon(from: end, key: open))
    }

    /// Reads the colon after a name (RFC 8259, section 2: `name-separator = ws ":" ws`).
    @inline(__always)
    private mutating func colon(from end: Int, key: Int) throws(Diagnostic) -> Int {
        // The common case is a colon with one space or none after it.
        let next = bytes[end + 1] == .space ? end + 2 : end + 1
        let isUsual = bytes[end] == .colon && bytes[next] > .space && bytes[next] != .slash
        if isUsual { return next }
        return try unusualColon(from: end, key: key)
    }

    @inline(never)
    private mutating func unusualColon(from end: Int, key: Int) throws(Diagnostic) -> Int {
        let offset = try whitespace(from: end)
        guard bytes[offset] == .colon else { throw diagnostics.expectedColon(at: offset, key: key) }
        return try whitespace(from: offset + 1)
    }

    /// Reads the comma after a value (RFC 8259, section 2: `value-separator`) or the closing bracket, and moves
    /// `offset` after it.
    ///
    /// - Returns: whether another value follows.
    @inline(__always)
    private mutating func separator(at offset: inout Int, before close: UInt8, open: Int) throws(Diagnostic) -> Bool {
        let comma = bytes[offset] == .comma ? offset : try whitespace(from: offset)
        offset = comma + 1
        if bytes[comma] == close { return false }
        guard bytes[comma] == .comma else {
            throw diagnostics.expectedSeparator(at: comma, before: close, open: open)
        }
        offset = try whitespace(from: offset)
        guard bytes[offset] == close else { return true }
        try trailingComma(at: comma)
        offset += 1
        return false
    }

    /// Notes a comma before a closing bracket, an extension of RFC 8259.
    @inline(never)
    private mutating func trailingComma(at comma: Int) throws(Diagnostic) {
        guard allowsTrailingCommas else {
            throw Diagnostic(
                "a comma follows the last value", at: comma, expected: "the closing bracket",
                remedy: "Remove this comma")
        }
        document.addTrailingComma(at: comma)
    }

    /// Skips white space and comments. The common cases are nothing, one space, and a line feed with indentation.
    @inline(__always)
    private func whitespace(from start: Int) throws(Diagnostic) -> Int {
        var offset = start
        if bytes[offset] == .space || bytes[offset] == .newline { offset = bytes.endOfSpaces(from: offset + 1) }
        if bytes[offset] > .space, bytes[offset] != .slash { return offset }
        let whitespace = JsonWhitespace(bytes: bytes, count: cursor.count, allowsComments: allowsComments)
        return try whitespace.end(from: offset)
    }
}

/// A scanner of white space and comments.
// It is not a part of the parser, because the compiler would copy the parser for each call of a borrowing method.
private struct JsonWhitespace {
    let bytes: SourceBytes
    /// The length of the source in bytes.
    let count: Int
    let allowsComments: Bool

    /// Returns the offset after white space and comments.
    ///
    /// RFC 8259, section 2: `ws = *( space / tab / line feed / carriage return )`. Comments may be anywhere in it.
    func end(from start: Int) throws(Diagnostic) -> Int {
        var offset = start
        while true {
            switch bytes[offset] {
            case .space, .newline: offset = bytes.endOfSpaces(from: offset + 1)
            case .carriageReturn, .tab: offset += 1
            case .slash: offset = try comment(at: offset)
            default: return offset
            }
        }
    }

    /// Returns the offset after a comment, an extension of RFC 8259.
    ///
    /// A comment reaches from `//` to the end of the line, or from `/*` to the next `*/`. Block comments do not nest.
    private func comment(at open: Int) throws(Diagnostic) -> Int {
        let second = bytes[open + 1]
        guard second == .slash || second == .asterisk else {
            throw Diagnostic("a single `/` does not start a comment", at: open, expected: "`//` or `/* */`")
        }
        guard allowsComments else {
            throw Diagnostic(
                "there is a comment", at: open, expected: "JSON without comments",
                remedy: "Remove the comment, or allow comments")
        }
        return second == .slash ? lineComment(at: open) : try blockComment(at: open)
    }

    private func lineComment(at open: Int) -> Int {
        var offset = open + 2
        while true {
            offset = bytes.endOfText(from: offset, until: .newline)
            if offset >= count || bytes[offset] == .newline || bytes[offset] == .carriageReturn { return offset }
            offset += 1
        }
    }

    private func blockComment(at open: Int) throws(Diagnostic) -> Int {
        var offset = open + 2
        while true {
            offset = bytes.endOfText(from: offset, until: .asterisk)
            if offset >= count {
                throw Diagnostic("the comment that starts here has no end", at: open, expected: "a `*/`")
            }
            offset += 1
            if bytes[offset - 1] == .asterisk, bytes[offset] == .slash { return offset + 1 }
        }
    }
}
