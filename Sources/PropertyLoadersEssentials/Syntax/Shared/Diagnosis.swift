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

    /// What a word means that stands where a value should, or nil where it is just text without quotes.
    func misspeltWord(at place: Int) -> SyntaxFault.Problem? {
        switch wordText(at: place).lowercased() {
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
