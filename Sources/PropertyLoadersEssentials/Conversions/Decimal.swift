extension Decimal: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a number" }

    /// Reads a number of at most 38 significant digits without loss.
    ///
    /// It has the digits of the source, if the source is text. The number of a Swift value or of a binary property list is
    /// a `Double`, and is read as the shortest decimal number that rounds to it: `19.99` is 19.99. A string with a number
    /// is read, too.
    public init(property node: PropertyNode) throws(PropertyError) {
        let number: String
        switch node.value {
        case .integer(let integer): number = integer.description
        case .unsigned(let integer): number = integer.description
        case .bigInteger(let text): number = text
        case .double(let double): number = node.writtenNumber ?? double.description
        case .text(let text), .string(let text):
            guard DecimalDigits(text) != nil else {
                throw PropertyError(
                    .notParsable, node, expected: Self.propertyTypeName, remedy: "Write decimal digits")
            }
            number = text
        default: throw PropertyError(.wrongType, node, expected: Self.propertyTypeName)
        }
        guard let exact = Self.exactly(number) else {
            throw PropertyError(.outOfRange, node, expected: "a number that Decimal holds exactly")
        }
        self = exact
    }

    /// Returns the value of a decimal number, or nil if it has too many digits or is too large or too small.
    private static func exactly(_ number: String) -> Decimal? {
        // Infinity and NaN have no digits.
        guard let digits = DecimalDigits(number), digits.count <= 38 else { return nil }
        // Foundation refuses a large exponent even if the number is zero.
        if digits.count == 0 { return 0 }
        // A number whose exponent is out of range has changed its value.
        guard let decimal = Decimal(string: number), DecimalDigits(decimal.description) == digits else { return nil }
        return decimal
    }
}

extension Decimal: SourceConvertible {
    package var sourceValue: PropertyValue {
        let text = description
        if let integer = Int64(text) { return .integer(integer) }
        if let integer = UInt64(text) { return .unsigned(integer) }
        // A `Double` would lose digits of a large integer.
        if Int128(text) != nil { return .bigInteger(text) }
        guard let double = Double(text), DecimalDigits(double.description) == DecimalDigits(text) else {
            return isNaN ? .double(.nan) : .string(text)
        }
        return .double(double)
    }

    package static var schema: JsonSchema {
        [
            "type": ["number", "string"],
            "pattern": "^[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?$",
        ]
    }
}
