import Foundation
import PropertyLoaders

/// A type of the service that a schema names: the usual type of a type of JSON Schema, or that of `x-type`.
struct SchemaType: Sendable {
    typealias Swift = any (SourceConvertible & SendableMetatype).Type

    /// Whether `x-type` names the type. A schema that the service writes then has the noun for its limits, too.
    let isNamed: Bool
    private let type: Swift

    private static let all: [Swift] = [
        Bool.self, String.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
        UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self, Double.self, Float.self,
        Decimal.self, Duration.self, Date.self, PropertyDateTime.self, URL.self, Data.self,
        UUID.self,
    ]

    /// Returns the usual type for values of a type of JSON Schema, or nil for arrays, tables and null.
    init?(json name: String) {
        switch name {
        case "boolean": type = Bool.self
        case "string": type = String.self
        case "integer": type = Int.self
        case "number": type = Double.self
        default: return nil
        }
        isNamed = false
    }

    /// Returns the type with a name, or nil if the tool does not have it.
    init?(named name: String) {
        guard let type = Self.all.first(where: { name.isSame(as: String(describing: $0)) }) else { return nil }
        (self.type, isNamed) = (type, true)
    }

    /// Returns the usual type of a value, or nil for arrays, tables and null.
    init?(of value: PropertyValue) {
        switch value {
        case .bool: self.init(json: "boolean")
        case .integer, .unsigned: self.init(json: "integer")
        case .double: self.init(json: "number")
        case .string: self.init(json: "string")
        default: return nil
        }
    }

    /// The noun for the values.
    var noun: String { TypeName.noun(type) }
    var isByte: Bool { type == UInt8.self }

    /// Converts a value, and returns whether it is within limits.
    func accepts(_ node: PropertyNode, _ limits: SchemaLimits?) throws(PropertyError) -> Bool {
        guard let limits, let comparable = type as? any (Comparable & SourceConvertible).Type else {
            _ = try type.init(property: node.single)
            return true
        }
        return try limits.contain(node, as: comparable)
    }

    /// Converts a value, and returns it as a source of its type has it.
    func sourceValue(_ node: PropertyNode) throws(PropertyError) -> PropertyValue {
        try type.init(property: node.single).sourceValue
    }
}

/// The limits of values in a schema.
struct SchemaLimits: Sendable {
    /// The limits as the schema has them. Text is converted like that of a source without types.
    let lower: PropertyNode?
    let upper: PropertyNode?
    let excludesUpper: Bool

    /// Whether a value is within the limits.
    fileprivate func contain<Value: Comparable & PropertyConvertible>(
        _ node: PropertyNode, as type: Value.Type
    ) throws(PropertyError) -> Bool {
        let value = try Value(property: node.single)
        if let lower = try lower.map({ (limit) throws(PropertyError) in try Value(property: limit) }), value < lower {
            return false
        }
        guard let upper = try upper.map({ (limit) throws(PropertyError) in try Value(property: limit) }) else {
            // A comparison with NaN is always false.
            return lower == nil || value == value
        }
        return excludesUpper ? value < upper : value <= upper
    }

    /// The limits as a part of a noun.
    var text: String {
        KeyBounds(lower: lower?.value, upper: upper?.value, excludesUpper: excludesUpper).text
    }
}
