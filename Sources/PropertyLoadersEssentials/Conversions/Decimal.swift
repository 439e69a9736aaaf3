#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Decimal: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a number" }

    /// Reads a number of at most 38 significant digits exactly.
    ///
    /// A fraction is read from its digits in a source of text, such as JSON or TOML. Sources without text have a `Double`,
    /// which is read as the shortest number that it is the nearest `Double` to.
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

extension PropertyNode {
    /// The digits that a source of text has for a number, where they are still those of its value.
    fileprivate func writtenDigits(of double: Double) -> DecimalDigits? {
        guard case .text(let text) = origin.source.places, let offset = origin.offset else { return nil }
        let written = text.bytes(from: offset) { DecimalDigits.isPartOfNumber($0) || $0 == UInt8(ascii: "_") }
        // TOML groups digits by underscores.
        let number = String(decoding: written.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
        guard Double(number) == double else { return nil }
        return DecimalDigits(number)
    }
}
