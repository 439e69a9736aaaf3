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
