import TextBasics

// A closer look at a place where a rule has failed, to say what a person most likely meant.
extension Cursor {
    /// What is wrong with a character that is wrong in every place outside strings and comments, or nil.
    func strangeCharacter(at place: Int) -> SyntaxFault.Problem? {
        guard place < count else { return nil }
        if isConflictMarker(at: place) { return .mergeConflict }
        let first = byte(at: place)
        let second = byte(at: place + 1)
        let third = byte(at: place + 2)
        switch first {
        case .newline, .tab: return nil
        case .carriageReturn: return second == .newline ? nil : .bareCarriageReturn
        case ..<0x20, .delete: return .controlCharacter
        // U+00A0 NO-BREAK SPACE.
        case 0xC2 where second == 0xA0: return .nonASCIISpace
        // U+2018 to U+201F: quotation marks; U+2000 to U+200F, U+202F and U+2060: spaces and what has no width.
        case 0xE2 where second == 0x80 && (0x98...0x9F).contains(third): return .smartQuote
        case 0xE2 where second == 0x80 && (third <= 0x8F || third == 0xAF): return .nonASCIISpace
        case 0xE2 where second == 0x81 && third == 0xA0: return .nonASCIISpace
        // U+3000 IDEOGRAPHIC SPACE, U+FEFF BYTE ORDER MARK.
        case 0xE3 where second == 0x80 && third == 0x80: return .nonASCIISpace
        case 0xEF where second == 0xBB && third == 0xBF: return .byteOrderMark
        default: return nil
        }
    }

    /// Whether a line starts here with what a merge left behind: seven times `<`, `=`, `>` or `|`.
    func isConflictMarker(at place: Int) -> Bool {
        let first = byte(at: place)
        guard place == 0 || byte(at: place - 1) == .newline, [0x3C, 0x3D, 0x3E, 0x7C].contains(first) else {
            return false
        }
        return (place..<place + 7).allSatisfy { byte(at: $0) == first } && byte(at: place + 7) != first
    }

    /// Whether an item of a YAML list (`- a`) or a YAML document (`---`) starts here.
    func isListItem(at place: Int) -> Bool {
        var end = place
        while end < place + 3, byte(at: end) == UInt8(ascii: "-") { end += 1 }
        return (end == place + 1 || end == place + 3) && byte(at: end) <= .space
    }

    /// Where a number begins that ends right before a place, where a byte stands that was meant to belong to it
    /// (`12:30`, `10%`, `1/2`); or nil.
    func numberStart(before place: Int) -> Int? {
        guard place > 0, byte(at: place - 1).isDigit else { return nil }
        switch byte(at: place) {
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "%"), 0x80...: break
        case UInt8(ascii: ":"), UInt8(ascii: "/"):
            guard byte(at: place + 1).isDigit else { return nil }
        default: return nil
        }
        var start = place
        while start > 0, byte(at: start - 1).isWordPart || "+-.:".utf8.contains(byte(at: start - 1)) { start -= 1 }
        // The colon before a value is none of its own.
        while byte(at: start) == UInt8(ascii: ":") { start += 1 }
        let first = byte(at: start)
        return first.isDigit || first == UInt8(ascii: "+") || first == UInt8(ascii: "-") ? start : nil
    }

    /// Where the letters, digits, underscores, dashes and dots end that stand at a place.
    func endOfName(at place: Int) -> Int {
        var end = place
        while byte(at: end).isWordPart || byte(at: end) == UInt8(ascii: "-") || byte(at: end) == UInt8(ascii: ".") {
            end += 1
        }
        return end
    }

    /// Whether a TOML table header ends here: the bracket, the end of the line, and more lines.
    func isHeaderEnd(at place: Int) -> Bool {
        guard byte(at: place) == UInt8(ascii: "]") else { return false }
        var end = place + 1
        while byte(at: end) == .space || byte(at: end) == .tab { end += 1 }
        guard byte(at: end) == .newline || byte(at: end) == .carriageReturn else { return false }
        while end < count, byte(at: end) <= .space { end += 1 }
        return end < count
    }

    /// What a word means that stands where a value should, or nil where it is just text without quotes.
    func misspeltWord(at place: Int) -> SyntaxFault.Problem? {
        let word = wordText(at: place)
        // A letter before a quote is no word: `f'x'`.
        guard !byte(at: place + word.utf8.count).isQuote else { return nil }
        return switch word.lowercased() {
        case "true", "tru", "ture", "yes", "on", "y", "t": .misspeltTrue
        case "false", "fals", "flase", "no", "off", "n", "f": .misspeltFalse
        case "null", "nul", "nil", "none", "undefined": .misspeltNull
        case "nan", "inf", "infinity": .misspeltFloat
        default: nil
        }
    }

    /// The letters, digits and underscores from a place on, as far as a message shows them.
    func wordText(at place: Int) -> String {
        var end = place
        while end < count, end - place < 40, byte(at: end).isWordPart { end += 1 }
        return String(decoding: (place..<end).map { byte(at: $0) }, as: UTF8.self)
    }

    /// Whether the rest of the line has a byte.
    func restOfLine(from place: Int, has wanted: UInt8) -> Bool {
        var place = place
        while place < count, byte(at: place) != .newline {
            if byte(at: place) == wanted { return true }
            place += 1
        }
        return false
    }
}
