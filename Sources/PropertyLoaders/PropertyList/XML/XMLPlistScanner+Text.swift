// The elements that hold text.
extension XMLPlistScanner {
    /// The text of a `<key>`, with its references replaced.
    mutating func text(_ tag: XMLTag) throws(PlistFault) -> String {
        var bytes: [UInt8] = []
        try readText(tag) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Checks the text of a `<string>`, which the parser reads.
    mutating func skipText(_ tag: XMLTag) throws(PlistFault) {
        try readText(tag) { _ in }
    }

    /// The text of an element whose text has no references: a number, a date.
    mutating func plainText(_ tag: XMLTag) throws(PlistFault) -> String {
        guard tag.form == .start else { throw PlistFault(.emptyElement(tag.name), at: tag.offset) }
        let start = cursor.offset
        while !cursor.isAtEnd, cursor.byte != UInt8(ascii: "<") { cursor.offset += 1 }
        let text = cursor.text(start..<cursor.offset)
        try close(tag)
        guard !text.utf8.allSatisfy(XMLCharacter.isSpace) else {
            throw PlistFault(.emptyElement(tag.name), at: tag.offset)
        }
        return text
    }

    /// Checks that `<true/>` and `<false/>` hold nothing.
    mutating func expectEmpty(_ tag: XMLTag) throws(PlistFault) {
        guard tag.form == .start else { return }
        guard cursor.isAt("</") else {
            throw PlistFault(cursor.isAtEnd ? .unclosedElement(tag.name) : .contentInEmpty(tag.name), at: tag.offset)
        }
        try close(tag)
    }

    /// Checks the text of `<data>`: the parser makes nothing of what it cannot decode, and says so to nobody.
    mutating func checkBase64(_ tag: XMLTag) throws(PlistFault) {
        guard tag.form == .start else { throw PlistFault(.emptyElement(tag.name), at: tag.offset) }
        var digits = 0
        var padding = 0
        while !cursor.isAtEnd, cursor.byte != UInt8(ascii: "<") {
            switch cursor.byte {
            case let byte where XMLCharacter.isSpace(byte): break
            case UInt8(ascii: "="): padding += 1
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                guard padding == 0 else { throw PlistFault(.base64Length, at: cursor.offset) }
                digits += 1
            default: throw PlistFault(.base64Character(character), at: cursor.offset)
            }
            cursor.offset += 1
        }
        // RFC 4648, 4: groups of four, the last of which two `=` may fill.
        guard (digits + padding) % 4 == 0, padding <= 2 else { throw PlistFault(.base64Length, at: tag.offset) }
        try close(tag)
    }

    private mutating func readText(_ tag: XMLTag, _ use: (ArraySlice<UInt8>) -> Void) throws(PlistFault) {
        guard tag.form == .start else { return }
        while !cursor.isAtEnd {
            switch cursor.byte {
            case UInt8(ascii: "&"): use(try reference())
            case UInt8(ascii: "<"):
                let start = cursor.offset
                guard cursor.skip("<![CDATA[") else { return try close(tag) }
                let content = cursor.offset
                guard cursor.skip(behind: "]]>") else { throw PlistFault(.unclosedCDATA, at: start) }
                let end = cursor.offset - 3
                cursor.offset = content
                use(try run { cursor in cursor.offset < end })
                cursor.offset = end + 3
            default:
                use(try run { cursor in cursor.byte != UInt8(ascii: "<") && cursor.byte != UInt8(ascii: "&") })
            }
        }
        throw PlistFault(.unclosedElement(tag.name), at: cursor.offset, related: tag.offset)
    }

    /// Reads characters as they are, as long as the condition holds.
    private mutating func run(while condition: (XMLCursor) -> Bool) throws(PlistFault) -> ArraySlice<UInt8> {
        let start = cursor.offset
        while !cursor.isAtEnd, condition(cursor) {
            // XML 1.0, 2.2: of the control characters tab, line feed and carriage return alone.
            if cursor.byte < 0x20, !XMLCharacter.isSpace(cursor.byte) {
                throw PlistFault(.control(cursor.byte), at: cursor.offset)
            }
            cursor.offset += 1
        }
        return cursor.bytes[start..<cursor.offset]
    }

    /// Reads the end tag that must stand here.
    private mutating func close(_ open: XMLTag) throws(PlistFault) {
        guard !cursor.isAtEnd else {
            throw PlistFault(.unclosedElement(open.name), at: cursor.offset, related: open.offset)
        }
        let start = cursor.offset
        if cursor.isAt("<!--") || cursor.isAt("<?") { throw PlistFault(.commentInText(open.name), at: start) }
        if cursor.isAt("<!") { throw PlistFault(.declaration, at: start) }
        let tag = try cursor.tag()
        guard tag.form == .end else { throw PlistFault(.elementInText(tag.name, in: open.name), at: start) }
        guard tag.name == open.name else {
            throw PlistFault(.wrongEndTag(found: tag.name, open: open.name), at: start, related: open.offset)
        }
    }

    /// The bytes that a reference stands for. There are five entities, since a document cannot declare its own.
    private mutating func reference() throws(PlistFault) -> ArraySlice<UInt8> {
        let start = cursor.offset
        cursor.offset += 1
        let isNumber = cursor.skip("#")
        let name = cursor.name()
        guard cursor.skip(";"), !name.isEmpty else { throw PlistFault(.badReference, at: start) }
        if isNumber {
            guard let scalar = Self.scalar(name) else { throw PlistFault(.notACharacter("&#\(name);"), at: start) }
            return ArraySlice(String(Character(scalar)).utf8)
        }
        switch name {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: throw PlistFault(.unknownEntity(name), at: start)
        }
    }

    // XML 1.0, 4.1: digits, or hexadecimal ones behind a small x; and the character must be one that XML has.
    private static func scalar(_ digits: String) -> Unicode.Scalar? {
        guard !digits.hasPrefix("-") else { return nil }
        let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let scalar = number.flatMap({ Unicode.Scalar($0) }), XMLCharacter.isCharacter(scalar) else { return nil }
        return scalar
    }

    private var character: String {
        cursor.text(cursor.offset..<min(cursor.offset + 4, cursor.bytes.count)).first.map { String($0) } ?? ""
    }
}
