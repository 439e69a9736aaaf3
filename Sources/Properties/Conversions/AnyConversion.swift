/// The Foundation types of values that are read as `Any`.
///
/// `Properties` does not import Foundation. The module that does makes `NaturalValue` conform.
package protocol NaturalValues: SendableMetatype {
    /// A `Date` for an offset date-time, otherwise the value itself.
    static func any(_ dateTime: PropertyDateTime) -> Any
    /// The bytes as `Data`.
    static func any(_ bytes: [UInt8]) -> Any
}

/// Conforms to `NaturalValues` if a module that imports Foundation is linked.
package enum NaturalValue {}

extension Conversion {
    private static let natural = (NaturalValue.self as Any.Type) as? any NaturalValues.Type

    /// The value as the Swift type that suits it best.
    package static func any(_ node: PropertyNode) -> Any {
        switch node.value {
        case .null: Any?.none as Any
        case .bool(let bool): bool
        case .integer(let integer): Int(exactly: integer) ?? integer
        case .unsigned(let integer): integer
        case .bigInteger(let digits): wide(digits)
        case .double(let double): double
        case .string(let string), .text(let string): string
        case .data(let bytes): natural.map { $0.any(bytes) } ?? bytes as Any
        case .dateTime(let dateTime): natural.map { $0.any(dateTime) } ?? dateTime as Any
        case .array(let nodes): nodes.map { any($0) }
        case .table(let table): dictionary(table)
        case .opaque(let opaque): opaque.value
        }
    }

    /// A table as a dictionary of natural values. A null has no entry.
    package static func dictionary(_ table: PropertyTable) -> [String: Any] {
        var dictionary: [String: Any] = [:]
        for entry in table {
            if case .null = entry.node.value { continue }
            dictionary[entry.key] = any(entry.node)
        }
        return dictionary
    }

    /// Throws if a table has a key that is too long for a dictionary, or two keys that are equal as Swift strings,
    /// which are compared after Unicode normalisation.
    static func checkKeys(in node: PropertyNode, _ context: ConversionContext) throws(PropertyMismatch) {
        switch node.value {
        case .table(let table):
            try context.checkKeys(of: table, in: node)
            var keys: Set<String> = []
            for entry in table {
                guard keys.insert(entry.key).inserted else {
                    throw DictionaryKey.duplicate(entry, entry.key, in: table)
                }
                try inside(".\(entry.key)") { () throws(PropertyMismatch) in try checkKeys(in: entry.node, context) }
            }
        case .array(let nodes):
            for (index, element) in nodes.enumerated() {
                try inside("[\(index)]") { () throws(PropertyMismatch) in try checkKeys(in: element, context) }
            }
        default: break
        }
    }

    private static func inside(
        _ step: @autoclosure () -> String, _ body: () throws(PropertyMismatch) -> Void
    ) throws(PropertyMismatch) {
        do throws(PropertyMismatch) {
            try body()
        } catch {
            throw error.inside(step())
        }
    }

    private static func wide(_ digits: String) -> Any {
        if let integer = Int128(digits) { return integer }
        if let integer = UInt128(digits) { return integer }
        return digits
    }
}
