/// A decimal number while its digits are read: `±mantissa × 10^exponent`.
struct DecimalNumber {
    var isNegative = false
    /// The first 19 significant digits as an integer.
    private(set) var mantissa: UInt64 = 0
    /// The number of digits without leading zeros, including those that do not fit in the mantissa.
    private(set) var digits = 0
    /// The power of ten. Exponents of the source are clamped, so that additions cannot overflow.
    private(set) var exponent = 0

    private static let greatestExponent = 1_000_000
    /// The number of digits that always fit in the mantissa.
    static let greatestDigits = 19

    /// Whether the mantissa holds all digits.
    var isWhole: Bool { digits <= Self.greatestDigits }

    /// Appends digits if they fit in the mantissa. The caller has already computed the new mantissa.
    ///
    /// - Parameters:
    ///   - count: the number of digits.
    ///   - mantissa: the mantissa with the digits appended.
    /// - Returns: whether the digits fit. If they do not, the number is unchanged.
    mutating func append(_ count: Int, mantissa: UInt64) -> Bool {
        guard digits + count <= Self.greatestDigits else { return false }
        self.mantissa = mantissa
        // Leading zeros are not counted.
        if mantissa != 0 { digits += count }
        return true
    }

    /// Appends an ASCII digit.
    mutating func append(_ byte: UInt8) {
        let digit = UInt64(byte &- 0x30)
        if digits < Self.greatestDigits { mantissa = mantissa &* 10 &+ digit }
        // Leading zeros are not counted.
        if digits > 0 || digit != 0 { digits += 1 }
    }

    /// Turns the last `count` digits into the fraction by decreasing the exponent.
    mutating func setFraction(_ count: Int) { exponent -= count }

    /// Adds the exponent that follows the `e`.
    mutating func addExponent(_ value: Int, isNegative: Bool) {
        // A clamped exponent is wrong if a fraction of a million digits brings the number back into range. A digit
        // count above the limit selects the slow path, which parses the source text.
        if value > Self.greatestExponent { digits = max(digits, Self.greatestDigits + 1) }
        let size = min(value, Self.greatestExponent)
        exponent += isNegative ? -size : size
    }

    /// The nearest Double (ties to even), or nil if the slow path is needed.
    ///
    /// It is nil if the digits do not fit in the mantissa, or the power of ten does not fit in 64 bits.
    @inline(__always)
    var nearestDouble: Double? {
        guard isWhole else { return nil }
        guard mantissa != 0 else { return isNegative ? -0.0 : 0.0 }
        guard exponent.magnitude < Self.powersOfTen.count else { return nil }
        let size =
            exponent < 0
            ? Self.quotient(mantissa, Self.powersOfTen[-exponent]) : Self.product(mantissa, Self.powersOfTen[exponent])
        return isNegative ? -size : size
    }

    // The powers of ten that fit in 64 bits, 10^0 to 10^19. The compiler puts a literal into the binary.
    static let powersOfTen: [UInt64] = [
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

// MARK: - Integers

extension DecimalNumber {
    /// A 64-bit integer.
    enum Integer {
        case signed(Int64)
        /// An integer above `Int64.max`.
        case unsigned(UInt64)
    }

    /// The number as an integer, or nil if it has more than 18 digits. Most integers have fewer.
    ///
    /// The number must not have a fraction or an exponent.
    @inline(__always)
    var smallInteger: Int64? {
        guard digits < Self.greatestDigits else { return nil }
        let size = Int64(truncatingIfNeeded: mantissa)
        return isNegative ? 0 &- size : size
    }

    /// The number as an integer, or nil if it has more than 19 digits or does not fit in 64 bits.
    ///
    /// The number must not have a fraction or an exponent.
    var integer: Integer? {
        guard isWhole else { return nil }
        if isNegative {
            guard mantissa <= Int64.min.magnitude else { return nil }
            return .signed(Int64(truncatingIfNeeded: 0 &- mantissa))
        }
        return Int64(exactly: mantissa).map { .signed($0) } ?? .unsigned(mantissa)
    }
}
