internal import Foundation

// The elements that hold text.
extension XMLPlistReader {
    /// The text of a `<string>` or a `<key>`, with its references replaced.
    mutating func text(_ tag: XMLTag) throws(PlistFault) -> String {
        var text: [UInt8] = []
        guard tag.form == .start else { return "" }
        while !cursor.isAtEnd {
            switch cursor.byte {
            case UInt8(ascii: "&"): text += try reference()
            case UInt8(ascii: "<"):
                let start = cursor.offset
                guard cursor.skip("<![CDATA[") else {
                    try close(tag)
                    return String(decoding: text, as: UTF8.self)
                }
                let content = cursor.offset
                guard cursor.skip(behind: "]]>") else { throw PlistFault(.unclosedCDATA, at: start) }
                let end = cursor.offset
                cursor.offset = content
                try readCharacters(upTo: end - 3, into: &text)
                cursor.offset = end
            default:
                let end = cursor.bytes[cursor.offset...].firstIndex {
                    $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&")
                }
                try readCharacters(upTo: end ?? cursor.bytes.count, into: &text)
            }
        }
        throw PlistFault(.unclosedElement(tag.name), at: cursor.offset, related: tag.offset)
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

    /// The bytes that the base64 text of a `<data>` stands for.
    mutating func data(_ tag: XMLTag) throws(PlistFault) -> [UInt8] {
        guard tag.form == .start else { return [] }
        var text: [UInt8] = []
        var padding = 0
        while !cursor.isAtEnd, cursor.byte != UInt8(ascii: "<") {
            switch cursor.byte {
            case let byte where XMLCharacter.isSpace(byte): break
            case UInt8(ascii: "="):
                padding += 1
                text.append(cursor.byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                guard padding == 0 else { throw PlistFault(.base64Length, at: cursor.offset) }
                text.append(cursor.byte)
            default: throw PlistFault(.base64Character(character), at: cursor.offset)
            }
            cursor.offset += 1
        }
        // RFC 4648, 4: groups of four, the last of which two `=` may fill. Foundation's decoder takes less exact text.
        guard text.count.isMultiple(of: 4), padding <= 2, let data = Data(base64Encoded: Data(text)) else {
            throw PlistFault(.base64Length, at: tag.offset)
        }
        try close(tag)
        return [UInt8](data)
    }

    /// Reads characters as they are, up to a place.
    private mutating func readCharacters(upTo end: Int, into text: inout [UInt8]) throws(PlistFault) {
        while cursor.offset < end {
            let byte = cursor.byte
            // XML 1.0, 2.2: of the control characters tab, line feed and carriage return alone.
            if byte < 0x20, !XMLCharacter.isSpace(byte) { throw PlistFault(.control(byte), at: cursor.offset) }
            cursor.offset += 1
            // XML 1.0, 2.11: a carriage return is a line feed, and one with the line feed behind it.
            if byte == 0x0D {
                if cursor.byte != 0x0A { text.append(0x0A) }
            } else {
                text.append(byte)
            }
        }
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
        guard tag.element == open.element else {
            throw PlistFault(.wrongEndTag(found: tag.name, open: open.name), at: start, related: open.offset)
        }
    }

    /// The bytes that a reference stands for. There are five entities, since a document cannot declare its own.
    private mutating func reference() throws(PlistFault) -> [UInt8] {
        let start = cursor.offset
        cursor.offset += 1
        let isNumber = cursor.skip("#")
        let name = cursor.name()
        guard cursor.skip(";"), !name.isEmpty else { throw PlistFault(.badReference, at: start) }
        if isNumber {
            guard let scalar = Self.scalar(name) else { throw PlistFault(.notACharacter("&#\(name);"), at: start) }
            return Array(String(Character(scalar)).utf8)
        }
        guard let entity = Self.entities.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw PlistFault(.unknownEntity(name), at: start)
        }
        return [UInt8(ascii: entity.character)]
    }

    // XML 1.0, 4.6.
    private static let entities: [(name: String, character: Unicode.Scalar)] = [
        ("lt", "<"), ("gt", ">"), ("amp", "&"), ("quot", "\""), ("apos", "'"),
    ]

    // XML 1.0, 4.1: digits, or hexadecimal ones behind a small x; and the character must be one that XML has.
    private static func scalar(_ digits: String) -> Unicode.Scalar? {
        let isHexadecimal = digits.utf8.first == UInt8(ascii: "x")
        let digits = isHexadecimal ? digits.dropFirst() : digits[...]
        guard digits.utf8.first != UInt8(ascii: "-"), let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number), XMLCharacter.isCharacter(scalar)
        else { return nil }
        return scalar
    }

    private var character: String {
        cursor.text(cursor.offset..<min(cursor.offset + 4, cursor.bytes.count)).first.map { String($0) } ?? ""
    }
}
