import TextBasics

/// Says why a rule of TOML has failed at the cursor.
struct TomlFaults {
    let cursor: Cursor
    /// How many nodes there are so far.
    let nodeCount: Int

    func forKey() -> SyntaxFault {
        let place = cursor.offset
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        switch cursor.byte {
        case UInt8(ascii: "{") where nodeCount == 1: return SyntaxFault(.looksLikeJSON, at: place)
        case UInt8(ascii: "/"): return SyntaxFault(.slashComment, at: place)
        case UInt8(ascii: ";"): return SyntaxFault(.semicolonComment, at: place)
        case UInt8(ascii: "="): return SyntaxFault(isAfterDot ? .missingKeyPart : .missingKey, at: place)
        case UInt8(ascii: ","): return SyntaxFault(.extraComma, at: place)
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            return SyntaxFault(isAfterDot ? .missingKeyPart : .extraBracket, at: place)
        case UInt8(ascii: "."), 0, .newline, .carriageReturn: return SyntaxFault(.missingKeyPart, at: place)
        default: return SyntaxFault(.badKeyCharacter, at: place)
        }
    }

    func forEquals(_ key: SyntaxKey) -> SyntaxFault {
        let place = cursor.offset
        let keyPlace = Int(key.place)
        if cursor.isListItem(at: keyPlace) { return SyntaxFault(.looksLikeYAML, at: keyPlace) }
        if let problem = cursor.strangeCharacter(at: place), !isAtLineEnd {
            return SyntaxFault(problem, at: place)
        }
        let byte = cursor.byte
        if byte == UInt8(ascii: ":") { return SyntaxFault(.colonForEquals, at: place) }
        if byte == UInt8(ascii: "]") { return SyntaxFault(.extraBracket, at: place) }
        let isSpaced = cursor.byte(at: place - 1) == .space || cursor.byte(at: place - 1) == .tab
        let isQuoted = cursor.byte(at: keyPlace).isQuote
        let isEnd = isAtLineEnd || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
        guard isSpaced || isQuoted || isEnd else { return SyntaxFault(.badKeyCharacter, at: place) }
        let isKey = byte.isWordPart || byte == .quote || byte == .apostrophe
        guard isKey, !isQuoted, cursor.restOfLine(from: place, has: UInt8(ascii: "=")) else {
            return SyntaxFault(.missingEquals, at: place, related: keyPlace)
        }
        if cursor.wordText(at: keyPlace) == "export" { return SyntaxFault(.wordBeforeKey, at: keyPlace) }
        return SyntaxFault(.spaceInKey, at: place, related: keyPlace)
    }

    func forValue() -> SyntaxFault {
        let place = cursor.offset
        if isAtLineEnd { return SyntaxFault(.missingValue, at: place) }
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        switch cursor.byte {
        case UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
            return SyntaxFault(.missingValue, at: place)
        case UInt8(ascii: "."): return SyntaxFault(cursor.peek(1).isDigit ? .leadingDot : .unquotedText, at: place)
        case UInt8(ascii: "="), UInt8(ascii: ":"): return SyntaxFault(.unexpected, at: place)
        case let byte where byte.isWordPart:
            return SyntaxFault(cursor.misspeltWord(at: place) ?? .unquotedText, at: place)
        default: return SyntaxFault(.unquotedText, at: place)
        }
    }

