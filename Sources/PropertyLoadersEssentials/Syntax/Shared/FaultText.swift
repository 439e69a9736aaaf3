import Properties

/// The one place that puts what is wrong with a text into words.
struct FaultText {
    let fault: SyntaxFault
    let format: SyntaxFormat
    let source: PropertySource
    let bytes: [UInt8]
    let limits: SyntaxLimits

    /// The fault as an error that a person can act on.
    var error: PropertyLoadError {
        let words = words
        var notes: [PropertyLoadError.Note] = []
        if let note = words.note, let related = fault.related {
            notes.append(PropertyLoadError.Note(note, at: PropertyOrigin(source: source, place: related)))
        }
        return PropertyLoadError(
            words.reason, words.problem, at: PropertyOrigin(source: source, place: fault.offset),
            expected: words.expected, remedy: words.remedy, notes: notes)
    }

    /// The message's parts; `note` says what the second place is.
    struct Words {
        var problem: String
        var expected: String?
        var remedy: String?
        var note: String?
        var reason: PropertyLoadError.Reason = .syntax
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
                problem: "the string that starts here has no end", expected: "\(character) before the end of the line")
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
                remedy: format == .json
                    ? "Write `\\\\` for a backslash"
                    : "Write `\\\\` for a backslash, or put the text in single quotes, where it stands for itself")
        case .badHexEscape:
            Words(
                problem: "the escape \(quoted(text(length: 2))) lacks digits",
                expected: "\(["x": "2", "u": "4"][bytes(1, 1)] ?? "8") hexadecimal digits after it")
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
    private var table: String { format == .json ? "object" : "inline table" }

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
            Words(problem: "no value follows the key", expected: "`=` and a value", note: "the key is at")
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

// MARK: - Values and numbers

extension FaultText {
    private var valueWords: Words? {
        switch fault.problem {
        case .missingValue:
            Words(problem: "a value is missing", expected: "a string, a number, a boolean, an array or an \(table)")
        case .unquotedText:
            Words(problem: "the text \(here) has no quotes", expected: "a value", remedy: "Put text in quotes")
        case .misspeltTrue: Words(problem: "\(here) is no value", expected: "`true`, or text in quotes")
        case .misspeltFalse: Words(problem: "\(here) is no value", expected: "`false`, or text in quotes")
        case .misspeltNull:
            format == .json
                ? Words(problem: "\(here) is no value", expected: "`null`, or text in quotes")
                : Words(
                    problem: "\(here) is no value: TOML has no null", remedy: "Leave the key out, or put text in quotes"
                )
        case .misspeltFloat:
            format == .json
                ? Words(problem: "JSON has no number \(here)", expected: "a finite number, or `null`")
                : Words(problem: "\(here) is no number", expected: "`inf` or `nan`, in lower case")
        default: nil
        }
    }

    private var numberWords: Words? {
        switch fault.problem {
        case .leadingZero:
            Words(
                problem: "the number starts with a zero", expected: "a number without leading zeros",
                remedy: "Remove the zeros, or put it in quotes if it is no number")
        case .plusSign: Words(problem: "the number starts with a plus sign", remedy: "Remove the sign")
        case .leadingDot: Words(problem: "the number starts with its point", expected: "a digit before it, as in `0.5`")
        case .missingFraction: Words(problem: "no digit follows the point", expected: "a digit, as in `1.0`")
        case .missingExponent: Words(problem: "the exponent has no digits", expected: "a whole number after the `e`")
        case .missingDigits: Words(problem: "no number follows the sign", expected: "a digit")
        case .strayUnderscore: Words(problem: "an underscore is not between two digits", remedy: "Remove it")
        case .noUnderscore: Words(problem: "there is an underscore in the number", remedy: "Remove it")
        case .noRadix: Words(problem: "the number has a prefix", expected: "a decimal number")
        case .upperCasePrefix: Words(problem: "the number's prefix is in upper case", expected: "`0x`, `0o` or `0b`")
        case .signedPrefix:
            Words(problem: "the number has a sign and a prefix", remedy: "Remove the sign, or write it in decimal")
        case .badRadixDigit:
            Words(problem: "\(character) is no digit of this number", expected: radixDigits, note: "it starts at")
        case .badNumber: Words(problem: "\(here) is no number", expected: "a number, or text in quotes")
        case .integerTooLarge:
            Words(
                problem: "the integer does not fit 64 bits", expected: "\(Int64.min) to \(Int64.max)",
                remedy: "Put it in quotes if it is no number", reason: .unsupported)
        case .floatTooLarge:
            Words(
                problem: "the number is too large for a 64-bit float", expected: "less than 1.8e308",
                remedy: "Put it in quotes if it is no number", reason: .unsupported)
        default: nil
        }
    }

    private var radixDigits: String {
        switch fault.related.map({ bytes(Int($0) - Int(fault.offset) + 1, 1) }) {
        case "x": "digits from 0 to 9 and from a to f"
        case "o": "digits from 0 to 7"
        default: "the digits 0 and 1"
        }
    }
}

// MARK: - Dates and tables

extension FaultText {
    private var dateWords: Words? {
        switch fault.problem {
        case .badDate: Words(problem: "\(here) is no date", expected: "year, month and day, as in `2026-11-21`")
        case .badTime:
            Words(problem: "\(here) is no time", expected: "hours and minutes, as in `06:30` or `06:30:00.5`")
        case .badOffset: Words(problem: "\(here) is no offset from UTC", expected: "`Z`, or an offset as in `+01:00`")
        case .noSuchDate:
            Words(problem: "there is no day \(quoted(text(length: 10)))", expected: "a day of the calendar")
        case .noSuchTime: Words(problem: "there is no time \(here)", expected: "00:00:00 to 23:59:59")
        case .noSuchOffset: Words(problem: "there is no offset \(here)", expected: "-23:59 to +23:59")
        default: nil
        }
    }

    private var tableWords: Words? {
        switch fault.problem {
        case .duplicateKey:
            duplicate("the key \(key) is defined twice", "Remove one of the two")
        case .tableTwice:
            duplicate("the table \(key) is defined twice", "Put all its keys under one header")
        case .tableIsInline:
            duplicate("the table \(key) is closed: it was written in braces", "Put the new keys into the braces")
        case .tableIsDefined:
            duplicate("the table \(key) has a header of its own", "Put the key under that header")
        case .tableIsDotted:
            duplicate("the table \(key) was defined by dotted keys", "Add to it there, with dotted keys")
        case .notATable:
            duplicate("the key \(key) has a value that is no table", "Choose another name for one of the two")
        case .arrayIsStatic:
            duplicate("the array \(key) is closed: it was written in brackets", "Put the new table into the brackets")
        case .arrayIsTable:
            duplicate("\(key) is an array of tables", "Write its header in double brackets, or choose another name")
        case .tableIsArray:
            duplicate("\(key) is a table and no array of tables", "Choose another name for one of the two")
        case .arrayInDottedKey:
            duplicate("a dotted key leads into the array of tables \(key)", "Put the key under that array's header")
        default: nil
        }
    }

    private func duplicate(_ problem: String, _ remedy: String) -> Words {
        Words(problem: problem, remedy: remedy, note: "first at", reason: .duplicate)
    }
}
