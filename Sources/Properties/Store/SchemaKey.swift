/// A key of a service, of which only the schema is known.
package struct SchemaKey: Sendable {
    package let name: String
    let expected: String
    package var isRequired: Bool
    package let isSecret: Bool
    let defaultValue: PropertyValue?
    private let convert: @Sendable (PropertyNode) throws(PropertyError) -> Void

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - name: the flat name.
    ///   - expected: the noun for "expected …" in messages.
    ///   - isRequired: whether a source must have a value.
    ///   - isSecret: whether the value is masked.
    ///   - defaultValue: the default, or nil if it is not known.
    ///   - convert: converts a value as the service does, and throws the error of the conversion.
    package init(
        _ name: String, expected: String, isRequired: Bool, isSecret: Bool, defaultValue: PropertyValue? = nil,
        convert: @escaping @Sendable (PropertyNode) throws(PropertyError) -> Void
    ) {
        self.name = name
        self.expected = expected
        self.isRequired = isRequired
        self.isSecret = isSecret
        self.defaultValue = defaultValue
        self.convert = convert
    }

    /// A typed key that reads the value unchanged after the conversion.
    var typedKey: TypedKey<PropertyNode> {
        TypedKey(
            PropertyKey(name),
            KeyRule(
                defaultValue: isRequired ? nil : PropertyNode(defaultValue ?? .null), isSecret: isSecret,
                expected: expected, convert: convert))
    }
}

extension PropertyStore {
    /// Declares keys of which only the schemas are known, and the names of tables of settings.
    package func declare(_ keys: [SchemaKey], tables: [String] = []) {
        declare(keys.map { KeyDeclaration($0) })
        change { $0.declare(tables: tables.map { PropertyKey($0) }) }
    }
}
