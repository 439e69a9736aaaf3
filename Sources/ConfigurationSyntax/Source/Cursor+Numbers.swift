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
        var (offset, separators) = (start, 0)
        while true {
            if self[offset].isDigit {
                number.append(self[offset])
            } else if separated, isSeparator(at: offset) {
                separators += 1
            } else {
                return (offset, offset - start - separators)
            }
            offset &+= 1
        }
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
        number.exponent -= Int64(count)
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
        var exponent = DecimalNumber()
        exponent.isNegative = sign == .minus
        let (end, count) = digits(from: isSigned ? offset + 2 : offset + 1, into: &exponent, separated: separated)
        guard count > 0 else { throw Diagnostic.missingExponent(at: offset) }
        // The limit exceeds the number of digits that a source can have, so an exponent at the limit means 0 or
        // infinity whatever the digits are.
        let limit: Int64 = 1 << 40
        number.exponent += min(max(exponent.int64 ?? (exponent.isNegative ? -limit : limit), -limit), limit)
        return end
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
}
