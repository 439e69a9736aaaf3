/// Reads JSON as RFC 8259 has it, with comments and a trailing comma where the options allow them.
///
/// One function a grammar rule. Each is called with the cursor at the rule's first byte.
struct JsonParser: SyntaxParser {
    static let format = SyntaxFormat.json

    /// What goes beyond RFC 8259.
    struct Options {
        var allowsComments = true
        var allowsTrailingCommas = false
    }

    var cursor: Cursor
    var document: SyntaxDocument
    let options: Options
    let limits: SyntaxLimits

    init(_ cursor: Cursor, options: Options, limits: SyntaxLimits) {
        self.cursor = cursor
        self.options = options
        self.limits = limits
        document = SyntaxDocument(count: cursor.count)
    }

    /// RFC 8259 2: `JSON-text = ws value ws`.
    mutating func parse() throws(SyntaxFault) {
        try cursor.start()
        try whitespace()
        if cursor.isAtEnd { throw SyntaxFault(.emptyDocument, at: cursor.offset) }
        try value(document.append(), depth: 0)
        try whitespace()
        if !cursor.isAtEnd { throw faultAfterText() }
    }

    /// RFC 8259 3: `value = false / null / true / object / array / number / string`.
    ///
    /// - Parameters:
    ///   - node: the node that becomes the value.
    ///   - depth: how many arrays and objects it stands in.
    mutating func value(_ node: UInt32, depth: Int) throws(SyntaxFault) {
        let place = cursor.offset
        switch cursor.byte {
        case .quote:
            document.set(node, .string, at: place, text: try string())
        case UInt8(ascii: "{"):
            try object(node, depth: depth + 1)
        case UInt8(ascii: "["):
            try array(node, depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try number(node)
        case UInt8(ascii: "t"):
            try literal(Words.true, count: 4)
            document.set(node, .bool, at: place, bits: 1)
        case UInt8(ascii: "f"):
            try literal(Words.false, count: 5)
            document.set(node, .bool, at: place, bits: 0)
        case UInt8(ascii: "n"):
            try literal(Words.null, count: 4)
            document.set(node, .null, at: place, bits: 0)
        default:
            throw faultForValue()
        }
    }

    // `trueish` is one misspelt word and not `true` and more.
    private mutating func literal(_ letters: UInt64, count: Int) throws(SyntaxFault) {
        guard cursor.isWord(letters, count: count) else { throw faultForValue() }
        cursor.advance(count)
    }
}

// MARK: - Arrays and objects

extension JsonParser {
    /// RFC 8259 5: `array = begin-array [ value *( value-separator value ) ] end-array`.
    private mutating func array(_ node: UInt32, depth: Int) throws(SyntaxFault) {
        let open = cursor.offset
        document.set(node, .array, at: open, bits: 0)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        cursor.advance()
        try whitespace()
        if cursor.byte == UInt8(ascii: "]") { return cursor.advance() }
        repeat {
            guard cursor.byte != UInt8(ascii: ",") else { throw SyntaxFault(.extraComma, at: cursor.offset) }
            if cursor.isAtEnd { throw SyntaxFault(.unclosedArray, at: open) }
            let item = document.append(to: node)
            try value(item, depth: depth)
            try whitespace()
        } while try separator(before: UInt8(ascii: "]"), open: open)
    }

    /// RFC 8259 4: `object = begin-object [ member *( value-separator member ) ] end-object`.
    private mutating func object(_ node: UInt32, depth: Int) throws(SyntaxFault) {
        let open = cursor.offset
        document.set(node, .table, at: open, bits: 0)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        cursor.advance()
        try whitespace()
        if cursor.byte == UInt8(ascii: "}") { return cursor.advance() }
        repeat {
            try member(of: node, depth: depth, open: open)
            try whitespace()
        } while try separator(before: UInt8(ascii: "}"), open: open)
    }

    /// RFC 8259 4: `member = string name-separator value`. The last of two members with one name counts.
    private mutating func member(of table: UInt32, depth: Int, open: Int) throws(SyntaxFault) {
        guard cursor.byte == .quote else { throw faultForKey(open: open) }
        let place = cursor.offset
        let text = try string()
        let key = SyntaxKey(offset: text.lowerBound, count: text.count, place: place)
        try whitespace()
        guard cursor.byte == UInt8(ascii: ":") else { throw faultForColon(key: place) }
        cursor.advance()
        try whitespace()
        let earlier = document.find(key, in: table, cursor)
        let node =
            earlier == 0
            ? document.insert(key, in: table, cursor)
            : document.replace(earlier, with: key, in: table, cursor)
        try value(node, depth: depth)
    }

    /// RFC 8259 2: `value-separator`, or the closing bracket.
    ///
    /// - Returns: whether another value follows.
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
        if cursor.byte <= .space || cursor.byte == UInt8(ascii: "/") { try skipWhitespace() }
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
