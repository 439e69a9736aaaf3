#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Decimal: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a number" }

    /// Reads a number of at most 38 significant digits without loss.
    ///
    /// A fraction in a text format, such as JSON or TOML, is read from its digits in the text. In other sources it is a
    /// `Double`, and is read as the shortest decimal number that rounds to this `Double`.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        let digits: DecimalDigits?
        switch node.value {
        case .integer(let integer): digits = DecimalDigits(integer.description)
        case .unsigned(let integer): digits = DecimalDigits(integer.description)
        case .bigInteger(let text): digits = DecimalDigits(text)
        case .double(let double): digits = node.writtenDigits(of: double) ?? DecimalDigits(double.description)
        case .text(let text):
            digits = DecimalDigits(text)
            if digits == nil { throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName) }
        case .string(let text):
            throw PropertyMismatch(
                .wrongType, node, expected: Self.propertyTypeName,
                remedy: DecimalDigits(text) == nil ? nil : "Remove the quotes")
        default: throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName)
        }
        // Infinity and NaN have no digits.
        guard let text = digits?.text(digits: 38, exponents: -128...127), let exact = Decimal(string: text) else {
            throw PropertyMismatch(.outOfRange, node, expected: "a number that Decimal holds exactly")
        }
        self = exact
    }
}

extension Decimal: SourceConvertible {
    package var sourceValue: PropertyValue {
        Int64(description).map { .integer($0) } ?? .double(Double(description) ?? .nan)
    }

    package static var schema: JsonSchema { ["type": "number"] }
}

extension PropertyNode {
    /// Returns the digits of a number as they are written in the source, or nil if the source is not text or does not
    /// have this number at the place of the node.
    fileprivate func writtenDigits(of double: Double) -> DecimalDigits? {
        guard case .text(let text) = origin.source.places, let offset = origin.offset else { return nil }
        let written = text.bytes(from: offset) { DecimalDigits.isPartOfNumber($0) || $0 == UInt8(ascii: "_") }
        // TOML allows underscores between digits.
        let number = String(decoding: written.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        guard Double(number) == double else { return nil }
        return DecimalDigits(number)
    }
}

/// A decimal number of any precision: `±digits × 10^exponent`.
private struct DecimalDigits {
    private let isNegative: Bool
    /// ASCII digits, without zeros at either end.
    private let digits: ArraySlice<UInt8>
    private let exponent: Int

    // The limit to which exponents are clamped: larger than any exponent of `Decimal`, and small enough that sums of
    // exponents do not overflow.
    private static let greatestExponent = 1_000_000_000

    /// Parses an optional sign, digits with an optional point, and an optional exponent.
    init?(_ text: String) {
        var rest = text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        rest = rest.droppingSign
        let whole = rest.prefix(while: \.isDigit)
        rest = rest[whole.endIndex...]
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: \.isDigit)
            rest = rest[fraction.endIndex...]
        }
        guard !whole.isEmpty || !fraction.isEmpty, let power = Self.exponent(rest) else { return nil }
        let significant = (Array(whole) + fraction).drop { $0 == Self.zero }
        let zeros = significant.reversed().prefix { $0 == Self.zero }.count
        digits = significant.dropLast(zeros)
        exponent = power - fraction.count + zeros
    }

    /// Whether a byte may be part of a number.
    static func isPartOfNumber(_ byte: UInt8) -> Bool {
        byte.isDigit || "+-.eE".utf8.contains(byte)
    }

    /// Returns the number as text: an integer with an exponent. Returns nil if it needs too many digits, or an exponent
    /// out of range.
    func text(digits greatestCount: Int, exponents: ClosedRange<Int>) -> String? {
        guard !digits.isEmpty else { return "0" }
        // If the exponent is too large, appends zeros to the digits and reduces the exponent, as far as the number of
        // digits allows.
        let zeros = max(0, exponent - exponents.upperBound)
        guard digits.count <= greatestCount - zeros, exponent >= exponents.lowerBound else { return nil }
        let text = String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: zeros)
        return "\(isNegative ? "-" : "")\(text)e\(exponent - zeros)"
    }

    private static let zero = UInt8(ascii: "0")

    // Parses the text after the digits: returns the number after an `e`, 0 for an empty text, and nil for any other
    // text.
    private static func exponent(_ text: Substring.UTF8View) -> Int? {
        guard let first = text.first else { return 0 }
        let digits = text.dropFirst().droppingSign
        guard first | 0x20 == UInt8(ascii: "e"), !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
        let size = digits.reduce(0) { min($0 * 10 + Int($1 - zero), greatestExponent) }
        return text.dropFirst().first == UInt8(ascii: "-") ? -size : size
    }
}

extension Substring.UTF8View {
    fileprivate var droppingSign: Self {
        first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? dropFirst() : self
    }
}
