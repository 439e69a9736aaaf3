import TextBasics

/// Says why a rule of JSON has failed at a place.
struct JsonFaults {
    let cursor: Cursor
    /// How many nodes there are so far, and the first.
    let nodeCount: Int
    let root: SyntaxNode?

    private var bytes: SourceBytes { cursor.bytes }

    func forValue(at place: Int) -> SyntaxFault {
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        let byte = bytes[place]
        if byte.isWordPart || byte >= 0x80 { return SyntaxFault(problemOfWord(at: place), at: place) }
        switch byte {
        case 0, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return SyntaxFault(.missingValue, at: place)
        case .apostrophe, UInt8(ascii: "`"): return SyntaxFault(.singleQuotedString, at: place)
        case UInt8(ascii: "+"): return SyntaxFault(.plusSign, at: place)
        case UInt8(ascii: ".") where bytes[place + 1].isDigit: return SyntaxFault(.leadingDot, at: place)
        default: return SyntaxFault(problemOfSign(byte), at: place)
        }
    }

    private func problemOfWord(at place: Int) -> SyntaxFault.Problem {
        let end = cursor.endOfName(at: place)
        if nodeCount == 0 {
            if cursor.restOfLine(from: place, has: UInt8(ascii: "=")) { return .looksLikeTOML }
            if cursor.byte(at: end) == UInt8(ascii: ":") { return .looksLikeYAML }
        }
        let isInFirstArray = nodeCount == 1 && root?.kind == .array
        if isInFirstArray, cursor.isHeaderEnd(at: end) { return .looksLikeTOML }
        return cursor.misspeltWord(at: place) ?? .unquotedText
    }

    func afterText(at place: Int) -> SyntaxFault {
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        switch bytes[place] {
        case UInt8(ascii: "]"), UInt8(ascii: "}"): return SyntaxFault(.extraBracket, at: place)
        case UInt8(ascii: "#"): return SyntaxFault(.hashComment, at: place)
        case UInt8(ascii: ":"):
            guard let root, root.kind == .string else { return SyntaxFault(.textAfterDocument, at: place) }
            return SyntaxFault(.keyOutsideObject, at: Int(root.place))
        default: return SyntaxFault(.textAfterDocument, at: place)
        }
    }

    func forKey(at place: Int, open: Int) -> SyntaxFault {
        if place >= cursor.count { return SyntaxFault(.unclosedTable, at: open) }
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        let byte = bytes[place]
        if byte.isLetter || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80 {
            return SyntaxFault(.unquotedKey, at: place)
        }
        switch byte {
        case UInt8(ascii: ","): return SyntaxFault(.extraComma, at: place)
        case UInt8(ascii: "]"): return SyntaxFault(.wrongBracketForTable, at: place, related: open)
        case .apostrophe, UInt8(ascii: "`"): return SyntaxFault(.singleQuotedString, at: place)
        case UInt8(ascii: ":"): return SyntaxFault(.missingKey, at: place)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return SyntaxFault(.keyNotString, at: place)
        default: return SyntaxFault(problemOfSign(byte), at: place)
        }
    }

    func forColon(at place: Int, key: Int) -> SyntaxFault {
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        let problem: SyntaxFault.Problem = bytes[place] == UInt8(ascii: "=") ? .equalsForColon : .missingColon
        return SyntaxFault(problem, at: place, related: key)
    }

    func forSeparator(at place: Int, before close: UInt8, open: Int) -> SyntaxFault {
        let isArray = close == UInt8(ascii: "]")
        if place >= cursor.count { return SyntaxFault(isArray ? .unclosedArray : .unclosedTable, at: open) }
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        if let start = cursor.numberStart(before: place) { return SyntaxFault(.badNumber, at: start) }
        switch bytes[place] {
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            return SyntaxFault(isArray ? .wrongBracketForArray : .wrongBracketForTable, at: place, related: open)
        case UInt8(ascii: ":") where isArray: return SyntaxFault(.colonInArray, at: place, related: open)
        case UInt8(ascii: ";"): return SyntaxFault(.semicolon, at: place)
        case UInt8(ascii: "#"): return SyntaxFault(.hashComment, at: place)
        case .quote, .apostrophe, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "-"):
            return SyntaxFault(.missingComma, at: place)
        case let byte where byte.isWordPart: return SyntaxFault(.missingComma, at: place)
        default: return SyntaxFault(.unexpectedAfterValue, at: place)
        }
    }

    private func problemOfSign(_ byte: UInt8) -> SyntaxFault.Problem {
        byte == UInt8(ascii: "#") ? .hashComment : .unexpected
    }

    // RFC 8259 7: control characters are escaped, line ends among them.
    func inString(at place: Int, open: Int) -> SyntaxFault {
        let isLineEnd = bytes[place] == .newline || bytes[place] == .carriageReturn
        if place >= cursor.count || isLineEnd { return SyntaxFault(.unclosedString, at: open) }
        return SyntaxFault(.controlInString, at: place)
    }

    func inNumber(at place: Int, start: Int) -> SyntaxFault {
        if nodeCount == 0, cursor.isListItem(at: start) { return SyntaxFault(.looksLikeYAML, at: start) }
        let byte = bytes[place]
        let hasDigits = bytes[place - 1].isDigit
        if hasDigits {
            let isPrefix = bytes[place - 1] == UInt8(ascii: "0") && "xXoObB".utf8.contains(byte)
            if isPrefix { return SyntaxFault(.noRadix, at: start) }
            return SyntaxFault(byte == UInt8(ascii: "_") ? .noUnderscore : .badNumber, at: start)
        }
        if byte == UInt8(ascii: ".") { return SyntaxFault(.leadingDot, at: start) }
        let problem = byte.isLetter ? cursor.misspeltWord(at: place) : nil
        return SyntaxFault(problem == .misspeltFloat ? .misspeltFloat : .missingDigits, at: start)
    }
}
