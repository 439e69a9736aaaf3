import TextBasics

// Error recovery: after an error, parsing goes on at the next line that begins a statement, so that one mistake is one
// error. If no such line is certain, the rest of the text is not parsed.
extension TomlParser {
    /// Adds an error in the current statement to a list, and moves to the next statement.
    ///
    /// - Returns: whether there is a next statement.
    mutating func recover(from error: Diagnostic, _ errors: inout [Diagnostic]) -> Bool {
        // If a line has shown that a bracket before it is not closed, it is read again. The error is reported already.
        let isNew = errors.last.map { ($0.offset ?? 0) < (error.offset ?? 0) } ?? true
        // A conflict with another definition may be a consequence of a header that was not read.
        if isNew, error.kind != .duplicate || !hasLostHeader {
            guard errors.count < ListLimit.errors else {
                errors.append(.moreErrors(at: error.offset))
                return false
            }
            errors.append(error)
        }
        guard error.kind != .limit, error.kind != .unrecoverable, let next = nextStatement() else { return false }
        if hasLostHeader {
            // The table of the next keys is unknown, so they get a table of their own.
            table = document.append(.table, at: next)
            depth = 1
        }
        cursor.move(to: next)
        return true
    }

    /// Returns the offset of the next line that begins a statement, or nil if there is none, or if triple quotes before
    /// it may open a string that contains it.
    private mutating func nextStatement() -> Int? {
        var line = statement
        var braces = 0
        while true {
            if cursor.byte(at: cursor.bytes.endOfBlanks(from: line)) == .openBracket { hasLostHeader = true }
            let end = cursor.endOfLine(from: line)
            for offset in line..<end {
                switch cursor.byte(at: offset) {
                case .quote where isTripleQuote(at: offset), .apostrophe where isTripleQuote(at: offset): return nil
                case .openBrace: braces += 1
                case .closeBrace: braces -= 1
                default: break
                }
            }
            if end >= cursor.count { return nil }
            line = end + 1
            // The line of the error may begin a statement, after a bracket that is not closed. Lines before it have been
            // read as a part of the value.
            let isRead = cursor.endOfLine(from: line) < cursor.offset
            if !isRead, isStatement(at: line, inBraces: braces > 0) { return line }
        }
    }

    private func isTripleQuote(at offset: Int) -> Bool {
        let quote = cursor.byte(at: offset)
        return cursor.byte(at: offset + 1) == quote && cursor.byte(at: offset + 2) == quote
    }

    // Returns whether the line at an offset begins with a header, or with a key and `=`. A line in braces or before a
    // comma may be a part of a value, and so may `["a"]`, `[1]` and `[true]`.
    private func isStatement(at line: Int, inBraces: Bool) -> Bool {
        var start = cursor.bytes.endOfBlanks(from: line)
        let isHeader = cursor.byte(at: start) == .openBracket
        if isHeader {
            start = cursor.bytes.endOfBlanks(from: start + (cursor.byte(at: start + 1) == .openBracket ? 2 : 1))
            let name = cursor.word(startingAt: start)
            guard cursor.byte(at: start).isLetter, !["true", "false", "inf", "nan"].contains(name) else { return false }
        } else if inBraces {
            return false
        }
        var end = start
        while isPartOfKeys(cursor.byte(at: end)) { end += 1 }
        let next = cursor.byte(at: end)
        let isComplete = isHeader ? next == .closeBracket || next == .hash || next < .space : next == .equals
        return end > start && isComplete && lastByte(ofLineAt: end) != .comma
    }

    private func isPartOfKeys(_ byte: UInt8) -> Bool {
        byte.isWordPart || byte.isQuote || byte == .minus || byte == .dot || byte == .space || byte == .tab
    }

    private func lastByte(ofLineAt offset: Int) -> UInt8 {
        var end = cursor.endOfLine(from: offset)
        while end > offset, cursor.byte(at: end - 1) <= .space { end -= 1 }
        return cursor.byte(at: end - 1)
    }
}
