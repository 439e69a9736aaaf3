/// A decimal number while its digits are read: `±mantissa × 10^exponent`.
struct DecimalNumber {
    var isNegative = false
    /// The power of ten.
    var exponent: Int64 = 0
    // The first 19 significant digits as an integer. That many always fit.
    private var mantissa: UInt64 = 0
    // The number of digits without leading zeros, including those that do not fit in the mantissa.
    private var digits = 0

    /// Appends an ASCII digit.
    @inline(__always)
    mutating func append(_ digit: UInt8) {
        if digits < 19 { mantissa = mantissa &* 10 &+ UInt64(digit &- 0x30) }
        if mantissa != 0 { digits += 1 }
    }

    /// The number as an integer, or nil if it does not fit in an Int64. The exponent is ignored.
    var int64: Int64? {
        guard digits <= 19 else { return nil }
        guard isNegative else { return Int64(exactly: mantissa) }
        return mantissa <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- mantissa) : nil
    }

    /// The nearest Double (ties to even), or nil if the digits do not fit in the mantissa or the power of ten in 64 bits.
    var nearestDouble: Double? {
        if mantissa == 0 { return isNegative ? -0.0 : 0.0 }
        guard digits <= 19, exponent.magnitude < Self.powersOfTen.count else { return nil }
        let power = Self.powersOfTen[Int(exponent.magnitude)]
        let size = exponent < 0 ? Self.quotient(mantissa, power) : Self.product(mantissa, power)
        return isNegative ? -size : size
    }

    // The powers of ten that fit in 64 bits.
    private static let powersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    private static func product(_ mantissa: UInt64, _ power: UInt64) -> Double {
        // A Double holds a mantissa up to 2^53 and each of these powers without loss. The only rounding is that of the
        // product, so the result is correct (Clinger's fast path).
        if mantissa <= 1 << 53 { return Double(mantissa) * Double(power) }
        let (high, low) = mantissa.multipliedFullWidth(by: power)
        guard high != 0 else { return Double(low) }
        let shift = UInt64(high.leadingZeroBitCount)
        let top = shift == 0 ? high : high << shift | low >> (64 - shift)
        return round(top, isExact: low << shift == 0, exponent: 64 - Int(shift))
    }

    private static func quotient(_ mantissa: UInt64, _ power: UInt64) -> Double {
        if mantissa <= 1 << 53 { return Double(mantissa) / Double(power) }
        // Both operands are shifted until their highest bit is set, and the dividend is halved. The quotient then has
        // 63 or 64 bits.
        let shift = mantissa.leadingZeroBitCount
        let divisorShift = power.leadingZeroBitCount
        let dividend = mantissa << UInt64(shift)
        let (quotient, remainder) = (power << UInt64(divisorShift))
            .dividingFullWidth((dividend >> 1, dividend << 63))
        let missing = UInt64(quotient.leadingZeroBitCount)
        return round(quotient << missing, isExact: remainder == 0, exponent: divisorShift - shift - 63 - Int(missing))
    }

    // IEEE 754, roundTiesToEven: rounds 64 bits, of which the highest is set, to 53 bits. `isExact` means that the
    // number has no more bits after these 64.
    private static func round(_ bits: UInt64, isExact: Bool, exponent: Int) -> Double {
        let kept = bits >> 11
        let rest = bits & 0x7FF
        let isUp = rest > 0x400 || rest == 0x400 && (!isExact || kept & 1 == 1)
        return Double(sign: .plus, exponent: exponent + 11, significand: Double(kept + (isUp ? 1 : 0)))
    }
}
