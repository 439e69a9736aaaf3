import TextBasics

/// A text that is repaired: its tokens and its lines.
struct RepairText {
    /// The format of a text.
    enum Format {
        case json, toml

        /// The byte between a key and its value.
        var assignment: UInt8 { self == .json ? .colon : .equals }
    }

    let bytes: [UInt8]
    let format: Format

    var count: Int { bytes.count }

    /// The byte at an offset, or zero outside of the text.
    subscript(offset: Int) -> UInt8 { bytes.indices.contains(offset) ? bytes[offset] : 0 }
}

// MARK: - Tokens

extension RepairText {
    /// Returns the end of the comment that starts at an offset, or nil if there is none.
    func endOfComment(at offset: Int) -> Int? {
        if format == .toml { return self[offset] == .hash ? endOfLine(from: offset) : nil }
        guard self[offset] == .slash else { return nil }
        if self[offset + 1] == .slash { return endOfLine(from: offset) }
        guard self[offset + 1] == .asterisk else { return nil }
        var end = offset + 2
        while end < count {
            if self[end] == .asterisk, self[end + 1] == .slash { return end + 2 }
            end += 1
        }
        return count
    }

    /// Returns the end of the string that starts at an offset, or nil if there is none.
    ///
    /// A string without a closing quote ends at the end of the line; one in triple quotes, at the end of the text.
    func endOfString(at offset: Int) -> Int? {
        let quote = self[offset]
        guard quote == .quote || quote == .apostrophe && format == .toml else { return nil }
        if isTripleQuote(at: offset) { return endOfMultilineString(at: offset) }
        var end = offset + 1
        while end < count, self[end] != .newline {
            if self[end] == quote { return end + 1 }
            end += self[end] == .backslash && quote == .quote && self[end + 1] != .newline ? 2 : 1
        }
        return min(end, count)
    }

    /// Returns whether the three quotes of a multi-line string are at an offset.
    func isTripleQuote(at offset: Int) -> Bool {
        let quote = self[offset]
        return format == .toml && quote.isQuote && self[offset + 1] == quote && self[offset + 2] == quote
    }

    private func endOfMultilineString(at offset: Int) -> Int {
        let quote = self[offset]
        var end = offset + 3
        while end < count {
            if isTripleQuote(at: end), self[end] == quote {
                end += 3
                // TOML 1.1, String: up to two more quotes belong to the text.
                for _ in 0..<2 where self[end] == quote { end += 1 }
                return end
            }
            end += self[end] == .backslash && quote == .quote ? 2 : 1
        }
        return count
    }

    /// Returns the end of text that is not a value: before the next comma, closing bracket, comment or end of the line.
    ///
    /// Text in quotes of any kind may contain these.
    func endOfJunk(from start: Int) -> Int {
        if let end = endOfQuotedJunk(from: start) { return end }
        var (offset, depth) = (start, 0)
        while offset < count, self[offset] != .newline {
            let byte = self[offset]
            if depth == 0, byte == .comma || byte == .closeBracket || byte == .closeBrace { break }
            if offset > start, self[offset - 1] <= .space, endOfComment(at: offset) != nil { break }
            if "[{(".utf8.contains(byte) { depth += 1 }
            if depth > 0, "]})".utf8.contains(byte) { depth -= 1 }
            offset += 1
        }
        while offset > start + 1, self[offset - 1] <= .space { offset -= 1 }
        return max(offset, min(start + 1, count))
    }

    private func endOfQuotedJunk(from start: Int) -> Int? {
        let first = self[start]
        guard first.isQuote || first == .backtick || isTypographicQuote(at: start) else { return nil }
        var offset = start + 1
        while offset < count, self[offset] != .newline {
            if first < 0x80, self[offset] == first { return offset + 1 }
            if first >= 0x80, isTypographicQuote(at: offset) { return offset + 3 }
            offset += 1
        }
        return nil
    }

    // U+2018 to U+201F.
    private func isTypographicQuote(at offset: Int) -> Bool {
        self[offset] == 0xE2 && self[offset + 1] == 0x80 && (0x98...0x9F).contains(self[offset + 2])
    }

    /// Returns the length of the invisible character at an offset, such as a control character or a no-break space, or
    /// nil if the character is another one.
    func lengthOfInvisible(at offset: Int) -> Int? {
        let length = self[offset] < 0x80 ? 1 : self[offset] < 0xE0 ? 2 : self[offset] < 0xF0 ? 3 : 4
        let text = String(decoding: bytes[offset..<min(offset + length, count)], as: UTF8.self)
        guard let scalar = text.unicodeScalars.first, scalar != " ", scalar != "\t", scalar != "\n", scalar != "\r"
        else {
            return nil
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator: return length
        default: return nil
        }
    }
}

// MARK: - Lines

extension RepairText {
    /// Returns the offset of the line feed that ends the line of an offset, or of the end of the text.
    func endOfLine(from offset: Int) -> Int {
        var end = max(offset, 0)
        while end < count, self[end] != .newline { end += 1 }
        return min(end, count)
    }

    /// Returns the offset at which the line of an offset starts.
    func startOfLine(_ offset: Int) -> Int {
        var start = min(offset, count)
        while start > 0, self[start - 1] != .newline { start -= 1 }
        return start
    }

    /// Returns the offset of the first byte from an offset on that is not a blank.
    func skipBlanks(from offset: Int) -> Int {
        var end = offset
        while self[end] == .space || self[end] == .tab { end += 1 }
        return end
    }

    /// Returns the offset of the first character in the line of an offset that is not a blank.
    func startOfText(inLineOf offset: Int) -> Int { skipBlanks(from: startOfLine(offset)) }

    /// Returns the number of blanks at the start of the line of an offset.
    func indentation(at offset: Int) -> Int { startOfText(inLineOf: offset) - startOfLine(offset) }

    /// Returns the next byte from an offset on that is neither white space nor part of a comment, or zero at the end.
    func nextByte(from start: Int) -> UInt8 {
        var offset = start
        while offset < count {
            if let end = endOfComment(at: offset) {
                offset = end
            } else if self[offset].isWhitespace {
                offset += 1
            } else {
                return self[offset]
            }
        }
        return 0
    }
}
