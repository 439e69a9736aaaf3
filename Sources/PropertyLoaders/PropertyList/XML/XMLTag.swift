/// A tag of an XML property list.
struct XMLTag {
    enum Form {
        case start
        case end
        /// `<name/>`.
        case empty
    }

    let form: Form
    let name: String
    /// Where its `<` stands.
    let offset: Int
}

extension XMLCursor {
    /// Reads the tag here, whose `<` is sure.
    mutating func tag() throws(PlistFault) -> XMLTag {
        let start = offset
        offset += 1
        let isEnd = skip("/")
        let name = name()
        guard !name.isEmpty else { throw PlistFault(isAtEnd ? .unclosedTag : .malformedTag, at: start) }
        skipSpace()
        // The version of the plist element is the one attribute there is; the parser stumbles over any other.
        while !isEnd, !isAtEnd, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
            try attribute(of: name, tag: start)
            skipSpace()
        }
        let isEmpty = !isEnd && skip("/")
        guard skip(">") else { throw PlistFault(isAtEnd ? .unclosedTag : .malformedTag, at: start) }
        return XMLTag(form: isEnd ? .end : isEmpty ? .empty : .start, name: name, offset: start)
    }

    private mutating func attribute(of element: String, tag: Int) throws(PlistFault) {
        let start = offset
        let attribute = name()
        guard !attribute.isEmpty else { throw PlistFault(.malformedTag, at: tag) }
        guard element == "plist", attribute == "version" else { throw PlistFault(.attribute(attribute), at: start) }
        skipSpace()
        let isValue = skip("=")
        skipSpace()
        let quote = byte
        guard isValue, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw PlistFault(isAtEnd ? .unclosedTag : .malformedTag, at: tag)
        }
        offset += 1
        while !isAtEnd, byte != quote {
            // XML 1.0, 3.1: no `<` in a value. A `>` is allowed there, and ends the tag for the parser.
            guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: ">") else { throw PlistFault(.malformedTag, at: tag) }
            offset += 1
        }
        offset += 1
    }

    /// Steps over white space, comments and processing instructions.
    mutating func skipMisc() throws(PlistFault) {
        while true {
            skipSpace()
            let start = offset
            if skip("<!--") {
                guard skip(behind: "-->") else { throw PlistFault(.unclosedComment, at: start) }
            } else if skip("<?") {
                guard skip(behind: "?>") else { throw PlistFault(.unclosedInstruction, at: start) }
                try checkEncoding(of: text(start..<offset), at: start)
            } else {
                return
            }
        }
    }

    // XML 1.0, 4.3.3. The bytes are UTF-8, whatever else the declaration says.
    private func checkEncoding(of declaration: String, at start: Int) throws(PlistFault) {
        guard declaration.hasPrefix("<?xml"), let label = declaration.firstRange(of: "encoding") else { return }
        let quotes: Set<Character> = ["\"", "'"]
        let value = declaration[label.upperBound...].drop { !quotes.contains($0) }.dropFirst()
        let name = value.prefix { !quotes.contains($0) }
        guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased()) else {
            throw PlistFault(.encoding(String(name)), at: start)
        }
    }

    /// Steps over a document type declaration, which must have no subset of its own: that is where entities are made.
    mutating func skipDoctype() throws(PlistFault) {
        let start = offset
        guard skip("<!DOCTYPE") else { return }
        skipSpace()
        let name = name()
        guard name == "plist" else { throw PlistFault(isAtEnd ? .unclosedDoctype : .doctypeName(name), at: start) }
        // The parser knows no quotes here: its declaration ends at the first `>`.
        while !isAtEnd {
            switch byte {
            case UInt8(ascii: "["): throw PlistFault(.doctypeSubset, at: offset)
            case UInt8(ascii: "<"): throw PlistFault(.unclosedDoctype, at: start)
            case UInt8(ascii: ">"):
                offset += 1
                return
            default: offset += 1
            }
        }
        throw PlistFault(.unclosedDoctype, at: start)
    }
}
