/// Checks the text of `<integer>` and `<real>`.
enum XMLNumber {
    /// Decimal digits, or hexadecimal ones behind `0x`, of a number that fits 64 bits with or without a sign.
    static func checkInteger(_ text: String, at offset: Int) throws(PlistFault) {
        var digits = text.utf8.drop(while: XMLCharacter.isSpace)
        var isNegative = false
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            digits = digits.dropFirst()
        }
        let isHexadecimal = digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8)
        if isHexadecimal { digits = digits.dropFirst(2) }
        let radix = isHexadecimal ? 16 : 10
        guard !digits.isEmpty, digits.allSatisfy({ isDigit($0, isHexadecimal) }) else {
            throw PlistFault(.badInteger(text), at: offset)
        }
        let magnitude = UInt64(String(decoding: digits, as: UTF8.self), radix: radix)
        guard let magnitude, !isNegative || magnitude <= Int64.min.magnitude else {
            throw PlistFault(.integerRange(text), at: offset)
        }
    }

    /// A decimal fraction, an exponent, `nan`, `inf` or `infinity`; a finite number must stay one.
    static func checkReal(_ text: String, at offset: Int) throws(PlistFault) {
        let trimmed = text.utf8.drop(while: XMLCharacter.isSpace)
        let unsigned =
            trimmed.first == UInt8(ascii: "-") || trimmed.first == UInt8(ascii: "+")
            ? trimmed.dropFirst() : trimmed
        let word = String(decoding: unsigned, as: UTF8.self).lowercased()
        if word == "inf" || word == "infinity" || (word == "nan" && unsigned.count == trimmed.count) { return }
        guard isDecimal(unsigned), let value = Double(padded(unsigned)) else {
            throw PlistFault(.badReal(text), at: offset)
        }
        guard value.isFinite else { throw PlistFault(.realRange(text), at: offset) }
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

    // `.5` and `5.` are numbers to the parser; a zero in front makes the first one Swift's as well.
    private static func padded(_ text: Substring.UTF8View) -> String {
        "0" + String(decoding: text, as: UTF8.self)
    }
}
