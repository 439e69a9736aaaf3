import TextBasics

/// The one place that puts what is wrong with a text into words.
struct FaultText {
    let fault: SyntaxFault
    let format: SyntaxFormat
    let name: String
    let source: SourceText
    let bytes: [UInt8]
    let limits: SyntaxLimits

    /// The fault as an error that a person can act on.
    var error: SyntaxError {
        let words = words
        var note: SyntaxError.Note?
        if let text = words.note, let related = fault.related {
            note = SyntaxError.Note(text: text, offset: Int(related))
        }
        return SyntaxError(
            reason: words.reason, name: name, source: source, offset: Int(fault.offset), problem: words.problem,
            expected: words.expected, remedy: words.remedy, note: note)
    }

    /// The message's parts; `note` says what the second place is.
    struct Words {
        var problem: String
        var expected: String?
        var remedy: String?
        var note: String?
        var reason: SyntaxError.Reason = .syntax
    }

    private var words: Words {
        documentWords ?? characterWords ?? stringWords ?? bracketWords ?? separatorWords ?? keyWords ?? valueWords
            ?? numberWords ?? dateWords ?? tableWords
            ?? Words(problem: "\(character) does not belong here", expected: "a value")
    }
}

// MARK: - The text as a whole, and characters

extension FaultText {
    private var documentWords: Words? {
        switch fault.problem {
        case .tooDeep:
            Words(
                problem: "more than \(limits.depth) arrays and tables stand inside each other",
                remedy: "Make the document flatter, or raise the depth in the loader's limits", reason: .limit)
        case .invalidUTF8:
            Words(
                problem: "the byte 0x\(hex(byte, 2)) is no UTF-8 here", expected: "text in UTF-8",
                remedy: "Save the file in UTF-8")
        case .utf16:
            Words(problem: "the text is in UTF-16", expected: "UTF-8", remedy: "Save the file in UTF-8")
        case .emptyDocument:
            Words(problem: "the document is empty", expected: "a value", remedy: "Write {} for no properties")
        case .mergeConflict:
            Words(
                problem: "a merge conflict was left here",
                remedy: "Keep one side, and delete the lines of `<<<<<<<`, `=======` and `>>>>>>>`")
        case .looksLikeJSON:
            Words(
                problem: "this looks like JSON", expected: "TOML, such as `key = \"value\"`",
                remedy: "Load it as JSON, or write it as TOML")
        case .looksLikeTOML:
            Words(
                problem: "this looks like TOML", expected: "JSON, such as `{\"key\": \"value\"}`",
                remedy: "Load it as TOML, or write it as JSON")
        case .looksLikeYAML:
            Words(
                problem: "this looks like YAML",
                expected: format == .json ? "JSON, such as `{\"key\": \"value\"}`" : "TOML, such as `key = \"value\"`",
                remedy: "Write it as \(format == .json ? "JSON" : "TOML")")
        case .keyOutsideObject:
            Words(
                problem: "a key stands outside of all objects", expected: "`{` before the first key",
                remedy: "Put all keys and their values into braces")
        case .textAfterDocument:
            Words(
                problem: "the document has ended, and there is more text", expected: "one value and nothing after it",
                remedy: "Put several values into one array or object")
        default: nil
        }
    }

    private var characterWords: Words? {
        switch fault.problem {
        case .unexpectedAfterValue:
            Words(problem: "\(character) does not belong here", expected: "`,` or the closing bracket")
        case .loneSlash: Words(problem: "one `/` is no comment", expected: "`//` or `/* */`")
        case .controlCharacter:
            Words(problem: "there is a control character, \(codePoint)", remedy: "Delete it")
        case .bareCarriageReturn:
            Words(
                problem: "a carriage return stands here with no line feed behind it",
                expected: "line ends of LF or CRLF", remedy: "Save the file with one of these line ends")
        case .nonASCIISpace:
            Words(
                problem: "there is a blank of another kind, \(codePoint)",
                remedy: "Type a plain space, or nothing, instead")
        case .smartQuote:
            Words(
                problem: "there is a typographic quote, \(character)", expected: "a plain quote, `\"`",
                remedy: "Type the quotes at both ends anew")
        case .byteOrderMark:
            Words(
                problem: "there is a byte order mark inside the text",
                remedy: "Delete this invisible character: it may stand only at the very start")
        default: nil
        }
    }
}

