/// Reads JSON as RFC 8259 has it, with comments and a trailing comma where the options allow them.
///
/// One function a grammar rule. Each is called with the cursor at the rule's first byte.
struct JsonParser: SyntaxParser, ~Copyable {
    static let format = SyntaxFormat.json

    /// What goes beyond RFC 8259.
    struct Options {
        var allowsComments = true
        var allowsTrailingCommas = false
    }

    var cursor: Cursor
    var document: DocumentBuilder
    let options: Options
    let limits: SyntaxLimits

    init(_ cursor: Cursor, options: Options, limits: SyntaxLimits) {
        self.cursor = cursor
        self.options = options
        self.limits = limits
        document = DocumentBuilder(count: cursor.count)
    }

    consuming func finish() -> SyntaxDocument { document.finish() }

    /// RFC 8259 2: `JSON-text = ws value ws`.
    mutating func parse() throws(SyntaxFault) {
        try cursor.start()
        try whitespace()
        if cursor.isAtEnd { throw SyntaxFault(.emptyDocument, at: cursor.offset) }
        _ = try value(.none, depth: 0)
        try whitespace()
        if !cursor.isAtEnd { throw faultAfterText() }
    }

    /// RFC 8259 3: `value = false / null / true / object / array / number / string`.
    ///
    /// - Parameters:
    ///   - key: the key that names it, if any.
    ///   - depth: how many arrays and objects it stands in.
    /// - Returns: its node.
    // What recurses is kept apart from what does not, so that a level takes little of the stack.
    mutating func value(_ key: SyntaxKey, depth: Int) throws(SyntaxFault) -> UInt32 {
        switch cursor.byte {
        case UInt8(ascii: "{"): try object(key, depth: depth + 1)
        case UInt8(ascii: "["): try array(key, depth: depth + 1)
        default: try scalar(key)
        }
    }

    private mutating func scalar(_ key: SyntaxKey) throws(SyntaxFault) -> UInt32 {
        let place = cursor.offset
        switch cursor.byte {
        case .quote:
            return document.append(.string, at: place, bits: try string().bits, key: key)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number(key)
        case UInt8(ascii: "t") where cursor.isWord(Words.true, count: 4):
            cursor.advance(4)
            return document.append(.bool, at: place, bits: 1, key: key)
        case UInt8(ascii: "f") where cursor.isWord(Words.false, count: 5):
            cursor.advance(5)
            return document.append(.bool, at: place, bits: 0, key: key)
        case UInt8(ascii: "n") where cursor.isWord(Words.null, count: 4):
            cursor.advance(4)
            return document.append(.null, at: place, key: key)
        default:
            throw faultForValue()
        }
    }
}

// MARK: - Arrays and objects

extension JsonParser {
    /// RFC 8259 5: `array = begin-array [ value *( value-separator value ) ] end-array`.
    private mutating func array(_ key: SyntaxKey, depth: Int) throws(SyntaxFault) -> UInt32 {
        let open = cursor.offset
        let node = document.append(.array, at: open, key: key)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        cursor.advance()
        try whitespace()
        if cursor.byte == UInt8(ascii: "]") {
            cursor.advance()
            return node
        }
        var siblings = DocumentBuilder.Siblings()
        repeat {
            guard cursor.byte != UInt8(ascii: ",") else { throw SyntaxFault(.extraComma, at: cursor.offset) }
            if cursor.isAtEnd { throw SyntaxFault(.unclosedArray, at: open) }
            document.add(try value(.none, depth: depth), to: node, &siblings)
            try whitespace()
        } while try separator(before: UInt8(ascii: "]"), open: open)
        document.close(node, siblings)
        return node
    }

