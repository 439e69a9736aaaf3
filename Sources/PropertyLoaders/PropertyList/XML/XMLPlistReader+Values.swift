internal import Properties

// Functions that read the elements whose value is a boolean, a number, a date or data.
extension XMLPlistReader {
    /// Reads `<true/>` or `<false/>`, which must be empty.
    mutating func boolean(_ tag: XMLTag) throws(Diagnostic) -> PropertyValue {
        if tag.form == .start {
            guard cursor.isAt("</") || cursor.isAtEnd else {
                throw Diagnostic(
                    "`<\(tag.name)>` has content", at: tag.offset, expected: "`<\(tag.name)/>`",
                    remedy: "Remove the content")
            }
            try close(tag)
        }
        return .bool(tag.element == .true)
    }

    /// Reads an integer: decimal digits, or hexadecimal digits after `0x`. It must fit in an `Int64` or a `UInt64`.
    mutating func integer(_ tag: XMLTag) throws(Diagnostic) -> PropertyValue {
        let text = try plainText(tag)
        var digits = text.utf8.drop(while: \.isWhitespace)
        let isNegative = digits.first == .minus
        if isNegative || digits.first == .plus { digits = digits.dropFirst() }
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if isHexadecimal { digits = digits.dropFirst(2) }
        guard !digits.isEmpty, digits.allSatisfy({ isHexadecimal ? $0.hexDigit != nil : $0.isDigit }) else {
            throw Diagnostic(
                "\(PrintableText.quoted(text)) is not a valid integer", at: tag.offset,
                expected: "digits, or `0x` and hexadecimal ones, with nothing after them")
        }
        let number = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
        let radix = isHexadecimal ? 16 : 10
        if let integer = Int64(number, radix: radix) { return .integer(integer) }
        if let integer = UInt64(number, radix: radix) { return .unsigned(integer) }
        throw Diagnostic(
            "\(PrintableText.quoted(text)) is out of range", at: tag.offset,
            expected: "an integer from -2^63 to 2^64 - 1", remedy: "Write it as a `<string>`", kind: .unsupported)
    }

    /// Reads a decimal number, `nan`, `inf` or `infinity`. A finite number that overflows is an error.
    mutating func real(_ tag: XMLTag) throws(Diagnostic) -> PropertyValue {
        let text = try plainText(tag)
        let number = String(decoding: text.utf8.drop(while: \.isWhitespace), as: UTF8.self)
        switch number.utf8.count < 10 ? number.lowercased() : "" {
        case "inf", "+inf", "infinity", "+infinity": return .double(.infinity)
        case "-inf", "-infinity": return .double(-.infinity)
        case "nan": return .double(.nan)
        default: break
        }
        // `Double` also accepts hexadecimal numbers, which the format does not have.
        guard number.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }), let value = Double(number) else {
            throw Diagnostic(
                "\(PrintableText.quoted(text)) is not a valid number", at: tag.offset,
                expected: "a number such as `-1.5e3`, with nothing after it")
        }
        guard value.isFinite else {
            throw Diagnostic(
                "\(PrintableText.quoted(text)) is out of range", at: tag.offset,
                expected: "a number that 64 bits hold", remedy: "Write `inf` where infinity is meant",
                kind: .unsupported)
        }
        return .double(value)
    }

    /// Reads a date. The only accepted form is `YYYY-MM-DDTHH:MM:SSZ`, which all writers of property lists use.
    mutating func date(_ tag: XMLTag) throws(Diagnostic) -> PropertyDateTime {
        let text = try plainText(tag)
        let hasForm = text.utf8.count == "2026-11-21T06:30:00Z".utf8.count && text.utf8.last == UInt8(ascii: "Z")
        let scanned = Result { () throws(PropertyDateTime.ScanError) in try PropertyDateTime.scan(text).value }
        switch scanned {
        case .success(let date) where hasForm && date.description.isSame(as: text):
            // In property lists a date is a number of seconds without leap seconds, so a second of 60 is out of range.
            if date.time?.second != 60 { return date }
        case .failure(let error) where hasForm && error.isOutOfRange: break
        default:
            throw Diagnostic(
                "\(PrintableText.quoted(text)) is not a valid date", at: tag.offset,
                expected: "a date such as `2026-11-21T06:30:00Z`")
        }
        throw Diagnostic(
            "\(PrintableText.quoted(text)) does not exist", at: tag.offset,
            expected: "a day of the calendar and a time from 00:00:00 to 23:59:59")
    }

    /// Reads the base64 text of a `<data>` and returns the bytes.
    mutating func data(_ tag: XMLTag) throws(Diagnostic) -> [UInt8] {
        guard tag.form == .start else { return [] }
        let start = cursor.offset
        cursor.skip { $0 != .lessThan }
        let end = cursor.offset
        var text: [UInt8] = []
        var isPadded = false
        for offset in start..<end where !cursor.bytes[offset].isWhitespace {
            let byte = cursor.bytes[offset]
            let isDigit = byte.isLetter || byte.isDigit || byte == .plus || byte == .slash
            guard isDigit || byte == .equals else {
                let character = cursor.text(offset..<min(offset + 4, end)).prefix(1)
                throw Diagnostic(
                    "\(PrintableText.quoted(String(character))) is not a base64 character", at: offset,
                    expected: "`A`-`Z`, `a`-`z`, `0`-`9`, `+`, `/` or `=`")
            }
            if isDigit, isPadded { throw incompleteData(at: offset) }
            isPadded = !isDigit
            text.append(byte)
        }
        guard let data = Base64.bytes(String(decoding: text, as: UTF8.self)) else {
            throw incompleteData(at: tag.offset)
        }
        try close(tag)
        return data
    }

    private func incompleteData(at offset: Int) -> Diagnostic {
        Diagnostic(
            "the base64 text is not valid", at: offset,
            expected: "groups of four characters, padded with `=`, and unused bits of zero")
    }
}
