public import Container

extension PropertyReading {
    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter name: the flat name.
    /// - Returns: the value, or nil.
    @available(*, deprecated, renamed: "property(_:)")
    public func property<T>(forKey name: String) -> T? { property(name) }

    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value, or nil.
    @available(*, deprecated, renamed: "property(_:)")
    public func property<T>(forKey key: PropertyKey) -> T? { property(key) }
}

extension PropertyReading where Properties == PropertyStore {
    /// A line for each property, sorted by name. The values of secrets are masked.
    @available(*, deprecated, message: "Print each of properties.entries")
    public var propertiesDescription: String {
        properties.entries.map(\.description).joined(separator: "\n")
    }
}

extension Resolver {
    /// Loads properties into the container.
    ///
    /// - Parameter loader: the loader of the properties.
    /// - Throws: the error of the loader. The properties do not change then.
    @available(*, deprecated, message: "Call applyPropertyLoader(_:) of the container or the assembler")
    public func applyPropertyLoader(_ loader: some PropertyLoader) throws { try properties.apply(loader) }
}

extension PropertyKey {
    /// The flat name as in SwinjectPropertyLoader: `PropertyKey("api.timeout")`.
    @available(*, deprecated, message: "Print the key itself: its description is the name")
    public var debugDescription: String { "PropertyKey(\"\(rawValue)\")" }
}
