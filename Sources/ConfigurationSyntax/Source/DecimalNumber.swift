/// A decimal number while its digits are read: `±mantissa × 10^exponent`.
struct DecimalNumber {
    var isNegative = false
    /// The power of ten.
    var exponent: Int64 = 0
    // The digits as an integer. It is used only if there are at most 19 of them, which always fit.
    private var mantissa: UInt64 = 0
    // The number of digits without leading zeros.
    private var digits: UInt64 = 0

    /// Appends an ASCII digit.
    @inline(__always)
    mutating func append(_ digit: UInt8) {
        mantissa = mantissa &* 10 &+ UInt64(digit &- 0x30)
        if mantissa | digits != 0 { digits &+= 1 }
    }

    /// The number as an integer, or nil if it does not fit in an Int64. The exponent is ignored.
    var int64: Int64? {
        guard digits <= 19 else { return nil }
        guard isNegative else { return Int64(exactly: mantissa) }
        return mantissa <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- mantissa) : nil
    }

    /// The nearest Double (ties to even), or nil if the number needs a slower algorithm.
    var nearestDouble: Double? {
        if digits == 0 { return isNegative ? -0.0 : 0.0 }
        guard digits <= 19, exponent.magnitude < Self.powersOfTen.count else { return nil }
        let power = Self.powersOfTen[Int(exponent.magnitude)]
        let size: Double
        if mantissa <= 1 << 53 {
            // A Double holds this mantissa and each of these powers without loss. Only the product or the quotient is
            // rounded, so the result is correct (Clinger's fast path).
            size = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
        } else {
            guard exponent <= 0, let divisor = UInt64(exactly: power) else { return nil }
            size = Self.quotient(mantissa, divisor)
        }
        return isNegative ? -size : size
    }

    /// Returns the Double nearest to a quotient of two numbers that are not 0.
    private static func quotient(_ dividend: UInt64, _ divisor: UInt64) -> Double {
        let (places, divisorPlaces) = (dividend.leadingZeroBitCount, divisor.leadingZeroBitCount)
        // With the highest bit of both set, and with 63 more bits of the dividend, the quotient has 63 or 64 bits.
        let high = dividend << UInt64(places)
        let (quotient, remainder) = (divisor << UInt64(divisorPlaces)).dividingFullWidth((high >> 1, high << 63))
        // A Double has fewer bits than that. So the last bit is set if more bits follow: then the quotient is not in
        // the middle between two Doubles. Only the conversion rounds.
        let rounded = Double(remainder == 0 ? quotient : quotient | 1)
        return Double(sign: .plus, exponent: divisorPlaces - places - 63, significand: rounded)
    }

    // The powers of ten that a Double holds without loss.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
