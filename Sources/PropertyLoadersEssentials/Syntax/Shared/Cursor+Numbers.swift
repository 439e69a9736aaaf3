// What the numbers of both formats share.
extension Cursor {
    /// Takes in the digits at the cursor.
    ///
    /// - Parameter separated: whether an underscore may stand between two digits (TOML 1.1, Integer).
    /// - Returns: how many digits there were.
    @inline(__always)
    mutating func digits(_ number: inout DecimalNumber, separated: Bool = false) -> Int {
        let start = offset
        var place = start
        var mantissa = number.mantissa
        // Eight at a time, where there are so many.
        while let eight = Words.digits(word(at: place)) {
            mantissa = mantissa &* 100_000_000 &+ eight
            place += 8
        }
        while byte(at: place).isDigit {
            mantissa = mantissa &* 10 &+ UInt64(byte(at: place) &- 0x30)
            place += 1
        }
        let isSeparated = separated && byte(at: place) == UInt8(ascii: "_")
        guard !isSeparated, number.append(place - start, mantissa: mantissa) else {
            return manyDigits(&number, separated: separated)
        }
        move(to: place)
        return place - start
    }

    // The same for more digits than the mantissa has, or for underscores between them.
    @inline(never)
    private mutating func manyDigits(_ number: inout DecimalNumber, separated: Bool) -> Int {
        var count = 0
        while byte.isDigit || separated && byte == UInt8(ascii: "_") && isBetweenDigits(offset) {
            if byte.isDigit {
                number.append(byte)
                count += 1
            }
            advance()
        }
        return count
    }

    /// RFC 8259 6: `frac = decimal-point 1*DIGIT`. TOML's ABNF: `frac = decimal-point zero-prefixable-int`.
    @inline(__always)
    mutating func fraction(_ number: inout DecimalNumber, separated: Bool = false) throws(SyntaxFault) {
        guard byte == UInt8(ascii: ".") else { return }
        let point = offset
        advance()
        let count = digits(&number, separated: separated)
        guard count > 0 else { throw SyntaxFault(.missingFraction, at: point) }
        number.setFraction(count)
    }

    /// RFC 8259 6: `exp = e [ minus / plus ] 1*DIGIT`. TOML's ABNF: `exp = "e" float-exp-part`,
    /// `float-exp-part = [ minus / plus ] zero-prefixable-int`.
    @inline(__always)
    mutating func exponent(_ number: inout DecimalNumber, separated: Bool = false) throws(SyntaxFault) {
        guard byte | 0x20 == UInt8(ascii: "e") else { return }
        let place = offset
        advance()
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative || byte == UInt8(ascii: "+") { advance() }
        let (value, count) = exponentDigits(separated: separated)
        guard count > 0 else { throw SyntaxFault(.missingExponent, at: place) }
        number.addExponent(value, isNegative: isNegative)
    }

    /// The Double nearest to the number that began at a place and ends here.
    @inline(__always)
    func double(_ number: DecimalNumber, start: Int) throws(SyntaxFault) -> Double {
        let value = number.nearestDouble ?? slowDouble(start..<offset)
        guard value.isFinite else { throw SyntaxFault(.floatTooLarge, at: start) }
        return value
    }

    /// The number that the digits at the cursor say, as far as an exponent can matter, and how many there were.
    private mutating func exponentDigits(separated: Bool) -> (value: Int, count: Int) {
        var value = 0
        var count = 0
        while byte.isDigit || separated && byte == UInt8(ascii: "_") && isBetweenDigits(offset) {
            if byte.isDigit {
                value = min(value * 10 + Int(byte &- 0x30), 10_000_000)
                count += 1
            }
            advance()
        }
        return (value, count)
    }

    /// The Double nearest to a number of any length, found by the standard library.
    private func slowDouble(_ range: Range<Int>) -> Double {
        Double(text(range)) ?? .nan
    }

    /// The integer of any length that 64 bits hold, or nil.
    func slowUnsigned(_ range: Range<Int>) -> UInt64? { UInt64(text(range)) }

    private func text(_ range: Range<Int>) -> String {
        let digits = range.lazy.map { byte(at: $0) }.filter { $0 != UInt8(ascii: "_") }
        return String(decoding: Array(digits), as: UTF8.self)
    }

    /// Whether a word stands at the cursor and no more than it.
    func isWord(_ letters: UInt64, count: Int) -> Bool {
        word(at: offset) & ~(~0 << (8 * UInt64(count))) == letters && !peek(count).isWordPart
    }

    private func isBetweenDigits(_ place: Int) -> Bool {
        place > 0 && byte(at: place - 1).isDigit && byte(at: place + 1).isDigit
    }
}
