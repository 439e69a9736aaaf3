/// A type that properties can be read as.
///
/// The basic types, arrays, string-keyed dictionaries and optionals conform; so do `URL`, `Date` and `Data` where a
/// module with loaders is linked. Enums with raw values and `Decodable` types need no conformance.
public protocol PropertyConvertible {
    /// What messages call the type, with its article: "an integer".
    static var propertyTypeName: String { get }

    /// Makes the value that a node holds exactly.
    ///
    /// - Throws: a `PropertyMismatch` where the node holds anything else.
    init(property node: PropertyNode) throws(PropertyMismatch)
}

extension PropertyNode: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a value" }

    /// Any value, with its origin and all that is in it.
    public init(property node: PropertyNode) throws(PropertyMismatch) { self = node }
}

extension PropertyValue: PropertyConvertible {
    /// What messages call the type.
    public static var propertyTypeName: String { "a value" }

    /// Any value, with all that is in it.
    public init(property node: PropertyNode) throws(PropertyMismatch) { self = node.value }
}
