import TextBasics

/// A recursive-descent parser of TOML 1.1.
///
/// Each grammar rule has a function, which has the name of the rule in the ABNF of the specification. It is called with
/// the cursor at the first byte of the rule.
struct TomlParser: SyntaxParser, ~Copyable {
    var cursor: Cursor
    var document: DocumentBuilder
    let limits: SyntaxLimits

    /// The table that the latest header defined, and its depth.
    var table: UInt32 = 0
    var depth = 0
    /// The offset at which the current line starts.
    private(set) var statement = 0
    /// Whether a header could not be read. Then it is unknown which tables exist.
    var hasLostHeader = false

    init(_ cursor: Cursor, limits: SyntaxLimits) {
        self.cursor = cursor
        self.limits = limits
        document = DocumentBuilder(cursor)
    }

    var diagnostics: TomlDiagnostics { TomlDiagnostics(cursor: cursor, isAtStart: document.nodes.count == 1) }

    /// Parses the whole text (ABNF: `toml = expression *( newline expression )`).
    ///
    /// After an error, it goes on at the next line that certainly begins a statement.
    mutating func parse() -> [Diagnostic] {
        table = document.append(.table, at: cursor.offset)
        var errors: [Diagnostic] = []
        while true {
            do throws(Diagnostic) {
                repeat {
                    statement = cursor.offset
                    try expression()
                } while try isFollowedByLine()
                return errors
            } catch {
                guard recover(from: error, &errors) else { return errors }
            }
        }
    }

    /// Reads the content of a line.
    ///
    /// ABNF: `expression = ws [ comment ] / ws keyval ws [ comment ] / ws table ws [ comment ]`.
    private mutating func expression() throws(Diagnostic) {
        cursor.skipBlanks()
        switch cursor.byte {
        case .newline, .carriageReturn, 0: return
        case .hash: return try comment()
        case .openBracket: try tableHeader()
        default: try keyval(in: table, depth: depth)
        }
        cursor.skipBlanks()
        if cursor.byte == .hash { try comment() }
    }

    /// Reads the end of a line (ABNF: `newline = LF / CRLF`).
    ///
    /// - Returns: whether another line follows; false at the end of the document.
    private mutating func isFollowedByLine() throws(Diagnostic) -> Bool {
        if cursor.byte == .newline {
            cursor.advance()
            return true
        }
        if cursor.byte == .carriageReturn, cursor.peek(1) == .newline {
            cursor.advance(2)
            return true
        }
        if cursor.isAtEnd { return false }
        throw diagnostics.expectedLineEnd()
    }

    /// Reads a key and its value (ABNF: `keyval = key keyval-sep val`).
    ///
    /// - Parameters:
    ///   - outer: the table that may have the first part of the key.
    ///   - depth: the depth of that table.
    /// - Throws: the first error in the key or the value.
    mutating func keyval(in outer: UInt32, depth: Int) throws(Diagnostic) {
        var table = outer
        var depth = depth
        let key = try key(&table, &depth)
        let node = try val(key, depth: depth)
        document.add(node, in: table)
    }

    /// Reads a key and the equals sign after it, and sets `table` and `depth` to the table of the last part of the key,
    /// and its depth.
    ///
    /// ABNF: `key = simple-key *( dot-sep simple-key )`, and `keyval-sep = ws "=" ws`.
    ///
    /// - Returns: the last part of the key, which the table does not have yet.
    @inline(__always)
    private mutating func key(_ table: inout UInt32, _ depth: inout Int) throws(Diagnostic) -> SyntaxKey {
        var key = try simpleKey()
        cursor.skipBlanks()
        while cursor.byte == .dot {
            cursor.advance()
            cursor.skipBlanks()
            depth += 1
            guard depth <= limits.depth else { throw limits.tooDeep(at: Int(key.start)) }
            table = try dottedTable(key, in: table)
            key = try simpleKey()
            cursor.skipBlanks()
        }
        guard cursor.byte == .equals else { throw diagnostics.expectedEquals(key) }
        cursor.advance()
        cursor.skipBlanks()
        try checkNew(key, in: table)
        return key
    }

