internal import Properties

/// Reads the text of `<integer>` and `<real>`.
enum XMLNumber {
    /// Decimal digits, or hexadecimal ones behind `0x`, of a number that fits 64 bits with or without a sign.
    static func integer(_ text: String, at offset: Int) throws(PlistFault) -> PropertyValue {
        var digits = text.utf8.drop(while: XMLCharacter.isSpace)
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if isHexadecimal { digits = digits.dropFirst(2) }
        guard !digits.isEmpty, digits.allSatisfy({ isDigit($0, isHexadecimal) }) else {
            throw PlistFault(.badInteger(text), at: offset)
        }
        let number = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
        let radix = isHexadecimal ? 16 : 10
        if let integer = Int64(number, radix: radix) { return .integer(integer) }
        if let integer = UInt64(number, radix: radix) { return .unsigned(integer) }
        throw PlistFault(.integerRange(text), at: offset)
    }

    /// A decimal fraction, an exponent, `nan`, `inf` or `infinity`; a finite number must stay one.
    static func real(_ text: String, at offset: Int) throws(PlistFault) -> PropertyValue {
        let trimmed = text.utf8.drop(while: XMLCharacter.isSpace)
        let isNegative = trimmed.first == UInt8(ascii: "-")
        let unsigned = isNegative || trimmed.first == UInt8(ascii: "+") ? trimmed.dropFirst() : trimmed
        func isWord(_ word: String) -> Bool { word.utf8.elementsEqual(unsigned.lazy.map(XMLCharacter.lowercased)) }
        if isWord("inf") || isWord("infinity") { return .double(isNegative ? -.infinity : .infinity) }
        if isWord("nan"), unsigned.count == trimmed.count { return .double(.nan) }
        // `.5` and `5.` are numbers of the format; a zero in front makes the first one Swift's as well.
        guard isDecimal(unsigned), let value = Double("0" + String(decoding: unsigned, as: UTF8.self)) else {
            throw PlistFault(.badReal(text), at: offset)
        }
        guard value.isFinite else { throw PlistFault(.realRange(text), at: offset) }
        return .double(isNegative ? -value : value)
    }

    private static func isDigit(_ byte: UInt8, _ isHexadecimal: Bool = false) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): isHexadecimal
        default: false
        }
    }

    private static func isDecimal(_ text: Substring.UTF8View) -> Bool {
        let integer = text.prefix { isDigit($0) }
        var rest = text[integer.endIndex...]
        var digits = integer.count
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { isDigit($0) }
            digits += fraction.count
            rest = rest[fraction.endIndex...]
        }
        guard digits > 0 else { return false }
        guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return rest.isEmpty }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        return !rest.isEmpty && rest.allSatisfy { isDigit($0) }
    }
}
