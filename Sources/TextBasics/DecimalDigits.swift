/// A decimal number of a text, reduced to its significant digits, so that two texts can be compared without loss.
package struct DecimalDigits: Equatable, Sendable {
    /// Whether the number is below zero.
    private let isNegative: Bool
    // The digits without zeros at either end; none for zero.
    private let digits: [UInt8]
    // The power of ten of the last digit.
    private let exponent: Int

    /// The number of significant digits.
    package var count: Int { digits.count }

    /// Reads a number with an optional sign, fraction and exponent, or returns nil for any other text.
    package init?(_ text: String) {
        var rest = text.utf8[...]
        let isNegative = rest.first == .minus
        if isNegative || rest.first == .plus { rest = rest.dropFirst() }
        let mantissa = rest.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let parts = mantissa.split(separator: .dot, omittingEmptySubsequences: false)
        let all = parts.joined()
        guard parts.count <= 2, all.contains(where: \.isDigit), all.allSatisfy(\.isDigit) else { return nil }
        var exponent = 0
        if mantissa.endIndex < rest.endIndex {
            let power = rest[mantissa.endIndex...].dropFirst()
            let unsigned = power.first == .minus || power.first == .plus ? power.dropFirst() : power
            guard !unsigned.isEmpty, unsigned.allSatisfy(\.isDigit) else { return nil }
            // A number with an exponent beyond this limit is compared by its text only.
            exponent = Int(String(Substring(power))) ?? (power.first == .minus ? .min / 2 : .max / 2)
        }
        let significant = Array(all.drop { $0 == UInt8(ascii: "0") })
        let zeros = significant.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        digits = Array(significant.dropLast(zeros))
        self.isNegative = isNegative && !digits.isEmpty
        let fraction = parts.count == 2 ? parts[1].count : 0
        self.exponent = digits.isEmpty ? 0 : exponent &- fraction &+ zeros
    }
}
