/// A decimal number while its digits are read: `±mantissa × 10^exponent`.
struct DecimalNumber {
    var isNegative = false
    /// The first nineteen significant digits.
    private(set) var mantissa: UInt64 = 0
    /// The number of digits without leading zeros.
    private(set) var digits = 0
    /// The exponent, in a range where additions cannot overflow.
    private(set) var exponent = 0

    private static let greatestExponent = 1_000_000
    /// The number of digits that always fit the mantissa.
    static let greatestDigits = 19

    /// Whether the mantissa holds all digits.
    var isWhole: Bool { digits <= Self.greatestDigits }

    /// Appends digits whose value is known, if they fit.
    ///
    /// - Parameters:
    ///   - count: the number of digits.
    ///   - mantissa: the mantissa with the digits appended.
    /// - Returns: false if the digits do not fit; then nothing changes.
    mutating func append(_ count: Int, mantissa: UInt64) -> Bool {
        guard digits + count <= Self.greatestDigits else { return false }
        self.mantissa = mantissa
        // Leading zeros do not count.
        if mantissa != 0 { digits += count }
        return true
    }

    /// Appends an ASCII digit.
    mutating func append(_ byte: UInt8) {
        let digit = UInt64(byte &- 0x30)
        if digits < Self.greatestDigits { mantissa = mantissa &* 10 &+ digit }
        // Leading zeros do not count.
        if digits > 0 || digit != 0 { digits += 1 }
    }

    /// Makes the last digits the fraction.
    mutating func setFraction(_ count: Int) { exponent -= count }

    /// Adds the exponent behind the `e`.
    mutating func addExponent(_ value: Int, isNegative: Bool) {
        // A fraction of a million digits could cancel a clamped exponent, so the slow path must decide.
        if value > Self.greatestExponent { digits = max(digits, Self.greatestDigits + 1) }
        let size = min(value, Self.greatestExponent)
        exponent += isNegative ? -size : size
    }

    /// The nearest Double, ties to even, or nil if 128 bits are too few to find it.
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

    // 10^0 to 10^19, the powers that fit in 64 bits. A literal, which the compiler puts into the binary.
    static let powersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    private static func product(_ mantissa: UInt64, _ power: UInt64) -> Double {
        // Up to 2^53 both operands are exact, so the one rounding is right (Clinger's fast path).
        if mantissa <= 1 << 53 { return Double(mantissa) * Double(power) }
        let (high, low) = mantissa.multipliedFullWidth(by: power)
        guard high != 0 else { return Double(low) }
        let shift = UInt64(high.leadingZeroBitCount)
        let top = shift == 0 ? high : high << shift | low >> (64 - shift)
        return round(top, isExact: low << shift == 0, exponent: 64 - Int(shift))
    }

    private static func quotient(_ mantissa: UInt64, _ power: UInt64) -> Double {
        if mantissa <= 1 << 53 { return Double(mantissa) / Double(power) }
        // Both operands have their highest bit set and the dividend is halved: the quotient has 63 or 64 bits.
        let shift = mantissa.leadingZeroBitCount
        let divisorShift = power.leadingZeroBitCount
        let dividend = mantissa << UInt64(shift)
        let (quotient, remainder) = (power << UInt64(divisorShift))
            .dividingFullWidth((dividend >> 1, dividend << 63))
        let missing = UInt64(quotient.leadingZeroBitCount)
        return round(quotient << missing, isExact: remainder == 0, exponent: divisorShift - shift - 63 - Int(missing))
    }

    // IEEE 754, roundTiesToEven: rounds 64 bits, the highest of which is set, to 53. `isExact`: no further bit is set.
    private static func round(_ bits: UInt64, isExact: Bool, exponent: Int) -> Double {
        let kept = bits >> 11
        let rest = bits & 0x7FF
        let isUp = rest > 0x400 || rest == 0x400 && (!isExact || kept & 1 == 1)
        return Double(sign: .plus, exponent: exponent + 11, significand: Double(kept + (isUp ? 1 : 0)))
    }
}

// MARK: - Integers

extension DecimalNumber {
    /// An integer of 64 bits.
    enum Integer {
        case signed(Int64)
        /// Above `Int64.max`.
        case unsigned(UInt64)
    }

    /// The number as an integer if it has at most 18 digits, as most have; else nil.
    ///
    /// It must have no fraction and no exponent.
    @inline(__always)
    var smallInteger: Int64? {
        guard digits < Self.greatestDigits else { return nil }
        let size = Int64(truncatingIfNeeded: mantissa)
        return isNegative ? 0 &- size : size
    }

    /// The number as an integer of at most 19 digits, or nil if it has more or does not fit in 64 bits.
    ///
    /// It must have no fraction and no exponent.
    var integer: Integer? {
        guard isWhole else { return nil }
        if isNegative {
            guard mantissa <= Int64.min.magnitude else { return nil }
            return .signed(Int64(truncatingIfNeeded: 0 &- mantissa))
        }
        return Int64(exactly: mantissa).map { .signed($0) } ?? .unsigned(mantissa)
    }
}
