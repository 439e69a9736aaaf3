extension Decimal: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a number" }

    /// Reads a number of at most 38 significant digits without loss.
    ///
    /// A number with a fraction is a `Double`, except in a source of text without types, such as the environment. It is
    /// read as the shortest decimal number that rounds to this `Double`: `19.99` is 19.99.
    public init(property node: PropertyNode) throws(PropertyError) {
        let number: String
        switch node.value {
        case .integer(let integer): number = integer.description
        case .unsigned(let integer): number = integer.description
        case .bigInteger(let text): number = text
        case .double(let double): number = double.description
        case .text(let text) where Self.isNumber(text): number = text
        case .text: throw PropertyError(.notParsable, node, expected: Self.propertyTypeName)
        case .string(let text):
            throw PropertyError(
                .wrongType, node, expected: Self.propertyTypeName,
                remedy: Self.isNumber(text) ? "Remove the quotes" : nil)
        default: throw PropertyError(.wrongType, node, expected: Self.propertyTypeName)
        }
        guard let exact = Self.exactly(number) else {
            throw PropertyError(.outOfRange, node, expected: "a number that Decimal holds exactly")
        }
        self = exact
    }

    // Infinity, NaN and hexadecimal numbers have other letters.
    private static func isNumber(_ text: String) -> Bool {
        Double(text) != nil && text.utf8.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
    }

    /// Returns the value of a decimal number, or nil if it has too many digits or is too large or too small.
    private static func exactly(_ number: String) -> Decimal? {
        guard isNumber(number) else { return nil }
        let count = digitCount(of: number)
        // Foundation refuses a large exponent even if the number is zero.
        if count == 0 { return 0 }
        guard count <= 38, let decimal = Decimal(string: number) else { return nil }
        // A number whose exponent is out of range has become another one.
        return Double(decimal.description) == Double(number) ? decimal : nil
    }

    /// The number of digits, without zeros at either end.
    private static func digitCount(of number: String) -> Int {
        let digits = number.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter(\.isDigit)
        let rest = digits.drop { $0 == UInt8(ascii: "0") }
        return rest.count - rest.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    }
}

extension Decimal: SourceConvertible {
    package var sourceValue: PropertyValue {
        let text = description
        if let integer = Int64(text) { return .integer(integer) }
        if let integer = UInt64(text) { return .unsigned(integer) }
        // A `Double` would lose digits of a large integer.
        if Int128(text) != nil { return .bigInteger(text) }
        return .double(Double(text) ?? .nan)
    }

    package static var schema: JsonSchema { ["type": "number"] }
}
