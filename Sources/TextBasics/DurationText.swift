/// Parses the text of durations.
package enum DurationText {
    /// Returns the exact number of attoseconds, or nil if the text is not a valid duration or the number exceeds 128
    /// bits.
    package static func attoseconds(_ text: String) -> Int128? {
        // Accepts only ASCII and the two letters µ, so that each character is a single scalar. Comparing a character
        // with many combining scalars takes quadratic time.
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.isASCII || scalar == "\u{B5}" || scalar == "\u{3BC}" else { return nil }
            // Keyboards have the Greek letter or the sign.
            scalars.append(scalar == "\u{3BC}" ? "\u{B5}" : scalar)
        }
        var text = Substring(String(scalars))
        let isNegative = text.first == "-"
        if isNegative { text.removeFirst() }
        let amount = text.first == "P" ? iso8601(text.dropFirst()) : sum(text, units[...])
        return amount.map { isNegative ? -$0 : $0 }
    }

    /// Returns a duration as a whole number of the largest possible unit, such as `90s` or `250ms`, and otherwise in
    /// seconds with a fraction.
    package static func text(_ duration: Duration) -> String {
        let amount = duration.attoseconds
        guard amount != 0 else { return "0s" }
        if let unit = units.first(where: { $0.name != "d" && amount % $0.attoseconds == 0 }) {
            return "\(amount / unit.attoseconds)\(unit.name)"
        }
        let (whole, fraction) = amount.magnitude.quotientAndRemainder(dividingBy: second.magnitude)
        // The digit in front keeps the zeros at the start of the fraction.
        var digits = String(second.magnitude + fraction).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return "\(amount < 0 ? "-" : "")\(whole).\(digits)s"
    }

    /// The number of attoseconds in 2^63 seconds. From there on, the seconds do not fit in the components of a
    /// duration.
    package static let limit: UInt128 = (1 << 63) * 1_000_000_000_000_000_000

    private typealias Unit = (name: String, attoseconds: Int128)
    private static let nanosecond: Int128 = 1_000_000_000
    private static let second = 1_000_000_000 * nanosecond
    private static let days: [Unit] = [("W", 604_800 * second), ("D", 86_400 * second)]
    private static let times: [Unit] = [("H", 3600 * second), ("M", 60 * second), ("S", second)]
    private static let units: [Unit] = [
        ("d", 86_400 * second), ("h", 3600 * second), ("m", 60 * second), ("s", second),
        ("ms", 1_000_000 * nanosecond), ("us", 1000 * nanosecond), ("µs", 1000 * nanosecond), ("ns", nanosecond),
    ]

    // Parses an ISO 8601 duration after its "P": weeks and days, then "T" and times. Years and months are refused,
    // since they have no fixed length.
    private static func iso8601(_ text: Substring) -> Int128? {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard !text.isEmpty, parts.last?.isEmpty == false else { return nil }
        var amount: Int128 = 0
        if let first = parts.first, !first.isEmpty {
            guard let some = sum(first, days[...]) else { return nil }
            amount = some
        }
        guard parts.count == 2 else { return amount }
        guard let some = sum(parts[1], times[...]) else { return nil }
        let (total, isTooMuch) = amount.addingReportingOverflow(some)
        return isTooMuch ? nil : total
    }

    /// Parses numbers with units and returns their sum. Each unit may occur once, after all larger units.
    private static func sum(_ text: Substring, _ units: ArraySlice<Unit>) -> Int128? {
        var rest = text, units = units
        var total: Int128 = 0
        repeat {
            let number = rest.prefix { $0.isASCII && $0.isNumber || $0 == "." }
            rest = rest.dropFirst(number.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let place = units.firstIndex(where: { $0.name == name }),
                let amount = product(number, units[place].attoseconds)
            else { return nil }
            let (sum, isTooMuch) = total.addingReportingOverflow(amount)
            if isTooMuch { return nil }
            total = sum
            // `us` and `µs` are the same unit.
            units = units[(place + 1)...].drop { $0.attoseconds == units[place].attoseconds }
        } while !rest.isEmpty
        return total
    }

    /// Returns a decimal number of units in attoseconds, or nil if the result is not a whole number.
    private static func product(_ number: Substring, _ unit: Int128) -> Int128? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), let first = parts.first, let whole = Int128(first)
        else { return nil }
        let (product, isTooMuch) = whole.multipliedReportingOverflow(by: unit)
        if isTooMuch { return nil }
        guard parts.count == 2 else { return product }
        var amount = product, unit = unit
        for digit in parts[1] {
            guard let value = digit.wholeNumberValue, unit % 10 == 0 || value == 0 else { return nil }
            unit /= 10
            let (sum, isTooMuch) = amount.addingReportingOverflow(Int128(value) * unit)
            if isTooMuch { return nil }
            amount = sum
        }
        return amount
    }
}
