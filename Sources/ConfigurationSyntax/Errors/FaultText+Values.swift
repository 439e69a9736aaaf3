// What is said of values, numbers, dates and tables.
extension FaultText {
    var valueWords: Words? {
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

    var numberWords: Words? {
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
    var dateWords: Words? {
        switch fault.problem {
        case .badDate:
            Words(
                problem: "\(here) is no date", expected: "year, month and day, as in `2026-11-21`",
                remedy: "Put it in quotes if it is meant as text")
        case .badTime:
            Words(
                problem: "\(here) is no time", expected: "hours and minutes, as in `06:30` or `06:30:00.5`",
                remedy: "Put it in quotes if it is meant as text")
        case .badOffset: Words(problem: "\(here) is no offset from UTC", expected: "`Z`, or an offset as in `+01:00`")
        case .noSuchDate:
            Words(problem: "there is no day \(quoted(text(length: 10)))", expected: "a day of the calendar")
        case .noSuchTime:
            Words(
                problem: "there is no time \(here)", expected: "00:00:00 to 23:59:59",
                remedy: "Put it in quotes if it is meant as text")
        case .noSuchOffset: Words(problem: "there is no offset \(here)", expected: "-23:59 to +23:59")
        default: nil
        }
    }

    var tableWords: Words? {
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
