extension TomlParser {
    /// ABNF: `simple-key = quoted-key / unquoted-key`, `quoted-key = basic-string / literal-string`.
    mutating func simpleKey() throws(SyntaxFault) -> SyntaxKey {
        let place = cursor.offset
        let first = cursor.byte
        guard first == .quote || first == .apostrophe else { return try unquotedKey() }
        // TOML 1.1, Keys: no multi-line string defines a quoted key.
        if cursor.peek(1) == first, cursor.peek(2) == first { throw SyntaxFault(.multilineKey, at: place) }
        let text = first == .quote ? try basicString() : try literalString()
        return SyntaxKey(text, at: place)
    }

    /// ABNF: `unquoted-key = 1*unquoted-key-char`.
    private mutating func unquotedKey() throws(SyntaxFault) -> SyntaxKey {
        let place = cursor.offset
        cursor.skipKey()
        guard cursor.offset > place else { throw faultForKey() }
        return SyntaxKey(SyntaxText(place..<cursor.offset), at: place)
    }
}

extension Cursor {
    /// ABNF: `unquoted-key-char = ALPHA / DIGIT / "-" / "_"`.
    mutating func skipKey() {
        var place = offset
        while byte(at: place).isWordPart || byte(at: place) == UInt8(ascii: "-") { place += 1 }
        move(to: place)
    }

    /// ABNF: `ws = *wschar`, `wschar = space / tab`.
    @inline(__always)
    mutating func skipBlanks() {
        while byte == .space || byte == .tab {
            if byte == .tab { advance() } else { skipSpaces() }
        }
    }
}