    /// Reads a table header. The next lines add to its table.
    ///
    /// ABNF: `table = std-table / array-table`, `std-table = "[" ws key ws "]"`, `array-table = "[[" ws key ws "]]"`.
    private mutating func tableHeader() throws(Diagnostic) {
        let open = cursor.offset
        let isArray = cursor.peek(1) == .openBracket
        cursor.advance(isArray ? 2 : 1)
        cursor.skipBlanks()
        if cursor.byte == .closeBracket {
            throw Diagnostic("the table header is empty", at: open, expected: "a key between the brackets")
        }
        var table: UInt32 = 0
        var depth = 1
        var key = try simpleKey()
        cursor.skipBlanks()
        while cursor.byte == .dot {
            cursor.advance()
            cursor.skipBlanks()
            guard depth < limits.depth else { throw limits.tooDeep(at: Int(key.start)) }
            table = try superTable(key, in: table, depth: &depth)
            key = try simpleKey()
            cursor.skipBlanks()
        }
        try closeHeader(open: open, isArray: isArray)
        if isArray { depth += 1 }
        guard depth <= limits.depth else { throw limits.tooDeep(at: Int(key.start)) }
        self.table =
            isArray ? try arrayTable(key, in: table, at: open) : try standardTable(key, in: table, at: open)
        self.depth = depth
    }

    private mutating func closeHeader(open: Int, isArray: Bool) throws(Diagnostic) {
        guard cursor.byte == .closeBracket else { throw diagnostics.expectedHeaderEnd(open: open) }
        guard isArray else { return cursor.advance() }
        guard cursor.peek(1) == .closeBracket else { throw diagnostics.expectedHeaderEnd(open: open) }
        cursor.advance(2)
    }

    /// Advances over a comment (ABNF: `comment = comment-start-symbol *allowed-comment-char`).
    mutating func comment() throws(Diagnostic) {
        while true {
            cursor.skipText(until: .delete, .delete, .delete)
            switch cursor.byte {
            case .tab: cursor.advance()
            case .newline: return
            case .carriageReturn where cursor.peek(1) == .newline: return
            case .carriageReturn: throw diagnostics.bareCarriageReturn(at: cursor.offset)
            default:
                if cursor.isAtEnd { return }
                throw diagnostics.controlCharacter(at: cursor.offset)
            }
        }
    }
}

// MARK: - Keys

extension TomlParser {
    /// Reads a part of a key (ABNF: `simple-key = quoted-key / unquoted-key`).
    @inline(__always)
    mutating func simpleKey() throws(Diagnostic) -> SyntaxKey {
        let first = cursor.byte
        return first == .quote || first == .apostrophe ? try quotedKey(first) : try unquotedKey()
    }

    /// Reads a part of a key in quotes (ABNF: `quoted-key = basic-string / literal-string`).
    private mutating func quotedKey(_ first: UInt8) throws(Diagnostic) -> SyntaxKey {
        let offset = cursor.offset
        // TOML 1.1, Keys: a multi-line string must not be a key.
        if cursor.peek(1) == first, cursor.peek(2) == first {
            throw Diagnostic(
                "the key is a multi-line string", at: offset, expected: "a key in single quotes or double")
        }
        let text = first == .quote ? try basicString() : try literalString()
        return SyntaxKey(text, at: offset)
    }

    /// Reads a part of a key without quotes (ABNF: `unquoted-key = 1*unquoted-key-char`).
    @inline(__always)
    private mutating func unquotedKey() throws(Diagnostic) -> SyntaxKey {
        let offset = cursor.offset
        cursor.skipKey()
        guard cursor.offset > offset else { throw diagnostics.expectedKey() }
        return SyntaxKey(SyntaxText(offset..<cursor.offset), at: offset)
    }
}

extension Cursor {
    /// Advances over a key without quotes (ABNF: `unquoted-key-char = ALPHA / DIGIT / "-" / "_"`).
    @inline(__always)
    mutating func skipKey() {
        var end = offset
        while bytes[end].isWordPart || bytes[end] == .minus { end &+= 1 }
        move(to: end)
    }

    /// Advances over spaces and tabs (ABNF: `ws = *wschar`, `wschar = space / tab`).
    @inline(__always)
    mutating func skipBlanks() { move(to: bytes.endOfBlanks(from: offset)) }
}
