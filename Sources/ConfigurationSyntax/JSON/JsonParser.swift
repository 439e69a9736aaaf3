import TextBasics

/// Reads JSON as RFC 8259 has it, with comments and a trailing comma where the options allow them.
///
/// One function a grammar rule. Each is called with the place of the rule's first byte and gives the place behind it,
/// since a place that stays in a register is what makes the rules fast; the cursor moves where a string has escapes.
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
    let bytes: SourceBytes

    init(_ source: consuming SourceBuffer, options: Options, limits: SyntaxLimits) {
        cursor = Cursor(source)
        bytes = cursor.bytes
        self.options = options
        self.limits = limits
        document = DocumentBuilder(source)
    }

    consuming func finish(_ name: String, _ source: SourceText) -> SyntaxDocument { document.finish(name, source) }

    var faults: JsonFaults {
        let count = document.nodes.count
        return JsonFaults(cursor: cursor, nodeCount: count, root: count > 0 ? document.nodes[0] : nil)
    }

    /// RFC 8259 2: `JSON-text = ws value ws`.
    mutating func parse() throws(SyntaxFault) {
        try cursor.start()
        var place = try whitespace(from: cursor.offset)
        if place >= cursor.count { throw SyntaxFault(.emptyDocument, at: place) }
        place = try value(at: place, .none, depth: 0)
        place = try whitespace(from: place)
        if place < cursor.count { throw faults.afterText(at: place) }
    }

    /// RFC 8259 3: `value = false / null / true / object / array / number / string`.
    ///
    /// - Parameters:
    ///   - key: the key that names it, if any.
    ///   - depth: how many arrays and objects it stands in.
    @inline(__always)
    private mutating func value(at place: Int, _ key: SyntaxKey, depth: Int) throws(SyntaxFault) -> Int {
        switch bytes[place] {
        case .quote:
            let (text, end) = try string(at: place)
            document.append(.string, at: place, bits: text.bits, key: key)
            return end
        case UInt8(ascii: "{"): return try object(at: place, key, depth: depth + 1)
        case UInt8(ascii: "["): return try array(at: place, key, depth: depth + 1)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(at: place, key)
        default: return try literal(at: place, key)
        }
    }

    /// RFC 8259 3: `false / null / true`.
    private mutating func literal(at place: Int, _ key: SyntaxKey) throws(SyntaxFault) -> Int {
        if bytes.isWord(EightBytes.true, count: 4, at: place) {
            document.append(.bool, at: place, bits: 1, key: key)
            return place + 4
        }
        if bytes.isWord(EightBytes.false, count: 5, at: place) {
            document.append(.bool, at: place, bits: 0, key: key)
            return place + 5
        }
        guard bytes.isWord(EightBytes.null, count: 4, at: place) else {
            throw faults.forValue(at: place)
        }
        document.append(.null, at: place, key: key)
        return place + 4
    }
}

// MARK: - Arrays and objects

extension JsonParser {
    /// RFC 8259 5: `array = begin-array [ value *( value-separator value ) ] end-array`.
    private mutating func array(at open: Int, _ key: SyntaxKey, depth: Int) throws(SyntaxFault) -> Int {
        let node = document.append(.array, at: open, key: key)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        var place = try whitespace(from: open + 1)
        if bytes[place] == UInt8(ascii: "]") { return place + 1 }
        var siblings = DocumentBuilder.Siblings()
        repeat {
            if bytes[place] == UInt8(ascii: ",") { throw SyntaxFault(.extraComma, at: place) }
            if place >= cursor.count { throw SyntaxFault(.unclosedArray, at: open) }
            document.addNext(to: node, &siblings)
            place = try value(at: place, .none, depth: depth)
        } while try separator(at: &place, before: UInt8(ascii: "]"), open: open)
        document.close(node, siblings)
        return place
    }

    /// RFC 8259 4: `object = begin-object [ member *( value-separator member ) ] end-object`. The last of two members
    /// with one name counts.
    private mutating func object(at open: Int, _ key: SyntaxKey, depth: Int) throws(SyntaxFault) -> Int {
        let node = document.append(.table, at: open, key: key)
        guard depth <= limits.depth else { throw SyntaxFault(.tooDeep, at: open) }
        var place = try whitespace(from: open + 1)
        if bytes[place] == UInt8(ascii: "}") { return place + 1 }
        var names = KeyFilter()
        var siblings = DocumentBuilder.Siblings()
        repeat {
            let (key, end) = try name(at: place, open: open)
            if !names.insert(key, bytes) { document.supersede(key, in: node, siblings, bytes) }
            document.addNext(to: node, &siblings)
            place = try value(at: end, key, depth: depth)
        } while try separator(at: &place, before: UInt8(ascii: "}"), open: open)
        document.close(node, siblings, bytes)
        return place
    }

    /// RFC 8259 4: `string name-separator` of `member = string name-separator value`.
    @inline(__always)
    private mutating func name(at open: Int, open object: Int) throws(SyntaxFault) -> (key: SyntaxKey, end: Int) {
        guard bytes[open] == .quote else { throw faults.forKey(at: open, open: object) }
        let (text, end) = try string(at: open)
        return (SyntaxKey(text, at: open), try colon(from: end, key: open))
    }

    /// RFC 8259 2: `name-separator = ws ":" ws`.
    @inline(__always)
    private mutating func colon(from end: Int, key: Int) throws(SyntaxFault) -> Int {
        // Most often a colon, and one space or none.
        let next = bytes[end + 1] == .space ? end + 2 : end + 1
        let isUsual = bytes[end] == UInt8(ascii: ":") && bytes[next] > .space && bytes[next] != UInt8(ascii: "/")
        if isUsual { return next }
        return try unusualColon(from: end, key: key)
    }

    @inline(never)
    private mutating func unusualColon(from end: Int, key: Int) throws(SyntaxFault) -> Int {
        let place = try whitespace(from: end)
        guard bytes[place] == UInt8(ascii: ":") else { throw faults.forColon(at: place, key: key) }
        return try whitespace(from: place + 1)
    }

    /// RFC 8259 2: `value-separator`, or the closing bracket; the place moves behind it.
    ///
    /// - Returns: whether another value follows.
    @inline(__always)
    private mutating func separator(at place: inout Int, before close: UInt8, open: Int) throws(SyntaxFault) -> Bool {
        let comma = bytes[place] == UInt8(ascii: ",") ? place : try whitespace(from: place)
        place = comma + 1
        if bytes[comma] == close { return false }
        guard bytes[comma] == UInt8(ascii: ",") else {
            throw faults.forSeparator(at: comma, before: close, open: open)
        }
        place = try whitespace(from: place)
        guard bytes[place] == close else { return true }
        guard options.allowsTrailingCommas else { throw SyntaxFault(.trailingComma, at: comma) }
        place += 1
        return false
    }

    /// RFC 8259 2: `ws`, which most often is nothing, one space, or a line end and what indents the next line.
    @inline(__always)
    private func whitespace(from start: Int) throws(SyntaxFault) -> Int {
        var place = start
        if bytes[place] == .space || bytes[place] == .newline { place = bytes.endOfSpaces(from: place + 1) }
        if bytes[place] > .space, bytes[place] != UInt8(ascii: "/") { return place }
        let whitespace = JsonWhitespace(bytes: bytes, count: cursor.count, allowsComments: options.allowsComments)
        return try whitespace.end(from: place)
    }
}
