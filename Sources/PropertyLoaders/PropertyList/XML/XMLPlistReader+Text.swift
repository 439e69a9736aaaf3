internal import Properties

// Functions that read the text of elements.
extension XMLPlistReader {
    /// Reads the text of a `<string>` or a `<key>`, and replaces references such as `&amp;`.
    mutating func text(_ tag: XMLTag) throws(Diagnostic) -> String {
        var text: [UInt8] = []
        guard tag.form == .start else { return "" }
        while !cursor.isAtEnd {
            switch cursor.byte {
            case .ampersand: text += try reference()
            case .lessThan:
                let start = cursor.offset
                guard cursor.skip("<![CDATA[") else {
                    try close(tag)
                    return String(decoding: text, as: UTF8.self)
                }
                let content = cursor.offset
                guard cursor.skip(behind: "]]>") else {
                    throw Diagnostic("the `<![CDATA[` that starts here has no end", at: start, expected: "`]]>`")
                }
                let end = cursor.offset
                cursor.offset = content
                try readCharacters(upTo: end - 3, into: &text)
                cursor.offset = end
            default:
                let end = cursor.bytes[cursor.offset...].firstIndex {
                    $0 == .lessThan || $0 == .ampersand
                }
                try readCharacters(upTo: end ?? cursor.bytes.count, into: &text)
            }
        }
        throw unclosed(tag)
    }

    /// Reads the text of a number or a date. It must not be empty, and references in it are not replaced.
    mutating func plainText(_ tag: XMLTag) throws(Diagnostic) -> String {
        let start = cursor.offset
        if tag.form == .start {
            cursor.skip { $0 != .lessThan }
            let text = cursor.text(start..<cursor.offset)
            try close(tag)
            if !text.utf8.allSatisfy(\.isWhitespace) { return text }
        }
        throw Diagnostic(
            "`<\(tag.name)>` has no text", at: tag.offset, expected: "text in it",
            remedy: "Write the value, or remove it with its key")
    }

    /// Reads the characters up to an offset and appends them to `text`.
    private mutating func readCharacters(upTo end: Int, into text: inout [UInt8]) throws(Diagnostic) {
        while cursor.offset < end {
            let byte = cursor.byte
            // XML 1.0, section 2.2: the only allowed control characters are tab, line feed and carriage return.
            if byte < .space, !byte.isWhitespace {
                throw Diagnostic(
                    "there is the control character U+00\(byte < 0x10 ? "0" : "")"
                        + String(byte, radix: 16, uppercase: true),
                    at: cursor.offset, expected: "text", remedy: "Remove it: XML has no way to write it")
            }
            cursor.offset += 1
            // XML 1.0, section 2.11: a carriage return, alone or with a line feed after it, becomes one line feed.
            if byte != .carriageReturn {
                text.append(byte)
            } else if cursor.byte != .newline {
                text.append(.newline)
            }
        }
    }

    /// Reads the end tag of an element.
    mutating func close(_ open: XMLTag) throws(Diagnostic) {
        guard !cursor.isAtEnd else { throw unclosed(open) }
        if cursor.isAt("<!--") || cursor.isAt("<?") {
            throw Diagnostic(
                "there is a comment in the text of `<\(open.name)>`", at: cursor.offset,
                expected: "`</\(open.name)>`", remedy: "Write it before the element")
        }
        if cursor.isAt("<!") { throw invalidMarkup() }
        let tag = try cursor.tag()
        guard tag.form == .end else {
            throw Diagnostic(
                "\(PrintableText.quoted("<\(tag.name)>")) is in the text of `<\(open.name)>`", at: tag.offset,
                expected: "`</\(open.name)>`",
                remedy: "Close the element first, or write a `<` that is text as `&lt;`")
        }
        guard tag.element == open.element else { throw wrongEnd(tag, of: open) }
    }
}

// MARK: - References

extension XMLPlistReader {
    /// Reads a reference and returns the text that it represents. The only entities are the five predefined ones.
    private mutating func reference() throws(Diagnostic) -> String.UTF8View {
        let start = cursor.offset
        cursor.offset += 1
        let isNumber = cursor.skip("#")
        let name = cursor.name()
        guard cursor.skip(";"), !name.isEmpty else {
            throw Diagnostic(
                "this `&` does not start a reference", at: start, expected: "`&name;` or `&#number;`",
                remedy: "Write a `&` that is text as `&amp;`")
        }
        if isNumber {
            guard let scalar = Self.scalar(name) else {
                throw Diagnostic(
                    "\(PrintableText.quoted("&#\(name);")) is not a valid XML character", at: start,
                    expected: "the number of a character")
            }
            return String(scalar).utf8
        }
        // XML 1.0, section 4.6: the predefined entities. A longer name is not compared.
        switch name.utf8.count < 5 ? name : "" {
        case "lt": return "<".utf8
        case "gt": return ">".utf8
        case "amp": return "&".utf8
        case "quot": return "\"".utf8
        case "apos": return "'".utf8
        default:
            throw Diagnostic(
                "\(PrintableText.quoted("&\(name);")) is not a known entity", at: start,
                expected: "`&amp;`, `&lt;`, `&gt;`, `&quot;` or `&apos;`",
                remedy: "Write its text, or its number as `&#…;`")
        }
    }

    // Returns the character that a numeric reference represents, or nil if it is invalid. XML 1.0, section 4.1: the
    // number has decimal digits, or an `x` and hexadecimal digits. Section 2.2: not every character is allowed.
    private static func scalar(_ text: String) -> Unicode.Scalar? {
        let isHexadecimal = text.utf8.first == UInt8(ascii: "x")
        let digits = isHexadecimal ? text.dropFirst() : text[...]
        guard digits.utf8.first != .minus, let number = UInt32(digits, radix: isHexadecimal ? 16 : 10) else {
            return nil
        }
        switch number {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: return Unicode.Scalar(number)
        default: return nil
        }
    }
}
