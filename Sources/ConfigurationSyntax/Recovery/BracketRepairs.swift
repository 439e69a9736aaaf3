import TextBasics

/// The repairs of errors inside of the brackets of a value.
struct BracketRepairs {
    let text: RepairText
    /// The offset of the error.
    let offset: Int
    let outline: Outline
    /// The text of a key that occurs nowhere else.
    let key: String

    private var byte: UInt8 { text[offset] }
    private var assignment: String { text.format == .json ? ":" : "=" }

    /// The repair, or nil if the text after the error cannot be understood.
    var repair: Recovery.Repair? {
        guard offset < text.count else { return nil }
        if let comment = foreignComment { return comment }
        return switch outline.expectation(in: text) {
        case .key: keyRepair
        case .assignment: assignmentRepair
        case .value: valueRepair
        case .separator: separatorRepair
        case .end: nil
        }
    }

    // MARK: Changes

    private func replace(_ end: Int, with replacement: String, resumption: Int? = nil) -> Recovery.Repair {
        Recovery.Repair(range: offset..<end, replacement: replacement, resumption: resumption ?? end)
    }

    private func insert(_ insertion: String, resumption: Int? = nil) -> Recovery.Repair {
        replace(offset, with: insertion, resumption: resumption)
    }

    /// A comment of another format, or one that is not allowed, is removed.
    private var foreignComment: Recovery.Repair? {
        if let end = text.endOfComment(at: offset) { return end < text.count ? replace(end, with: " ") : nil }
        let next = text[offset + 1]
        guard byte == .hash || text.format == .toml && byte == .slash && (next == .slash || next == .asterisk) else {
            return nil
        }
        return replace(text.endOfLine(from: offset), with: "")
    }

    // MARK: Keys

    private var keyRepair: Recovery.Repair? {
        switch byte {
        case .comma: return replace(offset + 1, with: "")
        case .closeBracket: return closerRepair
        case .colon, .equals: return insert(key, resumption: offset + 1)
        case _ where isInlineTable && !isOnLine: return closerAfterLast
        case .openBrace, .openBracket: return insert(key + assignment, resumption: offset + 1)
        default: break
        }
        let end = endOfKey
        // A key whose quote is never closed: the rest of the line is unknown.
        guard text.nextByte(from: end) == .colon || text.nextByte(from: end) == .equals else {
            let tail = startOfTail
            return replace(max(tail.end, offset + 1), with: key + assignment + "0" + tail.comma, resumption: tail.line)
        }
        return replace(end, with: key)
    }

    private var endOfKey: Int {
        if let end = text.endOfString(at: offset), text[end - 1] == byte, end > offset + 1 { return end }
        var end = offset
        while end < text.count, !",:=[]{}\n".utf8.contains(text[end]) { end += 1 }
        while end > offset, text[end - 1] <= .space { end -= 1 }
        return end
    }

    private var assignmentRepair: Recovery.Repair? {
        switch byte {
        case .colon where text.format == .toml, .equals where text.format == .json:
            return replace(offset + 1, with: assignment)
        // A part of a dotted key is missing.
        case .equals: return insert(key, resumption: offset + 1)
        case .comma, .closeBrace, .closeBracket, .newline, .carriageReturn:
            return insert(assignment + "0", resumption: offset + 1)
        default: break
        }
        if let end = text.endOfString(at: offset), text.nextByte(from: end) == text.format.assignment {
            return insert(assignment + "0,", resumption: offset + 1)
        }
        return insert(assignment, resumption: isOnLine ? text.endOfLine(from: offset) : offset + 1)
    }

    // MARK: Values

    private var valueRepair: Recovery.Repair? {
        let isMissing = outline.last.map { text[$0] == text.format.assignment } ?? false
        switch byte {
        case .comma: return isMissing ? insert("0", resumption: offset + 1) : replace(offset + 1, with: "")
        case .closeBracket, .closeBrace: return isMissing ? insert("0", resumption: offset + 1) : closerRepair
        case .newline, .carriageReturn: return insert("0", resumption: offset + 1)
        case .colon, .equals: return replace(offset + 1, with: "")
        case .quote: return stringRepair
        case .apostrophe where text.format == .toml: return stringRepair
        // A bracket that is never closed: the whole rest of the text is in it.
        case .openBracket, .openBrace: return nil
        default: return replace(text.endOfJunk(from: offset), with: "0")
        }
    }

    /// Closes a string at the end of its line.
    private var stringRepair: Recovery.Repair? {
        guard !text.isTripleQuote(at: offset) else { return nil }
        let tail = startOfTail
        let quote = byte == .quote ? "\"" : "'"
        return Recovery.Repair(range: tail.end..<tail.end, replacement: quote + tail.comma, resumption: tail.line)
    }

