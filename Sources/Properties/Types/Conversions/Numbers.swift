// Numbers are converted only without loss. A conversion that would lose a digit is refused. A `Bool` is not a number.

extension PropertyConvertible where Self: FixedWidthInteger {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "an integer" }

    /// Reads a whole number in range. Untyped text must consist of decimal digits, after an optional sign.
    public init(property node: PropertyNode) throws(PropertyError) {
        let exact: Self?
        switch node.value {
        case .integer(let integer): exact = Self(exactly: integer)
        case .unsigned(let integer): exact = Self(exactly: integer)
        case .bigInteger(let digits): exact = Self(digits)
        case .double(let double):
            guard double.rounded() == double else {
                throw Self.mismatch(.wrongType, node, remedy: "Write a whole number")
            }
            exact = Self(exactly: double)
            // From 2^53 on, several integers have the same nearest `Double`, so the integer in the source is not known.
            guard exact == nil || double.magnitude < ambiguousWhole else {
                throw Self.mismatch(.outOfRange, node, remedy: "Write it without a fraction or exponent")
            }
        case .text(let text):
            exact = Self(text)
            if exact == nil, !isInteger(text) {
                throw Self.mismatch(.notParsable, node, remedy: "Write decimal digits")
            }
        default:
            throw Self.mismatch(.wrongType, node, remedy: unquoted(node))
        }
        guard let exact else {
            throw PropertyError(.outOfRange, node, expected: "an integer from \(Self.min) to \(Self.max)")
        }
        self = exact
    }
}

/// 2^53, the smallest whole `Double` that is nearest to several integers: to 2^53 and to 2^53 + 1.
private let ambiguousWhole: Double = 0x1p53

// `SourceValue.swift` has how they are written in a source.
extension Int: SourceConvertible {}
extension Int8: SourceConvertible {}
extension Int16: SourceConvertible {}
extension Int32: SourceConvertible {}
extension Int64: SourceConvertible {}
extension Int128: SourceConvertible {}
extension UInt: SourceConvertible {}
extension UInt8: SourceConvertible {}
extension UInt16: SourceConvertible {}
extension UInt32: SourceConvertible {}
extension UInt64: SourceConvertible {}
extension UInt128: SourceConvertible {}

extension PropertyConvertible where Self: BinaryFloatingPoint & LosslessStringConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a number" }

    /// Reads a number. An integer is refused if the type cannot represent it exactly, or if it has more than 128 bits.
    /// A fraction is rounded to the nearest value of the type.
    public init(property node: PropertyNode) throws(PropertyError) {
        let exact: Self?
        var isTooLarge = false
        switch node.value {
        case .integer(let integer): exact = Self(exactly: integer)
        case .unsigned(let integer): exact = Self(exactly: integer)
        case .bigInteger(let digits): (exact, isTooLarge) = (Self.whole(digits), Self(digits)?.isInfinite == true)
        case .double(let double): (exact, isTooLarge) = (nearest(double), true)
        case .text(let text) where isInteger(text):
            (exact, isTooLarge) = (Self.whole(text), Self(text)?.isInfinite == true)
        case .text(let text):
            guard let parsed = Self(text), !hasExtension(text) else { throw Self.mismatch(.notParsable, node) }
            isTooLarge = parsed.isInfinite && text.utf8.contains(where: \.isDigit)
            exact = isTooLarge ? nil : parsed
        default:
            throw Self.mismatch(.wrongType, node, remedy: unquoted(node))
        }
        guard let exact else {
            let limit = Self.greatestFiniteMagnitude
            throw PropertyError(
                .outOfRange, node,
                expected: isTooLarge
                    ? "a number from \(-limit) to \(limit)" : "a number that \(Self.self) holds exactly")
        }
        self = exact
    }
}

extension BinaryFloatingPoint {
    /// Returns the value of decimal digits, or nil if the type cannot represent it exactly.
    fileprivate static func whole(_ digits: String) -> Self? {
        Int128(digits).flatMap { Self(exactly: $0) } ?? UInt128(digits).flatMap { Self(exactly: $0) }
    }
}

extension Double: PropertyConvertible {}
extension Float: PropertyConvertible {}

// Returns the nearest value of the type, or nil if the number is beyond its range.
private func nearest<F: BinaryFloatingPoint>(_ double: Double) -> F? {
    let nearest = F(double)
    return nearest.isInfinite && double.isFinite ? nil : nearest
}

// Whether a text that Swift reads as a number is refused here: a hexadecimal number such as `0x1p4`, a NaN with details
// such as `snan` and `nan(5)`, and a zero byte, which Swift ignores with everything after it.
private func hasExtension(_ text: String) -> Bool {
    text.utf8.contains { $0 == 0 || "xXsS(".utf8.contains($0) }
}

private func isInteger(_ text: String) -> Bool {
    let digits =
        text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true
        ? text.utf8.dropFirst() : text.utf8[...]
    return !digits.isEmpty && digits.allSatisfy(\.isDigit)
}

/// Returns the advice for a number in quotes, or nil for all other values.
func unquoted(_ node: PropertyNode) -> String? {
    if case .string(let string) = node.value, Double(string) != nil { "Remove the quotes" } else { nil }
}
