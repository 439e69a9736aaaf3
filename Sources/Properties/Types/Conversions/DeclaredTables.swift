/// Decodes the types whose tables are declared, which are the settings types.
protocol TableDecoding: SendableMetatype {
    /// Whether a type is one of these.
    static func includes(_ type: Any.Type) -> Bool
    /// Decodes a value of one of these types. For any other type, it throws.
    static func decode<T>(
        _ type: T.Type, from node: PropertyNode, in context: ConversionContext
    ) throws(PropertyError) -> T
}

/// Conforms to `TableDecoding` in an extension in the file of `SettingsReader`, so that no conversion knows the
/// declarations.
enum DeclaredTables {
    static let decoding = (DeclaredTables.self as Any.Type) as? any TableDecoding.Type

    /// Whether a type is a settings type.
    static func contains(_ type: Any.Type) -> Bool { decoding?.includes(type) ?? false }
}
