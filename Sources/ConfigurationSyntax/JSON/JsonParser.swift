import TextBasics

/// A recursive-descent parser of JSON (RFC 8259) with optional comments and trailing commas.
///
/// Each grammar rule has a function that takes the offset of the first byte and returns the offset after the last byte.
/// The offsets stay in registers, which is faster than a cursor in memory. Only strings with escapes use the cursor.
struct JsonParser: SyntaxParser, ~Copyable {
    /// The supported extensions of RFC 8259.
    struct Options {
        var allowsComments = true
        var allowsTrailingCommas = false
    }

    var cursor: Cursor
    var document: DocumentBuilder
    let options: Options
    let limits: SyntaxLimits
    let bytes: SourceBytes

    init(_ source: consuming SourceBuffer, options: Options, limits: SyntaxLimits) {
        cursor = Cursor(source)
        bytes = cursor.bytes
        self.options = options
        self.limits = limits
        document = DocumentBuilder(source)
    }

    consuming func finish(_ name: String, _ source: SourceText) -> SyntaxDocument { document.finish(name, source) }

    var diagnostics: JsonDiagnostics {
        let count = document.nodes.count
        return JsonDiagnostics(cursor: cursor, nodeCount: count, root: count > 0 ? document.nodes[0] : nil)
    }

    /// Parses the whole text (RFC 8259, section 2: `JSON-text = ws value ws`).
    mutating func parse() throws(Diagnostic) {
        var place = try whitespace(from: cursor.offset)
        if place >= cursor.count {
            throw Diagnostic(
                "the document is empty", at: place, expected: "a value", remedy: "Write {} for no properties")
        }
        place = try value(at: place, .none, depth: 0)
        place = try whitespace(from: place)
        if place < cursor.count { throw diagnostics.expectedEnd(at: place) }
    }

    /// Reads a value (RFC 8259, section 3: `value = false / null / true / object / array / number / string`).
    ///
    /// - Parameters:
    ///   - place: the offset of the value.
    ///   - key: the key of the value, or `.none`.
    ///   - depth: the number of arrays and objects around the value.
    /// - Returns: the offset after the value.
    /// - Throws: the first error in the value.
    @inline(__always)
    private mutating func value(at place: Int, _ key: SyntaxKey, depth: Int) throws(Diagnostic) -> Int {
        switch bytes[place] {
        case .quote:
            let (text, end) = try string(at: place)
            document.append(.string, at: place, bits: text.bits, key: key)
            return end
        case .openBrace: return try object(at: place, key, depth: depth + 1)
        case .openBracket: return try array(at: place, key, depth: depth + 1)
        case .minus, UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(at: place, key)
        default: return try literal(at: place, key)
        }
    }

    /// Reads a literal (RFC 8259, section 3: `false / null / true`).
    private mutating func literal(at place: Int, _ key: SyntaxKey) throws(Diagnostic) -> Int {
        if bytes.isWord(PackedBytes.true, count: 4, at: place) {
            document.append(.bool, at: place, bits: 1, key: key)
            return place + 4
        }
        if bytes.isWord(PackedBytes.false, count: 5, at: place) {
            document.append(.bool, at: place, bits: 0, key: key)
            return place + 5
        }
        guard bytes.isWord(PackedBytes.null, count: 4, at: place) else { throw diagnostics.expectedValue(at: place) }
        document.append(.null, at: place, key: key)
        return place + 4
    }
}

// MARK: - Arrays and objects

extension JsonParser {
    /// Reads an array (RFC 8259, section 5: `array = begin-array [ value *( value-separator value ) ] end-array`).
    private mutating func array(at open: Int, _ key: SyntaxKey, depth: Int) throws(Diagnostic) -> Int {
        let node = document.append(.array, at: open, key: key)
        guard depth <= limits.depth else { throw limits.tooDeep(at: open) }
        var place = try whitespace(from: open + 1)
        if bytes[place] == .closeBracket { return place + 1 }
        var siblings = DocumentBuilder.Siblings()
        repeat {
            if bytes[place] == .comma { throw diagnostics.extraComma(at: place) }
            if place >= cursor.count { throw diagnostics.unclosed(.closeBracket, open: open) }
            document.addNext(to: node, &siblings)
            place = try value(at: place, .none, depth: depth)
        } while try separator(at: &place, before: .closeBracket, open: open)
        document.close(node, siblings)
        return place
    }

