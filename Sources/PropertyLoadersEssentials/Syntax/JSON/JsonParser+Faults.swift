// Why a rule of JSON has failed at the cursor.
extension JsonParser {
    func faultForValue() -> SyntaxFault {
        let place = cursor.offset
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        let byte = cursor.byte
        if byte.isWordPart || byte >= 0x80 { return SyntaxFault(faultForWord(at: place), at: place) }
        switch byte {
        case 0, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): return SyntaxFault(.missingValue, at: place)
        case .apostrophe, UInt8(ascii: "`"): return SyntaxFault(.singleQuotedString, at: place)
        case UInt8(ascii: "+"): return SyntaxFault(.plusSign, at: place)
        case UInt8(ascii: ".") where cursor.peek(1).isDigit: return SyntaxFault(.leadingDot, at: place)
        default: return SyntaxFault(problemOfSign(byte), at: place)
        }
    }

    private func faultForWord(at place: Int) -> SyntaxFault.Problem {
        let end = cursor.endOfName(at: place)
        if document.nodes.count == 0 {
            if cursor.restOfLine(from: place, has: UInt8(ascii: "=")) { return .looksLikeTOML }
            if cursor.byte(at: end) == UInt8(ascii: ":") { return .looksLikeYAML }
        }
        let isInFirstArray = document.nodes.count == 1 && document.nodes[0].kind == .array
        if isInFirstArray, cursor.isHeaderEnd(at: end) { return .looksLikeTOML }
        return cursor.misspeltWord(at: place) ?? .unquotedText
    }

    func faultAfterText() -> SyntaxFault {
        let place = cursor.offset
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        switch cursor.byte {
        case UInt8(ascii: "]"), UInt8(ascii: "}"): return SyntaxFault(.extraBracket, at: place)
        case UInt8(ascii: "#"): return SyntaxFault(.hashComment, at: place)
        case UInt8(ascii: ":") where document.nodes[0].kind == .string:
            return SyntaxFault(.keyOutsideObject, at: Int(document.nodes[0].place))
        default: return SyntaxFault(.textAfterDocument, at: place)
        }
    }

    func faultForKey(open: Int) -> SyntaxFault {
        let place = cursor.offset
        if cursor.isAtEnd { return SyntaxFault(.unclosedTable, at: open) }
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        let byte = cursor.byte
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

    func faultForColon(key: Int) -> SyntaxFault {
        let place = cursor.offset
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        let problem: SyntaxFault.Problem = cursor.byte == UInt8(ascii: "=") ? .equalsForColon : .missingColon
        return SyntaxFault(problem, at: place, related: key)
    }

    func faultForSeparator(before close: UInt8, open: Int) -> SyntaxFault {
        let place = cursor.offset
        let isArray = close == UInt8(ascii: "]")
        if cursor.isAtEnd { return SyntaxFault(isArray ? .unclosedArray : .unclosedTable, at: open) }
        if let problem = cursor.strangeCharacter(at: place) { return SyntaxFault(problem, at: place) }
        if let start = cursor.numberStart(before: place) { return SyntaxFault(.badNumber, at: start) }
        switch cursor.byte {
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
    func faultInString(open: Int) -> SyntaxFault {
        let isLineEnd = cursor.byte == .newline || cursor.byte == .carriageReturn
        if cursor.isAtEnd || isLineEnd { return SyntaxFault(.unclosedString, at: open) }
        return SyntaxFault(.controlInString, at: cursor.offset)
    }

    func faultInNumber(start: Int) -> SyntaxFault {
        if document.nodes.count == 0, cursor.isListItem(at: start) { return SyntaxFault(.looksLikeYAML, at: start) }
        let byte = cursor.byte
        let hasDigits = cursor.byte(at: cursor.offset - 1).isDigit
        if hasDigits {
            let isPrefix = cursor.byte(at: cursor.offset - 1) == UInt8(ascii: "0") && "xXoObB".utf8.contains(byte)
            if isPrefix { return SyntaxFault(.noRadix, at: start) }
            return SyntaxFault(byte == UInt8(ascii: "_") ? .noUnderscore : .badNumber, at: start)
        }
        if byte == UInt8(ascii: ".") { return SyntaxFault(.leadingDot, at: start) }
        let problem = byte.isLetter ? cursor.misspeltWord(at: cursor.offset) : nil
        return SyntaxFault(problem == .misspeltFloat ? .misspeltFloat : .missingDigits, at: start)
    }
}
