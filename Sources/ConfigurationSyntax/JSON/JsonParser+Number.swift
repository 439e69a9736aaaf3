import TextBasics

extension JsonParser {
    /// Reads a number (RFC 8259, section 6: `number = [ minus ] int [ frac ] [ exp ]`).
    ///
    /// A number with a fraction or an exponent becomes a Double. Any other number becomes an integer of any size; `-0`
    /// becomes the integer 0.
    mutating func number(at start: Int, _ key: SyntaxKey) throws(Diagnostic) -> Int {
        var number = DecimalNumber()
        number.isNegative = bytes[start] == .minus
        var offset = try int(at: number.isNegative ? start + 1 : start, &number, start: start)
        let next = bytes[offset]
        if next == .dot || next | 0x20 == UInt8(ascii: "e") {
            offset = try bytes.fraction(at: offset, into: &number)
            offset = try bytes.exponent(at: offset, into: &number)
            try appendDouble(number, start..<offset, key)
            return offset
        }
        if next.isLetter || next == .underscore { throw diagnostics.invalidNumber(at: offset, start: start) }
        if let value = number.int64 {
            document.append(.integer, at: start, bits: UInt64(bitPattern: value), key: key)
        } else if let value = cursor.parsedUInt64(start..<offset) {
            document.append(.unsigned, at: start, bits: value, key: key)
        } else {
            document.append(.bigInteger, at: start, bits: SyntaxText(start..<offset).bits, key: key)
        }
        return offset
    }

    /// Reads the digits before the fraction (RFC 8259, section 6: `int = zero / ( digit1-9 *DIGIT )`).
    @inline(__always)
    private func int(at offset: Int, _ number: inout DecimalNumber, start: Int) throws(Diagnostic) -> Int {
        let (end, count) = bytes.digits(from: offset, into: &number)
        guard count > 0 else { throw diagnostics.invalidNumber(at: offset, start: start) }
        guard count == 1 || bytes[offset] != UInt8(ascii: "0") else { throw diagnostics.leadingZero(at: start) }
        return end
    }

    @inline(__always)
    private mutating func appendDouble(
        _ number: DecimalNumber, _ range: Range<Int>, _ key: SyntaxKey
    ) throws(Diagnostic) {
        let (start, end) = (range.lowerBound, range.upperBound)
        let next = bytes[end]
        if next.isLetter || next == .underscore || next == .dot {
            throw diagnostics.invalidNumber(at: end, start: start)
        }
        let value = number.nearestDouble ?? cursor.parsedDouble(range)
        guard value.isFinite else { throw Diagnostic.floatTooLarge(at: start) }
        document.append(.double, at: start, bits: value.bitPattern, key: key)
    }
}
