/// Parses the grammar that `DotEnvPropertyLoader` documents, in one pass and without recursion.
struct DotEnvParser {
    /// An assignment of a value to a name.
    struct Assignment {
        let name: String
        let value: String
        /// The offset of the name.
        let nameOffset: Int
        /// The offset of the value, or of its opening quote.
        let offset: Int
    }

    /// The errors, in the order of the text.
    private(set) var errors: [Diagnostic] = []
    private let bytes: [UInt8]
    private var position: Int

    /// Creates a parser of a text whose lines end in LF.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = UTF8Text.start(of: bytes)
    }

    /// Returns all assignments in the order of the text. After an error, it goes on at the next assignment.
    mutating func parse() -> [Assignment] {
        if UTF8Text.isUTF16(bytes) {
            errors = [error("the text is in UTF-16", at: 0, expected: "UTF-8", remedy: "Save the file in UTF-8")]
            return []
        }
        var assignments: [Assignment] = []
        while true {
            do throws(Diagnostic) {
                while let next = try nextAssignment() { assignments.append(next) }
                return assignments
            } catch {
                errors.append(errors.count < ListLimit.errors ? error : .moreErrors(at: error.offset))
                guard errors.count <= ListLimit.errors, let line = nextLine(after: error) else { return assignments }
                position = line
            }
        }
    }

    private mutating func nextAssignment() throws(Diagnostic) -> Assignment? {
        while true {
            skip { Self.isBlank($0) || $0 == .newline }
            guard let byte = peek() else { return nil }
            guard byte == .hash else { return try assignment() }
            skip { $0 != .newline }
        }
    }

    // assignment = [ "export" blank ] name [ blank ] "=" [ blank ] value [ blank ] [ comment ] line-end
    private mutating func assignment() throws(Diagnostic) -> Assignment {
        var nameOffset = position
        var name = try name()
        skip(Self.isBlank)
        if name == "export", let byte = peek(), Self.startsName(byte) {
            nameOffset = position
            name = try self.name()
            skip(Self.isBlank)
        }
        guard take(UInt8(ascii: "=")) else {
            if let invisible = invisible(expected: "'='") { throw invisible }
            // The message does not show the name: it may be the second line of a secret.
            throw error(
                "no '=' follows the name", expected: "'='",
                remedy: "Write NAME=value, and put a value of several lines in quotes")
        }
        let equals = position
        skip(Self.isBlank)
        let start = position
        let value: String
        switch peek() {
        // A `#` after white space begins a comment. Without white space it begins the value, as in COLOR=#ff0000.
        case UInt8(ascii: "#") where start > equals: value = ""
        case .apostrophe: value = try literal(.apostrophe)
        case .backtick: value = try literal(.backtick)
        case .quote: value = try doubleQuoted()
        default: value = try unquoted()
        }
        try lineEnd(after: start)
        return Assignment(name: name, value: value, nameOffset: nameOffset, offset: start)
    }

    private mutating func name() throws(Diagnostic) -> String {
        guard let first = peek(), Self.startsName(first) else {
            let expected: MessageText = "a name, which begins with a letter or '_'"
            throw invisible(expected: expected) ?? error("no name starts here", expected: expected)
        }
        let start = position
        skip { $0.isWordPart || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    // unquoted = all text up to the end of the line, or up to a "#" after white space; blanks and tabs at both ends are
    // removed
    private mutating func unquoted() throws(Diagnostic) -> String {
        let start = position
        var end = position
        while let byte = peek(), byte != .newline {
            if byte == .hash, end < position { break }
            position += 1
            if !Self.isBlank(byte) { end = position }
        }
        let hasComment = peek() == .hash
        position = end
        let value = try text(Array(bytes[start..<end]), at: start)
        if hasComment { try checkIsClosed(value, at: start) }
        guard let ends = InvisibleEnds(value) else { return value }
        let isAtEnd = value.unicodeScalars.first?.isInvisible != true
        throw error(
            MessageText("the value has \(ends)", quotes: false), at: isAtEnd ? start + ends.trimmed.utf8.count : start,
            expected: "no white space but blanks and tabs around a value without quotes",
            remedy: "Delete it, or put the value in quotes if it belongs to it")
    }

    /// Throws if a value before a comment begins with a bracket or a quotation mark, perhaps after a `$`, that the
    /// value does not close. The comment is then probably a part of the value.
    private func checkIsClosed(_ value: String, at start: Int) throws(Diagnostic) {
        let scalars = Array(value.unicodeScalars.drop { $0 == "$" })
        guard let first = scalars.first, first.isQuotationMark || first.isOpeningBracket else { return }
        var nesting = TextNesting()
        for (index, scalar) in scalars.enumerated() {
            nesting.take(
                scalar, after: index > 0 ? scalars[index - 1] : nil,
                before: index + 1 < scalars.count ? scalars[index + 1] : nil)
            if nesting.isOutside { return }
        }
        let mark = MessageText(String(first), quotes: false)
        let words: MessageText = first.isQuotationMark && !first.isASCII ? "Write straight quotes: " : "Write "
        throw error(
            "the \(mark) at the start of the value is not closed before the comment", at: start,
            expected: "quotes around a value that contains ' #'",
            remedy: "\(words)NAME=\(quotation(of: bytes[start...].prefix { $0 != .newline }))")
    }

    /// Returns an example of quotes that keep every character of a value.
    private func quotation(of value: ArraySlice<UInt8>) -> MessageText {
        if !value.contains(.apostrophe) { return "'…'" }
        return value.contains(.backtick) ? "\"…\", with a backslash before each \" and \\ in it" : "`…`"
    }

    // In single quotes and in backticks, everything is literal.
    private mutating func literal(_ quote: UInt8) throws(Diagnostic) -> String {
        let start = position
        position += 1
        skip { $0 != quote }
        let value = bytes[start + 1..<position]
        guard take(quote) else { throw unclosed(at: start) }
        return try text(Array(value), at: start + 1)
    }

    private mutating func doubleQuoted() throws(Diagnostic) -> String {
        let start = position
        position += 1
        var value: [UInt8] = []
        while let byte = peek(), byte != .quote {
            if byte == .backslash {
                value += try escape()
            } else {
                value.append(byte)
                position += 1
            }
        }
        guard take(.quote) else { throw unclosed(at: start) }
        return try text(value, at: start + 1)
    }

    // escape = "\" ( "n" | "r" | "t" | '"' | "\" | "$" | line break )
    private mutating func escape() throws(Diagnostic) -> [UInt8] {
        let start = position
        position += 1
        let byte = peek()
        position = min(position + 1, bytes.count)
        switch byte {
        case UInt8(ascii: "n"): return [.newline]
        case UInt8(ascii: "r"): return [.carriageReturn]
        case UInt8(ascii: "t"): return [.tab]
        case .quote, .backslash, UInt8(ascii: "$"): return byte.map { [$0] } ?? []
        case .newline: return []
        default:
            throw error(
                "this backslash has no meaning", at: start,
                expected: #"\n, \r, \t, \", \\, \$ or the line's end after it"#,
                remedy: "Write two backslashes for one, or put the value in single quotes")
        }
    }

    private mutating func lineEnd(after start: Int) throws(Diagnostic) {
        let end = position
        skip(Self.isBlank)
        switch peek() {
        case nil, .newline: return
        case UInt8(ascii: "#") where position > end || position == start: skip { $0 != .newline }
        default:
            let isEscaped = bytes[start] != .quote && bytes[end - 2] == .backslash
            let remedy: MessageText? =
                isEscaped ? "Write the value in double quotes: in others no backslash escapes" : nil
            if bytes[start..<end].contains(.newline) { throw closedLater(from: start, at: end - 1, remedy) }
            throw error(
                "text follows the closing quote", expected: "the line's end, or a comment after white space",
                remedy: remedy ?? "Put the whole value in quotes")
        }
    }
}

// MARK: - Bytes

extension DotEnvParser {
    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
        while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
    }

    private func text(_ value: [UInt8], at offset: Int) throws(Diagnostic) -> String {
        guard !value.contains(0), let text = String(validating: value, as: UTF8.self) else {
            throw error(
                "the value is not text: it has a zero byte or invalid UTF-8", at: offset, expected: "text in UTF-8")
        }
        return text
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte.isQuote || byte == .backtick }
    private static func isBlank(_ byte: UInt8) -> Bool { byte == .space || byte == .tab }
    private static func startsName(_ byte: UInt8) -> Bool { byte.isWordPart && !byte.isDigit }
}

