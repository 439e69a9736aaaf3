import TextBasics

extension TomlParser {
    /// ABNF: `simple-key = quoted-key / unquoted-key`.
    @inline(__always)
    mutating func simpleKey() throws(Diagnostic) -> SyntaxKey {
        let first = cursor.byte
        return first == .quote || first == .apostrophe ? try quotedKey(first) : try unquotedKey()
    }

    /// ABNF: `quoted-key = basic-string / literal-string`.
    private mutating func quotedKey(_ first: UInt8) throws(Diagnostic) -> SyntaxKey {
        let place = cursor.offset
        // TOML 1.1, Keys: no multi-line string defines a quoted key.
        if cursor.peek(1) == first, cursor.peek(2) == first {
            throw Diagnostic(
                "the key is a multi-line string", at: place, expected: "a key in single quotes or double")
        }
        let text = first == .quote ? try basicString() : try literalString()
        return SyntaxKey(text, at: place)
    }

    /// ABNF: `unquoted-key = 1*unquoted-key-char`.
    @inline(__always)
    private mutating func unquotedKey() throws(Diagnostic) -> SyntaxKey {
        let place = cursor.offset
        cursor.skipKey()
        guard cursor.offset > place else { throw diagnostics.expectedKey() }
        return SyntaxKey(SyntaxText(place..<cursor.offset), at: place)
    }
}

extension Cursor {
    /// ABNF: `unquoted-key-char = ALPHA / DIGIT / "-" / "_"`.
    @inline(__always)
    mutating func skipKey() {
        var place = offset
        while true {
            let count = EightBytes.bareKeyCount(word(at: place))
            place += count
            if count < 8 { return move(to: place) }
        }
    }

    /// ABNF: `ws = *wschar`, `wschar = space / tab`.
    @inline(__always)
    mutating func skipBlanks() {
        while byte == .space || byte == .tab {
            if byte == .tab { advance() } else { skipSpaces() }
        }
    }
}
