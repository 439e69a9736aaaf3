/// Converts values to types of Foundation when they are read as `Any`.
///
/// `Properties` does not import Foundation. A module that imports it declares the conformance of `NaturalValue`.
package protocol NaturalValues: SendableMetatype {
    /// Returns a `Date` for an offset date-time, and all other dates and times unchanged.
    static func any(_ dateTime: PropertyDateTime) -> Any
    /// Returns the bytes as `Data`.
    static func any(_ bytes: [UInt8]) -> Any
}

/// Conforms to `NaturalValues` if a module that imports Foundation is linked.
package enum NaturalValue {}

extension Conversion {
    private static let natural = (NaturalValue.self as Any.Type) as? any NaturalValues.Type

    /// Converts a value to its natural Swift type, such as `Int`, `String` or `[String: Any]`.
    static func plain(_ node: PropertyNode, in context: ConversionContext) throws(PropertyError) -> Any {
        switch node.value {
        case .null: return Any?.none as Any
        case .bool(let bool): return bool
        case .integer(let integer): return Int(exactly: integer) ?? integer
        case .unsigned(let integer): return integer
        case .bigInteger(let digits):
            if let integer = Int128(digits) { return integer }
            return UInt128(digits).map { $0 as Any } ?? digits
        case .double(let double): return double
        case .string(let string), .text(let string): return string
        case .data(let bytes): return natural.map { $0.any(bytes) } ?? bytes as Any
        case .dateTime(let dateTime): return natural.map { $0.any(dateTime) } ?? dateTime as Any
        case .array: return try [Any](property: node, in: context)
        case .table: return try [String: Any](property: node, in: context)
        case .opaque(let opaque): return opaque.value
        }
    }
}