    /// The end of the line, where the tail of commas and closing brackets starts in it, and a comma if a value follows
    /// the line but none is in the tail.
    private var startOfTail: (end: Int, line: Int, comma: String) {
        let line = text.endOfLine(from: offset)
        var closers = openedOnLine
        var hasComma = false
        var end = line
        while end > offset + 1 {
            let byte = text[end - 1]
            if byte == .closeBracket || byte == .closeBrace {
                guard closers > 0 else { break }
                closers -= 1
            } else if byte == .comma {
                hasComma = true
            } else if !byte.isWhitespace {
                break
            }
            end -= 1
        }
        let next = text.nextByte(from: line)
        let needsComma = !hasComma && next != 0 && !",]}".utf8.contains(next)
        return (end, line, needsComma ? "," : "")
    }

    // MARK: Separators

    private var separatorRepair: Recovery.Repair? {
        guard let last = outline.last else { return nil }
        // The end of a number that is not valid.
        if last + 1 == offset, text[last].isWordPart || "+-.".utf8.contains(text[last]), !"]},;".utf8.contains(byte) {
            var start = last
            while start > 0, text[start - 1].isWordPart || "+-.:".utf8.contains(text[start - 1]) { start -= 1 }
            let end = text.endOfJunk(from: offset)
            return Recovery.Repair(range: start..<end, replacement: "0", resumption: end)
        }
        let isInArray = outline.open.last.map { text[$0] == .openBracket } ?? true
        switch byte {
        case .comma: return replace(offset + 1, with: "")
        case .semicolon: return replace(offset + 1, with: ",")
        case .colon where isInArray, .equals where isInArray: return replace(offset + 1, with: ",")
        case .closeBracket, .closeBrace: return closerRepair
        case _ where !isOnLine: return isInlineTable ? closerAfterLast : insert(",", resumption: offset + 1)
        default: break
        }
        if isInArray || isKey { return insert(",", resumption: text.endOfLine(from: offset)) }
        return replace(text.endOfJunk(from: offset), with: "", resumption: text.endOfLine(from: offset))
    }

    /// Whether a key and the byte after it follow.
    private var isKey: Bool { text.nextByte(from: endOfKey) == text.format.assignment }

    /// Whether the last bracket opens a TOML table that is written on one line.
    private var isInlineTable: Bool {
        guard text.format == .toml, let open = outline.open.last, text[open] == .openBrace else { return false }
        return text.skipBlanks(from: open + 1) < text.endOfLine(from: open)
    }

    /// Whether the last token is on the line of the error.
    private var isOnLine: Bool { outline.last.map { text.startOfLine($0) == text.startOfLine(offset) } ?? true }

    /// Closes an inline table at the end of its line.
    private var closerAfterLast: Recovery.Repair? {
        outline.last.map { last in
            let isInArray = outline.open.dropLast().last.map { text[$0] == .openBracket } ?? false
            let comma = isInArray && text[last] == .comma ? "," : ""
            return Recovery.Repair(range: last + 1..<last + 1, replacement: "}" + comma, resumption: offset)
        }
    }

    // MARK: Brackets

    private func closer(of open: Int) -> String { text[open] == .openBrace ? "}" : "]" }

    /// The number of open brackets in the line of the error.
    private var openedOnLine: Int {
        let line = text.startOfLine(offset)
        return outline.open.count { $0 >= line }
    }

    /// Closes the last open bracket, in place of the wrong bracket or before it.
    ///
    /// The indentation of the bracket, or the number of brackets in its line, tells whether it closes an outer one.
    private var closerRepair: Recovery.Repair? {
        guard let open = outline.open.last else { return replace(offset + 1, with: "") }
        let closer = closer(of: open)
        let isOnLine = text.startOfLine(open) == text.startOfLine(offset)
        guard let parent = outline.open.dropLast().last, (text[parent] == .openBrace) == (byte == .closeBrace) else {
            let isInPlace = isOnLine || text.startOfText(inLineOf: offset) == offset
            return replace(offset + 1, with: isInPlace ? closer : "")
        }
        let isOuter: Bool
        if isOnLine {
            let rest = text.bytes[offset..<text.endOfLine(from: offset)]
            isOuter = rest.count { $0 == .closeBrace || $0 == .closeBracket } < openedOnLine
        } else {
            isOuter = text.indentation(at: offset) != text.indentation(at: open)
        }
        return isOuter ? insert(closer, resumption: offset + 1) : replace(offset + 1, with: closer)
    }
}
