/// A type that properties can be read as.
///
/// The basic types, arrays, dictionaries and optionals conform, and so do `URL`, `Date` and `Data` if a module with
/// loaders is linked. Enums with raw values and `Decodable` types need no conformance.
public protocol PropertyConvertible {
    /// The name of the type in messages, with its article: "an integer".
    static var propertyTypeName: String { get }

    /// Makes the value from a node that contains exactly that.
    ///
    /// - Parameter node: the value of a property, with its origin.
    /// - Throws: a `PropertyMismatch` if the node contains anything else.
    init(property node: PropertyNode) throws(PropertyMismatch)
}

extension PropertyConvertible {
    /// The error about a value that is not of the type.
    static func mismatch(
        _ reason: PropertyError.Reason, _ node: PropertyNode, remedy: String? = nil
    ) -> PropertyMismatch {
        PropertyMismatch(reason, node, expected: propertyTypeName, remedy: remedy)
    }
}

extension PropertyNode: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a value" }

    /// Reads any value, with its origin and everything in it.
    public init(property node: PropertyNode) throws(PropertyMismatch) { self = node }
}

extension PropertyValue: PropertyConvertible {
    /// The name of the type in messages.
    public static var propertyTypeName: String { "a value" }

    /// Reads any value, with everything in it.
    public init(property node: PropertyNode) throws(PropertyMismatch) { self = node.value }
}
