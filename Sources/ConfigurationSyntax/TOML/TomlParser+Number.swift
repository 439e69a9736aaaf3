import TextBasics

extension TomlParser {
    /// Reads a number (ABNF: `float / integer`).
    ///
    /// A decimal number with a fraction or an exponent is a float, and a decimal number without them is an integer.
    /// Other numbers are an integer with a radix prefix, `inf` and `nan`.
    mutating func number(_ key: SyntaxKey) throws(Diagnostic) -> UInt32 {
        let start = cursor.offset
        var number = DecimalNumber()
        let sign = cursor.byte
        number.isNegative = sign == .minus
        if number.isNegative || sign == .plus { cursor.advance() }
        guard cursor.byte.isDigit else { return try specialFloat(key, number, start: start) }
        if cursor.byte == UInt8(ascii: "0"), cursor.peek(1).isLetter, cursor.peek(1) | 0x20 != UInt8(ascii: "e") {
            return try radixInteger(key, start: start)
        }
        try decimalInteger(&number, start: start)
        let next = cursor.byte
        if next == .dot || next | 0x20 == UInt8(ascii: "e") {
            let end = try cursor.bytes.fraction(at: cursor.offset, into: &number, separated: true)
            cursor.move(to: try cursor.bytes.exponent(at: end, into: &number, separated: true))
            try endOfNumber(start: start)
            let value = number.nearestDouble ?? cursor.parsedDouble(start..<cursor.offset)
            guard value.isFinite else { throw Diagnostic.floatTooLarge(at: start) }
            return document.append(.double, at: start, bits: value.bitPattern, key: key)
        }
        try endOfNumber(start: start)
        // TOML 1.1, Integer: an integer that does not fit in a signed 64-bit integer is an error.
        guard let value = number.int64 else { throw diagnostics.integerTooLarge(at: start) }
        return document.append(.integer, at: start, bits: UInt64(bitPattern: value), key: key)
    }

    /// Reads the digits of a decimal number before its fraction.
    ///
    /// ABNF: `unsigned-dec-int = DIGIT / digit1-9 1*( DIGIT / underscore DIGIT )`.
    @inline(__always)
    private mutating func decimalInteger(_ number: inout DecimalNumber, start: Int) throws(Diagnostic) {
        let isZero = cursor.byte == UInt8(ascii: "0")
        let (end, count) = cursor.bytes.digits(from: cursor.offset, into: &number, separated: true)
        cursor.move(to: end)
        // TOML 1.1, Integer: no leading zeros.
        if isZero, count > 1 { throw diagnostics.leadingZero(start: start) }
    }

    /// Reads infinity or not-a-number after the sign (ABNF: `special-float = [ minus / plus ] ( inf / nan )`).
    private mutating func specialFloat(
        _ key: SyntaxKey, _ number: DecimalNumber, start: Int
    ) throws(Diagnostic) -> UInt32 {
        let size: Double
        if cursor.bytes.isWord("inf", at: cursor.offset) {
            size = .infinity
        } else if cursor.bytes.isWord("nan", at: cursor.offset) {
            size = .nan
        } else {
            throw diagnostics.expectedNumber(start: start)
        }
        cursor.advance(3)
        return document.append(.double, at: start, bits: (number.isNegative ? -size : size).bitPattern, key: key)
    }

    /// Reads an integer with a radix prefix.
    ///
    /// ABNF: `hex-int = hex-prefix HEXDIG *( HEXDIG / underscore HEXDIG )`, and `oct-int` and `bin-int` likewise.
    private mutating func radixInteger(_ key: SyntaxKey, start: Int) throws(Diagnostic) -> UInt32 {
        // TOML 1.1, Integer: an integer with a radix prefix must not have a sign.
        guard cursor.offset == start else { throw diagnostics.invalidPrefix(start: start) }
        let bitsADigit: UInt64
        switch cursor.peek(1) {
        case UInt8(ascii: "x"): bitsADigit = 4
        case UInt8(ascii: "o"): bitsADigit = 3
        case UInt8(ascii: "b"): bitsADigit = 1
        default: throw diagnostics.invalidPrefix(start: start)
        }
        cursor.advance(2)
        var value: UInt64 = 0
        var isAfterDigit = false
        while cursor.byte.isWordPart {
            if let digit = cursor.byte.hexDigit, digit < 1 << bitsADigit {
                guard value >> (63 - bitsADigit) == 0 else { throw diagnostics.integerTooLarge(at: start) }
                value = value << bitsADigit | UInt64(digit)
                isAfterDigit = true
            } else if cursor.byte == .underscore {
                guard isAfterDigit, cursor.peek(1).isWordPart else { break }
                isAfterDigit = false
            } else {
                throw diagnostics.invalidDigit(start: start)
            }
            cursor.advance()
        }
        guard isAfterDigit else { throw diagnostics.expectedNumber(start: start) }
        try endOfNumber(start: start)
        return document.append(.integer, at: start, bits: value, key: key)
    }

    @inline(__always)
    private mutating func endOfNumber(start: Int) throws(Diagnostic) {
        let next = cursor.byte
        // The common cases: a line end, a blank, a comma or a bracket follows the number.
        if next < .plus || next == .comma || next == .closeBracket { return }
        if next.isWordPart || ".+-:".utf8.contains(next) { throw diagnostics.expectedNumber(start: start) }
    }
}
