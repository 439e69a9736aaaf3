/// The text of durations: units with numbers, the largest unit first, or ISO 8601 without years and months.
enum DurationModel {
    // The names, and the number of nanoseconds, which the number of attoseconds is a billion times of.
    private static let plain = [
        ("d", 86_400_000_000_000), ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000),
        ("ms", 1_000_000), ("us", 1000), ("ns", 1),
    ]
    private static let days = [("W", 604_800_000_000_000), ("D", 86_400_000_000_000)]
    private static let times = [("H", 3_600_000_000_000), ("M", 60_000_000_000), ("S", 1_000_000_000)]

    /// Returns the attoseconds of a text. Throws `Invalid` if the text is not a duration, or is one of 2^63 seconds or
    /// more.
    static func attoseconds(_ text: [UInt8]) throws -> Int128 {
        var cursor = ModelCursor(text)
        let isNegative = cursor.skip("-")
        var amount: Int128
        if cursor.skip("P") {
            let hasDays = !cursor.isAt("T")
            amount = hasDays ? try sum(&cursor, days) : 0
            if cursor.skip("T") { amount += try sum(&cursor, times) }
        } else {
            amount = try sum(&cursor, plain)
        }
        guard cursor.isAtEnd, amount < Int128(1) << 63 * 1_000_000_000_000_000_000 else { throw Invalid() }
        return isNegative ? -amount : amount
    }

    /// Reads at least one number with a unit. Each unit may occur once, after the larger ones.
    private static func sum(_ cursor: inout ModelCursor, _ units: [(name: String, size: Int)]) throws -> Int128 {
        var total: Int128 = 0
        var left = units[...]
        repeat {
            let whole = cursor.take("0123456789")
            var fraction: [UInt8] = []
            if cursor.skip(".") {
                fraction = cursor.take("0123456789")
                if fraction.isEmpty { throw Invalid() }
            }
            // The micro sign is another spelling of `us`.
            let name = cursor.skip("µs") ? "us" : String(decoding: cursor.take("WDHMSdhmsun"), as: UTF8.self)
            guard !whole.isEmpty, let index = left.firstIndex(where: { $0.name == name }) else { throw Invalid() }
            total += try attoseconds(whole, fraction, left[index].size)
            left = left[(index + 1)...]
        } while cursor.byte.map { "0123456789".utf8.contains($0) } == true
        return total
    }

    /// Returns a decimal number of units. Throws `Invalid` unless it is a whole number of attoseconds.
    private static func attoseconds(_ whole: [UInt8], _ fraction: [UInt8], _ size: Int) throws -> Int128 {
        guard let whole = Int128(String(decoding: whole, as: UTF8.self)) else { throw Invalid() }
        var unit = Int128(size) * 1_000_000_000
        let (product, isTooMuch) = whole.multipliedReportingOverflow(by: unit)
        // More than 2^63 seconds. The sum of all units cannot overflow then.
        if isTooMuch || product >= 1 << 123 { throw Invalid() }
        var total = product
        for digit in fraction {
            let digit = Int128(digit) - 48
            // The digit stands for a tenth of the unit before it, which must be whole.
            if digit > 0, unit % 10 > 0 { throw Invalid() }
            unit /= 10
            total += digit * unit
        }
        return total
    }
}

/// Decimal integers of any size.
enum IntegerModel {
    /// Returns the canonical digits of a text of digits with an optional sign, or nil if the text is something else.
    static func canonical(_ text: [UInt8]) -> String? {
        var cursor = ModelCursor(text)
        let isNegative = cursor.skip("-")
        if !isNegative { _ = cursor.skip("+") }
        let digits = cursor.take("0123456789")
        guard !digits.isEmpty, cursor.isAtEnd else { return nil }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        if significant.isEmpty { return "0" }
        return (isNegative ? "-" : "") + String(decoding: significant, as: UTF8.self)
    }
}