// MARK: - Errors

extension DotEnvParser {
    /// Returns the offset of the next line that certainly is an assignment, or nil if there is none.
    private func nextLine(after error: Diagnostic) -> Int? {
        guard let offset = error.offset, offset < bytes.count else { return nil }
        var line = position
        if bytes[offset] == .backslash {
            // An invalid escape: the rest of the value in double quotes is skipped.
            while line < bytes.count, bytes[line] != .quote { line += bytes[line] == .backslash ? 2 : 1 }
            line += 1
        }
        while line < bytes.count, let end = bytes[line...].firstIndex(of: .newline) {
            // A quote without a partner, outside of a comment, may open a value of several lines.
            guard bytes[line..<end].prefix(while: { $0 != .hash }).count(where: Self.isQuote) % 2 == 0 else {
                return nil
            }
            line = end + 1
            let name = bytes[line...].prefix { $0.isWordPart || Self.isBlank($0) || $0 == .minus || $0 == .dot }
            if name.endIndex < bytes.count, bytes[name.endIndex] == .equals, name.contains(where: Self.startsName) {
                return line
            }
        }
        return nil
    }

    private func error(
        _ problem: MessageText, at offset: Int? = nil, expected: MessageText, remedy: MessageText? = nil
    ) -> Diagnostic {
        Diagnostic(problem, at: offset ?? position, expected: expected, remedy: remedy)
    }

    /// Returns the error about an invisible character at the position, or nil if there is none.
    private func invisible(expected: MessageText) -> Diagnostic? {
        let rest = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
        guard let scalar = rest.unicodeScalars.first, scalar.isInvisible, scalar != "\n" else { return nil }
        return error(
            MessageText("there is a \(InvisibleEnds.name(of: scalar)) here, which nobody sees", quotes: false),
            expected: expected, remedy: "Delete it")
    }

    private func unclosed(at start: Int) -> Diagnostic {
        error(
            "the value that starts here has no end", at: start, expected: "a closing \(mark(at: start))",
            remedy: "Close the quote")
    }

    /// Returns the error about a value whose closing quote is missing, so that it ends at a quote of another value.
    private func closedLater(from start: Int, at end: Int, _ remedy: MessageText?) -> Diagnostic {
        Diagnostic(
            "the \(mark(at: start)) that opens here is closed in a later line, and text follows there", at: start,
            expected: "a closing \(mark(at: start)) at the end of the value", remedy: remedy ?? "Close the quote",
            note: ("closed at", end))
    }

    /// Returns the quote at an offset, which is not a part of a value.
    private func mark(at offset: Int) -> MessageText {
        MessageText(String(Unicode.Scalar(bytes[offset])), quotes: false)
    }
}