    /// Reads an object. If several members have the same name, the last one supersedes the others.
    ///
    /// RFC 8259, section 4: `object = begin-object [ member *( value-separator member ) ] end-object`.
    private mutating func object(at open: Int, _ key: SyntaxKey, depth: Int) throws(Diagnostic) -> Int {
        let node = document.append(.table, at: open, key: key)
        guard depth <= limits.depth else { throw limits.tooDeep(at: open) }
        var place = try whitespace(from: open + 1)
        if bytes[place] == .closeBrace { return place + 1 }
        var names = KeyFilter()
        var siblings = DocumentBuilder.Siblings()
        repeat {
            let (key, end) = try name(at: place, open: open)
            if !names.insert(key, bytes) { document.supersede(key, in: node, siblings, bytes) }
            document.addNext(to: node, &siblings)
            place = try value(at: end, key, depth: depth)
        } while try separator(at: &place, before: .closeBrace, open: open)
        document.close(node, siblings, bytes)
        return place
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
        let place = try whitespace(from: end)
        guard bytes[place] == .colon else { throw diagnostics.expectedColon(at: place, key: key) }
        return try whitespace(from: place + 1)
    }

    /// Reads the comma after a value (RFC 8259, section 2: `value-separator`) or the closing bracket, and moves `place`
    /// after it.
    ///
    /// - Returns: whether another value follows.
    @inline(__always)
    private mutating func separator(at place: inout Int, before close: UInt8, open: Int) throws(Diagnostic) -> Bool {
        let comma = bytes[place] == .comma ? place : try whitespace(from: place)
        place = comma + 1
        if bytes[comma] == close { return false }
        guard bytes[comma] == .comma else {
            throw diagnostics.expectedSeparator(at: comma, before: close, open: open)
        }
        place = try whitespace(from: place)
        guard bytes[place] == close else { return true }
        guard options.allowsTrailingCommas else {
            throw Diagnostic(
                "a comma follows the last value", at: comma, expected: "the closing bracket",
                remedy: "Remove this comma")
        }
        place += 1
        return false
    }

    /// Skips white space and comments. The common cases are nothing, one space, and a line feed with indentation.
    @inline(__always)
    private func whitespace(from start: Int) throws(Diagnostic) -> Int {
        var place = start
        if bytes[place] == .space || bytes[place] == .newline { place = bytes.endOfSpaces(from: place + 1) }
        if bytes[place] > .space, bytes[place] != .slash { return place }
        let whitespace = JsonWhitespace(bytes: bytes, count: cursor.count, allowsComments: options.allowsComments)
        return try whitespace.end(from: place)
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
        var place = start
        while true {
            switch bytes[place] {
            case .space, .newline: place = bytes.endOfSpaces(from: place + 1)
            case .carriageReturn, .tab: place += 1
            case .slash: place = try comment(at: place)
            default: return place
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
        var place = open + 2
        while true {
            place = bytes.endOfText(from: place, until: .newline)
            if place >= count || bytes[place] == .newline || bytes[place] == .carriageReturn { return place }
            place += 1
        }
    }

    private func blockComment(at open: Int) throws(Diagnostic) -> Int {
        var place = open + 2
        while true {
            place = bytes.endOfText(from: place, until: .asterisk)
            if place >= count {
                throw Diagnostic("the comment that starts here has no end", at: open, expected: "a `*/`")
            }
            place += 1
            if bytes[place - 1] == .asterisk, bytes[place] == .slash { return place + 1 }
        }
    }
}

/// A one-hash Bloom filter of 64 bits for the keys of an object. Most keys are new, and need no search for a duplicate.
private struct KeyFilter {
    private var bits: UInt64 = 0

    /// Inserts a key.
    ///
    /// - Returns: true if the key is new; false if it may be a duplicate.
    @inline(__always)
    mutating func insert(_ key: SyntaxKey, _ bytes: SourceBytes) -> Bool {
        // Hashes the first byte, the last byte and the length of the key. For an empty key the two bytes are its
        // quotes.
        let first = bytes[Int(key.offset)]
        let last = bytes[Int(key.offset &+ key.count) &- 1]
        let hash = UInt64(first) &+ UInt64(last) &* 27 &+ UInt64(key.count) &* 11
        let bit = UInt64(1) &<< hash
        defer { bits |= bit }
        return bits & bit == 0
    }
}