// MARK: - Strings

extension FaultText {
    private var stringWords: Words? {
        switch fault.problem {
        case .unclosedString:
            Words(
                problem: "the string that starts here has no end", expected: "\(character) before the end of the line",
                remedy: remedyAtLineEnd)
        case .unclosedMultilineString:
            Words(
                problem: "the string that starts here has no end",
                expected: "\(quoted(String(repeating: text(length: 1), count: 3))) before the end of the file")
        case .singleQuotedString:
            Words(problem: "the string is in quotes of another kind, \(character)", expected: "double quotes, `\"`")
        case .controlInString:
            Words(
                problem: "the string holds a control character, \(codePoint)", expected: "an escape",
                remedy: isInLiteral
                    ? "Put the text in double quotes and write \(quoted(escape))" : "Write \(quoted(escape)) instead")
        case .unknownEscape:
            Words(
                problem: character(at: 1).map { "there is no escape \(quoted("\\" + $0))" }
                    ?? "a backslash stands before \(codePoint(at: 1))",
                remedy: remedyForBackslash)
        case .badHexEscape:
            Words(
                problem: "the escape \(quoted(text(length: 2))) lacks digits",
                expected: "\(["x": "2", "u": "4"][bytes(1, 1)] ?? "8") hexadecimal digits after it",
                remedy: remedyForBackslash)
        case .loneSurrogate:
            Words(
                problem: "the escape is half of a surrogate pair",
                expected: format == .json ? "both halves, as in `\\ud83d\\ude00`" : "one character, as in `\\U0001F600`"
            )
        case .noScalar:
            Words(problem: "the escape names no character", expected: "a number up to 10FFFF")
        case .endlessQuotes:
            Words(
                problem: "more than five quotes stand in a row",
                expected: "at most two quotes and then the three that end the string",
                remedy: "Escape those that belong to the text")
        case .lineEndEscape:
            Words(
                problem: "a blank follows the backslash, and then the line goes on",
                expected: "the end of the line, or an escape", remedy: "Write `\\\\` for a backslash")
        default: nil
        }
    }

    private var remedyForBackslash: String {
        format == .json
            ? "Write `\\\\` for a backslash"
            : "Write `\\\\` for a backslash, or put the text in single quotes, where it stands for itself"
    }

    // What looks like the end of a string that has none.
    private var remedyAtLineEnd: String? {
        let line = bytes[Int(fault.offset)...].prefix { $0 != .newline && $0 != .carriageReturn }
        let text = String(decoding: line.suffix(4), as: UTF8.self)
        let isLiteral = byte == .apostrophe
        if !isLiteral, text.dropLast(text.hasSuffix(",") ? 1 : 0).hasSuffix("\\\"") {
            return "Write `\\\\` for a backslash: the quote behind one is part of the text"
        }
        if !isLiteral, format == .toml, text.hasSuffix("\\"), line.endIndex < bytes.count {
            return "Put text of several lines in triple quotes, `\"\"\"`"
        }
        guard let last = text.unicodeScalars.last, (0x2018...0x201F).contains(last.value) else { return nil }
        return "Type the quote at the end anew: it is a typographic one"
    }

    // TOML 1.1, String: a literal string has no escapes.
    private var isInLiteral: Bool {
        fault.related.map { bytes(Int($0) - Int(fault.offset), 1) == "'" } ?? false
    }

    private var escape: String {
        switch byte {
        case .tab: "\\t"
        case .newline: "\\n"
        default: "\\u\(hex(byte, 4))"
        }
    }
}

// MARK: - Brackets, commas, comments

extension FaultText {
    var table: String { format == .json ? "object" : "inline table" }