    func afterExpression() -> SyntaxFault {
        let place = cursor.offset
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        if let start = cursor.numberStart(before: place) { return SyntaxFault(.badNumber, at: start) }
        switch cursor.byte {
        case UInt8(ascii: ","): return SyntaxFault(.commaAfterPair, at: place)
        case UInt8(ascii: ";"): return SyntaxFault(.semicolonComment, at: place)
        case UInt8(ascii: "/") where cursor.peek(1) == UInt8(ascii: "/") || cursor.peek(1) == UInt8(ascii: "*"):
            return SyntaxFault(.slashComment, at: place)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): return SyntaxFault(.extraBracket, at: place)
        default: return SyntaxFault(.textAfterValue, at: place)
        }
    }

    func forComma(before close: UInt8, open: Int) -> SyntaxFault {
        let place = cursor.offset
        let isArray = close == UInt8(ascii: "]")
        if cursor.isAtEnd { return SyntaxFault(isArray ? .unclosedArray : .unclosedTable, at: open) }
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        if let start = cursor.numberStart(before: place) { return SyntaxFault(.badNumber, at: start) }
        switch cursor.byte {
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            return SyntaxFault(isArray ? .wrongBracketForArray : .wrongBracketForTable, at: place, related: open)
        case UInt8(ascii: "=") where isArray: return SyntaxFault(.unclosedArray, at: open)
        case UInt8(ascii: ":") where isArray: return SyntaxFault(.colonInArray, at: place, related: open)
        case UInt8(ascii: ";"): return SyntaxFault(.semicolon, at: place)
        case UInt8(ascii: "/"): return SyntaxFault(.slashComment, at: place)
        default:
            // A pair on a line of its own: what went before was meant to have ended.
            let isPair = isFirstOnLine && cursor.restOfLine(from: place, has: UInt8(ascii: "="))
            return isArray && isPair ? SyntaxFault(.unclosedArray, at: open) : SyntaxFault(.missingComma, at: place)
        }
    }

    func inHeader(open: Int) -> SyntaxFault {
        let place = cursor.offset
        if isAtLineEnd || cursor.byte == UInt8(ascii: "#") || cursor.byte == UInt8(ascii: "=") {
            let isArray = cursor.byte(at: open + 1) == UInt8(ascii: "[")
            return SyntaxFault(isArray ? .unclosedArrayHeader : .unclosedHeader, at: open)
        }
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        if cursor.byte == UInt8(ascii: "]") { return SyntaxFault(.unclosedArrayHeader, at: open) }
        let isSpaced = cursor.byte(at: place - 1) == .space || cursor.byte(at: place - 1) == .tab
        return SyntaxFault(isSpaced && cursor.byte.isWordPart ? .spaceInKey : .badKeyCharacter, at: place)
    }

    func inString(open: Int) -> SyntaxFault {
        isAtLineEnd
            ? SyntaxFault(.unclosedString, at: open) : faultOfControl(open: open)
    }

    func inMultilineString(open: Int) -> SyntaxFault {
        if cursor.isAtEnd { return SyntaxFault(.unclosedMultilineString, at: open) }
        return faultOfControl(open: open)
    }

    private func faultOfControl(open: Int) -> SyntaxFault {
        let problem: SyntaxFault.Problem = cursor.byte == .carriageReturn ? .bareCarriageReturn : .controlInString
        return SyntaxFault(problem, at: cursor.offset, related: open)
    }

    func forPrefix(start: Int) -> SyntaxFault {
        let prefix = cursor.peek(1)
        let isKnown = "xob".utf8.contains(prefix)
        if cursor.offset > start, isKnown { return SyntaxFault(.signedPrefix, at: start) }
        return SyntaxFault("XOB".utf8.contains(prefix) ? .upperCasePrefix : .badNumber, at: start)
    }

    func forLeadingZero(start: Int) -> SyntaxFault {
        let next = cursor.byte
        if next == UInt8(ascii: "-") || next == UInt8(ascii: ":") { return forNumber(start: start) }
        return SyntaxFault(.leadingZero, at: start)
    }

    func forNumber(start: Int) -> SyntaxFault {
        let place = cursor.offset
        let byte = cursor.byte
        let last = cursor.byte(at: place - 1)
        let hasDigits = place > start && last.isWordPart
        if byte == UInt8(ascii: "_") || hasDigits && last == UInt8(ascii: "_") {
            return SyntaxFault(.strayUnderscore, at: byte == UInt8(ascii: "_") ? place : place - 1)
        }
        if hasDigits {
            switch byte {
            case UInt8(ascii: "-"): return SyntaxFault(.badDate, at: start)
            case UInt8(ascii: ":"): return SyntaxFault(.badTime, at: start)
            default: return SyntaxFault(.badNumber, at: start)
            }
        }
        if byte == UInt8(ascii: ".") { return SyntaxFault(.leadingDot, at: start) }
        if byte.isLetter {
            let problem = cursor.misspeltWord(at: place) ?? .unquotedText
            let isSigned = place > start
            return SyntaxFault(isSigned && problem != .misspeltFloat ? .missingDigits : problem, at: start)
        }
        return SyntaxFault(place > start ? .missingDigits : .missingValue, at: start)
    }

    private var isAfterDot: Bool { lastByte == UInt8(ascii: ".") }

    private var isFirstOnLine: Bool { lastByte == .newline }

    // The last byte before the cursor that is no blank.
    private var lastByte: UInt8? {
        var place = cursor.offset
        while place > 0, cursor.byte(at: place - 1) == .space || cursor.byte(at: place - 1) == .tab { place -= 1 }
        return place > 0 ? cursor.byte(at: place - 1) : nil
    }

    private var isAtLineEnd: Bool {
        cursor.isAtEnd || cursor.byte == .newline
            || cursor.byte == .carriageReturn && cursor.peek(1) == .newline
    }
}