    /// RFC 8259 4: `object = begin-object [ member *( value-separator member ) ] end-object`. The last of two members
    /// with one name counts.
    private mutating func object(_ key: SyntaxKey, depth: Int) throws(SyntaxFault) -> UInt32 {
        let open = cursor.offset
        let node = document.append(.table, at: open, key: key)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        cursor.advance()
        try whitespace()
        if cursor.byte == UInt8(ascii: "}") {
            cursor.advance()
            return node
        }
        var seen = KeyFilter()
        var siblings = DocumentBuilder.Siblings()
        repeat {
            let key = try name(open: open)
            let earlier = seen.insert(key, cursor.bytes) ? 0 : document.find(key, in: node, cursor.bytes)
            let child = try value(key, depth: depth)
            document.add(child, key, in: node, instead: earlier, &siblings, cursor.bytes)
            try whitespace()
        } while try separator(before: UInt8(ascii: "}"), open: open)
        document.close(node, siblings)
        return node
    }

    /// RFC 8259 4: `string name-separator` of `member = string name-separator value`.
    private mutating func name(open: Int) throws(SyntaxFault) -> SyntaxKey {
        guard cursor.byte == .quote else { throw faultForKey(open: open) }
        let place = cursor.offset
        let key = SyntaxKey(try string(), at: place)
        try whitespace()
        guard cursor.byte == UInt8(ascii: ":") else { throw faultForColon(key: place) }
        cursor.advance()
        try whitespace()
        return key
    }

    /// RFC 8259 2: `value-separator`, or the closing bracket.
    ///
    /// - Returns: whether another value follows.
    @inline(__always)
    private mutating func separator(before close: UInt8, open: Int) throws(SyntaxFault) -> Bool {
        if cursor.byte == close {
            cursor.advance()
            return false
        }
        guard cursor.byte == UInt8(ascii: ",") else { throw faultForSeparator(before: close, open: open) }
        let comma = cursor.offset
        cursor.advance()
        try whitespace()
        guard cursor.byte == close else { return true }
        guard options.allowsTrailingCommas else { throw SyntaxFault(.trailingComma, at: comma) }
        cursor.advance()
        return false
    }
}

// MARK: - White space

extension JsonParser {
    /// RFC 8259 2: `ws = *( space / tab / line feed / carriage return )`; a comment may stand wherever it may.
    @inline(__always)
    mutating func whitespace() throws(SyntaxFault) {
        if cursor.byte > .space, cursor.byte != UInt8(ascii: "/") { return }
        // Most often it is one space, or a line end and what indents the next line.
        if cursor.byte == .space || cursor.byte == .newline {
            cursor.advance()
            cursor.skipSpaces()
            if cursor.byte > .space, cursor.byte != UInt8(ascii: "/") { return }
        }
        try skipWhitespace()
    }

    private mutating func skipWhitespace() throws(SyntaxFault) {
        while true {
            switch cursor.byte {
            case .space: cursor.skipSpaces()
            case .newline, .carriageReturn, .tab: cursor.advance()
            case UInt8(ascii: "/"): try comment()
            default: return
            }
        }
    }

    /// Our extension: `//` to the end of the line, or `/*` to the next `*/`, over lines, without nesting.
    private mutating func comment() throws(SyntaxFault) {
        let open = cursor.offset
        let second = cursor.peek(1)
        guard second == UInt8(ascii: "/") || second == UInt8(ascii: "*") else {
            throw SyntaxFault(.loneSlash, at: open)
        }
        guard options.allowsComments else { throw SyntaxFault(.commentsOff, at: open) }
        cursor.advance(2)
        if second == UInt8(ascii: "/") { lineComment() } else { try blockComment(open: open) }
    }

    private mutating func lineComment() {
        while true {
            cursor.skipText(until: .newline, .newline, .newline)
            if cursor.isAtEnd || cursor.byte == .newline || cursor.byte == .carriageReturn { return }
            cursor.advance()
        }
    }

    private mutating func blockComment(open: Int) throws(SyntaxFault) {
        while true {
            cursor.skipText(until: UInt8(ascii: "*"), UInt8(ascii: "*"), UInt8(ascii: "*"))
            if cursor.isAtEnd { throw SyntaxFault(.unclosedComment, at: open) }
            cursor.advance()
            if cursor.byte == UInt8(ascii: "/"), cursor.byte(at: cursor.offset - 1) == UInt8(ascii: "*") {
                return cursor.advance()
            }
        }
    }
}