    private var bracketWords: Words? {
        switch fault.problem {
        case .unclosedArray: Words(problem: "the array that opens here is never closed", expected: "a `]`")
        case .unclosedTable: Words(problem: "the \(table) that opens here is never closed", expected: "a `}`")
        case .wrongBracketForArray:
            Words(problem: "\(character) cannot close an array", expected: "`]`", note: "opened at")
        case .wrongBracketForTable:
            Words(problem: "\(character) cannot close an \(table)", expected: "`}`", note: "opened at")
        case .extraBracket:
            Words(
                problem: "\(character) closes what was never opened", remedy: "Remove it, or look for a missing bracket"
            )
        default: nil
        }
    }

    private var separatorWords: Words? {
        switch fault.problem {
        case .extraComma: Words(problem: "there is a comma too many", expected: "a value", remedy: "Remove this comma")
        case .trailingComma:
            Words(
                problem: "a comma follows the last value", expected: "the closing bracket",
                remedy: "Remove this comma")
        case .commaAfterPair:
            Words(
                problem: "a comma follows the value", expected: "the end of the line",
                remedy: "Remove the comma: each key stands on a line of its own")
        case .colonInArray:
            Words(
                problem: "a key stands in an array", expected: "values alone",
                remedy: "Put the key and its value into braces, or make the array an \(table)", note: "opened at")
        case .missingComma:
            Words(
                problem: "there is no comma before \(here)", expected: "`,` between two values",
                remedy: "Add it, or look for a missing quote before this place")
        case .semicolon: Words(problem: "a semicolon separates two values", expected: "a comma")
        case .missingColon:
            Words(
                problem: "no colon follows the key", expected: "`:` and a value",
                remedy: "Add it, or look for a missing quote before this place", note: "the key is at")
        case .equalsForColon: Words(problem: "`=` follows the key", expected: "`:`")
        case .colonForEquals: Words(problem: "`:` follows the key", expected: "`=`")
        case .unclosedComment: Words(problem: "the comment that starts here has no end", expected: "a `*/`")
        case .commentsOff:
            Words(
                problem: "there is a comment", expected: "JSON without comments",
                remedy: "Remove the comment, or allow comments")
        case .hashComment: Words(problem: "`#` begins no comment in JSON", expected: "`//` or `/* */`")
        case .slashComment: Words(problem: "`/` begins no comment in TOML", expected: "`#`")
        case .semicolonComment:
            Words(
                problem: "a semicolon stands here", expected: "the end of the line",
                remedy: "Remove it; a comment begins with `#`")
        default: nil
        }
    }
}

// MARK: - Keys

extension FaultText {
    private var keyWords: Words? {
        switch fault.problem {
        case .missingKey: Words(problem: "there is no key before \(character)", expected: "a key")
        case .missingEquals:
            Words(problem: "no `=` follows the key", expected: "`=` and a value", note: "the key is at")
        case .wordBeforeKey:
            Words(problem: "\(here) stands before the key", expected: "a key alone", remedy: "Remove this word")
        case .unquotedKey:
            Words(
                problem: "the key \(key) has no quotes", expected: "a key in double quotes",
                remedy: "Put quotes around the key, or look for a missing quote before it")
        case .keyNotString: Words(problem: "this key is no string", expected: "a key in double quotes")
        case .badKeyCharacter:
            Words(
                problem: "\(character) cannot stand in a key without quotes",
                expected: "letters, digits, `_` or `-`", remedy: "Put the key in quotes")
        case .spaceInKey:
            Words(
                problem: "a key without quotes has a space in it, before \(here)",
                expected: "\(fault.related == nil ? "`]`" : "`=`") or `.`",
                remedy: "Put the key in quotes", note: "the key is at")
        case .missingKeyPart:
            Words(problem: "a part of the key is missing here", expected: "a name on both sides of each dot")
        case .multilineKey:
            Words(problem: "the key is a multi-line string", expected: "a key in single quotes or double")
        case .unclosedHeader: Words(problem: "the table header that opens here is never closed", expected: "a `]`")
        case .unclosedArrayHeader:
            Words(problem: "the table header that opens here is never closed", expected: "`]]`, with no space in it")
        case .emptyHeader: Words(problem: "the table header is empty", expected: "a key between the brackets")
        case .textAfterValue:
            Words(
                problem: "there is more text on this line, \(here)", expected: "the end of the line",
                remedy: "Put each key on a line of its own, and look for a missing quote before this place")
        default: nil
        }
    }
}
