import TextBasics

// Parsers of the parts of a number that TOML and JSON have in common.
extension SourceBytes {
    /// Reads a run of digits and appends them to a number.
    ///
    /// - Parameters:
    ///   - start: the offset of the first digit.
    ///   - number: the number to which the digits are appended.
    ///   - separated: whether an underscore may separate two digits (TOML 1.1, Integer).
    /// - Returns: the offset after the last digit, and the number of digits.
    @inline(__always)
    func digits(
        from start: Int, into number: inout DecimalNumber, separated: Bool = false
    ) -> (end: Int, count: Int) {
        var offset = start
        var mantissa = number.mantissa
        var some: Int
        repeat {
            let word = word(at: offset)
            some = PackedBytes.digitCount(word)
            if some == 0 { break }
            mantissa = mantissa &* DecimalNumber.powersOfTen[some] &+ PackedBytes.number(word, count: some)
            offset &+= some
        } while some == 8
        let isSeparated = separated && self[offset] == .underscore
        if !isSeparated, number.append(offset &- start, mantissa: mantissa) { return (offset, offset &- start) }
        let (end, count, longer) = manyDigits(from: start, number, separated: separated)
        number = longer
        return (end, count)
    }

    // The slow path, for underscores and for more digits than fit in the mantissa.
    @inline(never)
    private func manyDigits(
        from start: Int, _ number: DecimalNumber, separated: Bool
    ) -> (end: Int, count: Int, number: DecimalNumber) {
        var (offset, count, number) = (start, 0, number)
        while self[offset].isDigit || separated && isSeparator(at: offset) {
            if self[offset].isDigit {
                number.append(self[offset])
                count += 1
            }
            offset += 1
        }
        return (offset, count, number)
    }

    private func isSeparator(at offset: Int) -> Bool {
        self[offset] == .underscore && offset > 0 && self[offset - 1].isDigit && self[offset + 1].isDigit
    }
}

// MARK: - Fraction and exponent

extension SourceBytes {
    /// Reads the fraction of a number, if there is one.
    ///
    /// RFC 8259, section 6: `frac = decimal-point 1*DIGIT`; ABNF of TOML: `frac = decimal-point zero-prefixable-int`.
    ///
    /// - Returns: the offset after the fraction, or `point` if there is no fraction.
    @inline(__always)
    func fraction(
        at point: Int, into number: inout DecimalNumber, separated: Bool = false
    ) throws(Diagnostic) -> Int {
        guard self[point] == .dot else { return point }
        let (end, count) = digits(from: point + 1, into: &number, separated: separated)
        guard count > 0 else { throw Diagnostic.missingFraction(at: point) }
        number.setFraction(count)
        return end
    }

    /// Reads the exponent of a number, if there is one.
    ///
    /// RFC 8259, section 6: `exp = e [ minus / plus ] 1*DIGIT`; ABNF of TOML: `exp = "e" float-exp-part`.
    ///
    /// - Returns: the offset after the exponent, or `offset` if there is no exponent.
    @inline(__always)
    func exponent(
        at offset: Int, into number: inout DecimalNumber, separated: Bool = false
    ) throws(Diagnostic) -> Int {
        guard self[offset] | 0x20 == UInt8(ascii: "e") else { return offset }
        let sign = self[offset + 1]
        let isSigned = sign == .minus || sign == .plus
        let (value, end, count) = exponentDigits(from: isSigned ? offset + 2 : offset + 1, separated: separated)
        guard count > 0 else { throw Diagnostic.missingExponent(at: offset) }
        number.addExponent(value, isNegative: sign == .minus)
        return end
    }

    // Reads the digits of an exponent. The value saturates at 10,000,000: `addExponent` treats all values above
    // 1,000,000 alike.
    private func exponentDigits(from start: Int, separated: Bool) -> (value: Int, end: Int, count: Int) {
        var (value, offset, count) = (0, start, 0)
        while self[offset].isDigit || separated && isSeparator(at: offset) {
            if self[offset].isDigit {
                value = min(value * 10 + Int(self[offset] &- 0x30), 10_000_000)
                count += 1
            }
            offset += 1
        }
        return (value, offset, count)
    }
}

extension Diagnostic {
    @inline(never)
    fileprivate static func missingFraction(at offset: Int) -> Diagnostic {
        Diagnostic("a digit is missing after the decimal point", at: offset, expected: "a digit, as in `1.0`")
    }

    @inline(never)
    fileprivate static func missingExponent(at offset: Int) -> Diagnostic {
        Diagnostic("the exponent has no digits", at: offset, expected: "a whole number after the `e`")
    }
}

// MARK: - Numbers of any length

extension Cursor {
    /// Returns the Double nearest to a number of any length. It is slow, because the standard library parses a string.
    func parsedDouble(_ range: Range<Int>) -> Double { Double(digits(of: range)) ?? .nan }

    /// Returns an integer of any length, or nil if it does not fit in 64 bits.
    func parsedUInt64(_ range: Range<Int>) -> UInt64? { UInt64(digits(of: range)) }

    private func digits(of range: Range<Int>) -> String {
        let digits = range.lazy.map { byte(at: $0) }.filter { $0 != .underscore }
        return String(decoding: Array(digits), as: UTF8.self)
    }

    /// Returns whether the whole word at the cursor is `letters`, which are packed like the words in `PackedBytes`.
    func isWord(_ letters: UInt64, count: Int) -> Bool { bytes.isWord(letters, count: count, at: offset) }
}
