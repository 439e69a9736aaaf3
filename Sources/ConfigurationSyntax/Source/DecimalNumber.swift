/// A decimal number as its digits were read: `±mantissa × 10^exponent`.
struct DecimalNumber {
    var isNegative = false
    /// The first nineteen digits that count; more do not fit.
    private(set) var mantissa: UInt64 = 0
    /// How many digits there are from the first that is not zero.
    private(set) var digits = 0
    /// The exponent, kept in a range that has room to add.
    private(set) var exponent = 0

    private static let greatestExponent = 1_000_000
    /// So many digits always fit the mantissa.
    static let greatestDigits = 19

    /// Whether the mantissa has all digits.
    var isWhole: Bool { digits <= Self.greatestDigits }

    /// Takes in digits whose mantissa is known, if it has room for them.
    ///
    /// - Parameter mantissa: the present one with the digits behind it.
    /// - Returns: whether it has; if not, nothing is taken in.
    mutating func append(_ count: Int, mantissa: UInt64) -> Bool {
        guard digits + count <= Self.greatestDigits else { return false }
        self.mantissa = mantissa
        // Zeros in front do not count.
        if mantissa != 0 { digits += count }
        return true
    }

    /// Takes in a digit's byte.
    mutating func append(_ byte: UInt8) {
        let digit = UInt64(byte &- 0x30)
        if digits < Self.greatestDigits { mantissa = mantissa &* 10 &+ digit }
        // Zeros in front do not count.
        if digits > 0 || digit != 0 { digits += 1 }
    }

    /// Says that the last so many digits stood behind the decimal point.
    mutating func setFraction(_ count: Int) { exponent -= count }

    /// Takes in the number behind the `e`.
    mutating func addExponent(_ value: Int, isNegative: Bool) {
        // A million digits behind the point could seem to make up for what is cut off here.
        if value > Self.greatestExponent { digits = max(digits, Self.greatestDigits + 1) }
        let size = min(value, Self.greatestExponent)
        exponent += isNegative ? -size : size
    }

    /// The nearest Double, ties to even, or nil where it takes more than 128 bits to find it.
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

    // 10^0 to 10^19: the powers that 64 bits hold. Written out, so that the compiler lays them down.
    static let powersOfTen: [UInt64] = [
        1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    private static func product(_ mantissa: UInt64, _ power: UInt64) -> Double {
        // Both are exact up to 2^53, and then one rounding gives the nearest (Clinger's fast path).
        if mantissa <= 1 << 53 { return Double(mantissa) * Double(power) }
        let (high, low) = mantissa.multipliedFullWidth(by: power)
        guard high != 0 else { return Double(low) }
        let shift = UInt64(high.leadingZeroBitCount)
        let top = shift == 0 ? high : high << shift | low >> (64 - shift)
        return round(top, isExact: low << shift == 0, exponent: 64 - Int(shift))
    }

    private static func quotient(_ mantissa: UInt64, _ power: UInt64) -> Double {
        if mantissa <= 1 << 53 { return Double(mantissa) / Double(power) }
        // Both with the highest bit set, the dividend halved: the quotient has 63 or 64 bits and cannot overflow.
        let shift = mantissa.leadingZeroBitCount
        let divisorShift = power.leadingZeroBitCount
        let dividend = mantissa << UInt64(shift)
        let (quotient, remainder) = (power << UInt64(divisorShift))
            .dividingFullWidth((dividend >> 1, dividend << 63))
        let missing = UInt64(quotient.leadingZeroBitCount)
        return round(quotient << missing, isExact: remainder == 0, exponent: divisorShift - shift - 63 - Int(missing))
    }

    // IEEE 754, roundTiesToEven: 53 bits stay of 64, whose highest is set; `isExact` says that no bit follows them.
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

    /// The number as an integer where it has so few digits that a glance tells that 64 bits hold it, as most have. It
    /// must have no fraction and no exponent.
    @inline(__always)
    var smallInteger: Int64? {
        guard digits < Self.greatestDigits else { return nil }
        let size = Int64(truncatingIfNeeded: mantissa)
        return isNegative ? 0 &- size : size
    }

    /// The number as an integer, or nil where 64 bits do not hold it, or it has twenty digits. It must have no fraction
    /// and no exponent.
    var integer: Integer? {
        guard isWhole else { return nil }
        if isNegative {
            guard mantissa <= Int64.min.magnitude else { return nil }
            return .signed(Int64(truncatingIfNeeded: 0 &- mantissa))
        }
        return Int64(exactly: mantissa).map { .signed($0) } ?? .unsigned(mantissa)
    }
}
