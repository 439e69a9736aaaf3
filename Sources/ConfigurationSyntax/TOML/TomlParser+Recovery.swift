import TextBasics

// Error recovery: after an error, parsing goes on at the next line that certainly begins a statement, so that one
// mistake is one error. Where no line is certain, the rest of the text is not parsed.
extension TomlParser {
    /// Adds an error in the current statement to a list, and moves to the next statement.
    ///
    /// - Returns: whether there is a next statement.
    mutating func recover(from error: Diagnostic, _ errors: inout [Diagnostic]) -> Bool {
        // A line that showed that a bracket before it is not closed is read again, and has been reported already.
        let isNew = errors.last.map { ($0.offset ?? 0) < (error.offset ?? 0) } ?? true
        // A conflict with another definition may be a consequence of a header that was not read.
        if isNew, error.kind != .duplicate || !hasLostHeader {
            guard errors.count < ListLimit.errors else {
                errors.append(.moreErrors(at: error.offset))
                return false
            }
            errors.append(error)
        }
        guard error.kind != .limit, error.kind != .unrecoverable, let next = nextStatement(after: error) else {
            return false
        }
        if hasLostHeader {
            // The table of the next keys is unknown, so they get one of their own.
            table = document.append(.table, at: next)
            depth = 1
        }
        cursor.move(to: next)
        return true
    }

    /// Returns the offset of the next line that certainly begins a statement, or nil if there is none.
    private mutating func nextStatement(after error: Diagnostic) -> Int? {
        var offset = cursor.bytes.endOfBlanks(from: statement)
        var brackets: [UInt8] = []
        var isInHeader = cursor.byte(at: offset) == .openBracket
        if isInHeader { hasLostHeader = true }
        while offset < cursor.count {
            let byte = cursor.byte(at: offset)
            switch byte {
            case .quote, .apostrophe:
                // Triple quotes after a syntax error may open a string or close one.
                guard let end = endOfString(at: offset),
                    !isTripleQuote(at: offset) || offset < cursor.offset || error.kind != .syntax
                else { return nil }
                offset = end
                continue
            case .hash:
                offset = cursor.endOfLine(from: offset)
                continue
            case .openBracket, .openBrace:
                if !isInHeader { brackets.append(byte) }
            case .closeBracket, .closeBrace:
                _ = brackets.popLast()
            case .newline:
                isInHeader = false
                if isStatement(at: offset + 1, in: brackets.last) { return offset + 1 }
                if cursor.byte(at: cursor.bytes.endOfBlanks(from: offset + 1)) == .openBracket { hasLostHeader = true }
            default: break
            }
            offset += 1
        }
        return nil
    }

    // Returns whether the line at an offset certainly begins a statement. `bracket` is the last bracket that seems to be
    // open, or nil.
    private func isStatement(at line: Int, in bracket: UInt8?) -> Bool {
        var offset = cursor.bytes.endOfBlanks(from: line)
        let isHeader = cursor.byte(at: offset) == .openBracket
        if isHeader {
            offset = cursor.bytes.endOfBlanks(from: offset + (cursor.byte(at: offset + 1) == .openBracket ? 2 : 1))
            // `["a"]`, `[1]` and `[true]` may be elements of an array.
            let name = cursor.word(startingAt: offset)
            guard cursor.byte(at: offset).isLetter, !["true", "false", "inf", "nan"].contains(name) else {
                return false
            }
        } else if bracket == .openBrace {
            return false
        }
        var end = endOfKey(from: offset)
        while let dot = end, cursor.byte(at: dot) == .dot {
            end = endOfKey(from: cursor.bytes.endOfBlanks(from: dot + 1))
        }
        guard let end else { return false }
        // In brackets, a line that ends in a comma may be an element without quotes or without its opening brace.
        guard bracket == nil || lastByte(ofLineAt: end) != .comma else { return false }
        let next = cursor.byte(at: end)
        return isHeader ? next == .closeBracket || next == .hash || next < .space : next == .equals
    }
}

// MARK: - Tokens

extension TomlParser {
    private func isTripleQuote(at offset: Int) -> Bool {
        let quote = cursor.byte(at: offset)
        return cursor.byte(at: offset + 1) == quote && cursor.byte(at: offset + 2) == quote
    }

    /// Returns the offset after a string.
    ///
    /// A string without a closing quote ends at the end of its line. For one in triple quotes, the result is nil.
    private func endOfString(at start: Int) -> Int? {
        let quote = cursor.byte(at: start)
        let isMultiline = isTripleQuote(at: start)
        var offset = start + (isMultiline ? 3 : 1)
        while offset < cursor.count, isMultiline || cursor.byte(at: offset) != .newline {
            let byte = cursor.byte(at: offset)
            if byte == quote, !isMultiline { return offset + 1 }
            if byte == quote, isTripleQuote(at: offset) {
                offset += 3
                // TOML 1.1, String: up to two more quotes belong to the text.
                while cursor.byte(at: offset) == quote { offset += 1 }
                return offset
            }
            let isEscape = byte == .backslash && quote == .quote && cursor.byte(at: offset + 1) != .newline
            offset += isEscape ? 2 : 1
        }
        return isMultiline ? nil : min(offset, cursor.count)
    }

    /// Returns the offset after a part of a key and the blanks that follow it, or nil if there is no key.
    private func endOfKey(from start: Int) -> Int? {
        var end = start
        if cursor.byte(at: start).isQuote {
            guard !isTripleQuote(at: start), let closed = endOfString(at: start) else { return nil }
            end = closed
        } else {
            while cursor.byte(at: end).isWordPart || cursor.byte(at: end) == .minus { end += 1 }
        }
        return end == start ? nil : cursor.bytes.endOfBlanks(from: end)
    }

    private func lastByte(ofLineAt offset: Int) -> UInt8 {
        var end = cursor.endOfLine(from: offset)
        while cursor.byte(at: end - 1) <= .space { end -= 1 }
        return cursor.byte(at: end - 1)
    }
}
