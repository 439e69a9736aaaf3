import TextBasics

/// The repairs of errors in TOML.
///
/// An error outside of brackets removes its statement, or renames its key or its table. An array or an inline table
/// that is not closed is closed before the next line that looks like a statement.
struct TomlRepairs {
    private let text: RepairText
    /// The offset of the error.
    private let offset: Int
    /// The offset at which the parser has stopped.
    private let stop: Int
    private let outline: Outline
    /// The first character of the statement.
    private let start: Int
    /// The end of the line of the error.
    private let end: Int

    /// Returns a change that mends an error, or nil if the text after the error cannot be understood.
    static func repair(_ failure: Recovery.Failure, in bytes: [UInt8]) -> Recovery.Repair? {
        guard let offset = failure.diagnostic.offset else { return nil }
        let text = RepairText(bytes: bytes, format: .toml)
        if let repair = text.repairOfMergeConflict(at: offset) { return repair }
        let outline = Outline(of: text, to: offset)
        // A carriage return without a line feed: the file has other line ends, and its lines are unknown.
        if text[offset] == .carriageReturn, text[offset + 1] != .newline { return nil }
        if let repair = text.repairOfCharacter(at: offset, outline) { return repair }
        return TomlRepairs(text, offset, stop: max(failure.stop, offset), outline).repair
    }

    private init(_ text: RepairText, _ offset: Int, stop: Int, _ outline: Outline) {
        (self.text, self.offset, self.stop, self.outline) = (text, offset, stop, outline)
        start = text.skipBlanks(from: outline.statement)
        end = text.endOfLine(from: offset)
    }

    private var repair: Recovery.Repair? {
        if let closing = closingRepair { return closing }
        if outline.isHeader { return headerRepair }
        if outline.open.isEmpty { return text[offset] == .openBracket && isAtStart ? headerRepair : statementRepair }
        return BracketRepairs(text: text, offset: offset, outline: outline, key: key).repair
    }

    private var isAtStart: Bool { offset == start }

    /// A key that no other statement has.
    private var key: String { "key-without-errors-\(text.count)-\(offset)" }

    private func replace(_ range: Range<Int>, with replacement: String, resumption: Int) -> Recovery.Repair {
        Recovery.Repair(range: range, replacement: replacement, resumption: resumption)
    }

    // MARK: Statements

    /// Closes a header, or renames its table.
    private var headerRepair: Recovery.Repair {
        let isArray = text[start + 1] == .openBracket
        let name = start + (isArray ? 2 : 1)
        var nameEnd = name
        while nameEnd < end, !"]#=\r".utf8.contains(text[nameEnd]) {
            nameEnd = text.endOfString(at: nameEnd) ?? nameEnd + 1
        }
        let isClosed = text[nameEnd] == .closeBracket && (!isArray || text[nameEnd + 1] == .closeBracket)
        let isNamed = offset == start && !isClosed && nameEnd > name
        let written = String(decoding: text.bytes[min(name, nameEnd)..<nameEnd], as: UTF8.self)
        let header = isArray ? "[[\(isNamed ? written : key)]]" : "[\(isNamed ? written : key)]"
        return replace(start..<end, with: header, resumption: end)
    }

    private var statementRepair: Recovery.Repair? {
        guard let assignment else { return unassignedRepair }
        if offset < assignment, text[start] != .slash, text[start] != .semicolon {
            return replace(start..<assignment, with: key, resumption: assignment)
        }
        if text.isTripleQuote(at: offset), text.endOfString(at: offset) == text.count { return multilineRepair }
        return replace(start..<end, with: "", resumption: end)
    }

    /// The offset of the equals sign of the statement, or nil if it has none in its first line.
    private var assignment: Int? {
        let end = text.endOfLine(from: start)
        var place = start
        while place < end {
            if text[place] == .equals { return place }
            if text[place] == .hash || isOpener(place) { return nil }
            place = text.endOfString(at: place) ?? place + 1
        }
        return nil
    }

    private func isOpener(_ place: Int) -> Bool {
        place > start && (text[place] == .openBracket || text[place] == .openBrace)
    }

    /// The repair of a statement without an equals sign. If its value continues on the next lines, only its key is
    /// replaced. A header without its first bracket becomes that of another table.
    private var unassignedRepair: Recovery.Repair {
        var place = start
        while place < end {
            if isOpener(place) || text.isTripleQuote(at: place) {
                guard isContinued(from: place) else { break }
                return replace(start..<place, with: "\(key) = ", resumption: place)
            }
            if text[place] == .closeBracket, text[start].isWordPart {
                return replace(start..<end, with: "[\(key)]", resumption: end)
            }
            place = text.endOfString(at: place) ?? place + 1
        }
        return replace(start..<end, with: "", resumption: end)
    }

    /// Whether the value that starts at a place continues on the next line.
    private func isContinued(from place: Int) -> Bool {
        if text.isTripleQuote(at: place) { return text.endOfString(at: place).map { $0 > end } ?? false }
        let line = Array("=".utf8) + text.bytes[place..<end]
        return !Outline(of: RepairText(bytes: line, format: .toml), to: line.count).open.isEmpty
    }

    /// Ends a string in triple quotes before the next line that looks like a statement.
    private var multilineRepair: Recovery.Repair? {
        guard let line = nextStatement(from: end + 1) else { return nil }
        return replace(line..<line, with: text[offset] == .quote ? "\"\"\"\n" : "'''\n", resumption: line)
    }

    // MARK: Brackets that are not closed

    /// Closes all open brackets before the statement at which the parser noticed that they are open.
    private var closingRepair: Recovery.Repair? {
        for place in [offset, stop] {
            let line = text.startOfText(inLineOf: place)
            let before = Outline(of: text, to: line)
            guard let top = before.open.last, before.string == nil else { continue }
            guard text.isHeader(at: line) || text[top] == .openBracket && text.isPair(at: line) else { continue }
            let closers = before.open.reversed().map { text[$0] == .openBrace ? "}" : "]" }.joined()
            let needsValue = before.expectation(in: text) == .value && before.last.map { text[$0] } == .equals
            return replace(line..<line, with: (needsValue ? "0" : "") + closers + "\n", resumption: line)
        }
        return nil
    }

    private func nextStatement(from start: Int) -> Int? {
        var line = start
        while line < text.count {
            if text.isHeader(at: line) || text.isPair(at: line) { return line }
            line = text.endOfLine(from: line) + 1
        }
        return nil
    }
}

extension RepairText {
    /// Returns whether a line looks like the header of a table from an offset on.
    fileprivate func isHeader(at offset: Int) -> Bool {
        guard self[offset] == .openBracket else { return false }
        var end = offset + (self[offset + 1] == .openBracket ? 2 : 1)
        guard self[end].isLetter || self[end] == .underscore else { return false }
        while self[end].isWordPart || ".- ".utf8.contains(self[end]) { end += 1 }
        guard self[end] == .closeBracket else { return false }
        while self[end] == .closeBracket { end += 1 }
        end = skipBlanks(from: end)
        return end >= count || [.hash, .newline, .carriageReturn].contains(self[end])
    }

    /// Returns whether a line looks like a key and its value from an offset on.
    fileprivate func isPair(at offset: Int) -> Bool {
        var end = offset
        while true {
            if let next = endOfString(at: end), !isTripleQuote(at: end) {
                end = next
            } else if self[end].isWordPart || ".- \t".utf8.contains(self[end]) {
                end += 1
            } else {
                return end > offset && self[end] == .equals
            }
        }
    }
}
