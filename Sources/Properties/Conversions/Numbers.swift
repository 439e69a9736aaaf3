// Numbers convert only exactly: what would lose a digit is refused, and Bool is no number.

extension PropertyConvertible where Self: FixedWidthInteger {
    /// What messages call the type.
    public static var propertyTypeName: String { "an integer" }

    /// Reads a number that is whole and in range; of untyped text its decimal digits.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        let exact: Self?
        switch node.value {
        case .integer(let integer): exact = Self(exactly: integer)
        case .unsigned(let integer): exact = Self(exactly: integer)
        case .bigInteger(let digits): exact = Self(digits)
        case .double(let double):
            guard double.rounded() == double else {
                throw PropertyMismatch(
                    .wrongType, node, expected: Self.propertyTypeName, remedy: "Write a whole number")
            }
            exact = Self(exactly: double)
            // From here on a Double is the nearest one to several integers, and which was written is lost.
            guard exact == nil || double.magnitude < ambiguousWhole else {
                throw PropertyMismatch(
                    .outOfRange, node, expected: Self.propertyTypeName,
                    remedy: "Write it without a fraction or exponent")
            }
        case .text(let text):
            exact = Self(text)
            if exact == nil, !isInteger(text) {
                throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
            }
        default:
            throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName, remedy: unquoted(node))
        }
        guard let exact else {
            throw PropertyMismatch(.outOfRange, node, expected: "an integer from \(Self.min) to \(Self.max)")
        }
        self = exact
    }
}

/// The least whole Double that is also the nearest one to another integer: to 2^53 + 1.
private let ambiguousWhole: Double = 0x1p53

extension Int: PropertyConvertible {}
extension Int8: PropertyConvertible {}
extension Int16: PropertyConvertible {}
extension Int32: PropertyConvertible {}
extension Int64: PropertyConvertible {}
extension Int128: PropertyConvertible {}
extension UInt: PropertyConvertible {}
extension UInt8: PropertyConvertible {}
extension UInt16: PropertyConvertible {}
extension UInt32: PropertyConvertible {}
extension UInt64: PropertyConvertible {}
extension UInt128: PropertyConvertible {}

extension PropertyConvertible where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a number" }

    /// Reads a number: an integer where it is exact, a fraction as the nearest one in range.
    public init(property node: PropertyNode) throws(PropertyMismatch) {
        let exact: Self?
        var expected = "a number that \(Self.self) holds exactly"
        switch node.value {
        case .integer(let integer): exact = Self(exactly: integer)
        case .unsigned(let integer): exact = Self(exactly: integer)
        case .bigInteger(let digits): exact = Self.whole(digits)
        case .double(let double):
            exact = nearest(double)
            expected = "a number in the range of \(Self.self)"
        case .text(let text) where isInteger(text): exact = Self.whole(text)
        case .text(let text):
            // Swift reads the hexadecimal 0x1p4 too.
            guard let parsed = Self(text), !text.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "x") }) else {
                throw PropertyMismatch(.notParsable, node, expected: Self.propertyTypeName)
            }
            expected = "a number in the range of \(Self.self)"
            exact = parsed.isInfinite && text.utf8.contains { isDigit($0) } ? nil : parsed
        default:
            throw PropertyMismatch(.wrongType, node, expected: Self.propertyTypeName, remedy: unquoted(node))
        }
        guard let exact else {
            throw PropertyMismatch(.outOfRange, node, expected: expected)
        }
        self = exact
    }
}

extension BinaryFloatingPoint {
    /// The value of an integer's digits, where the type holds it exactly.
    fileprivate static func whole(_ digits: String) -> Self? {
        Int128(digits).flatMap { Self(exactly: $0) } ?? UInt128(digits).flatMap { Self(exactly: $0) }
    }
}

extension Double: PropertyConvertible {}
extension Float: PropertyConvertible {}

// A decimal fraction is the nearest one in either width; what is beyond the range is no value.
private func nearest<F: BinaryFloatingPoint>(_ double: Double) -> F? {
    let nearest = F(double)
    return nearest.isInfinite && double.isFinite ? nil : nearest
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isInteger(_ text: String) -> Bool {
    let digits =
        text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
        ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.allSatisfy(isDigit)
}

/// The advice for a number or boolean that stands in quotes.
func unquoted(_ node: PropertyNode) -> String? {
    if case .string(let string) = node.value, Double(string) != nil { "Remove the quotes" } else { nil }
}
