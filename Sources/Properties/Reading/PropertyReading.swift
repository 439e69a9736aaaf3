/// A type with properties to read: a container, the resolver in a factory, a store, or a snapshot of a store.
public protocol PropertyReading<Properties> {
    /// The type of `properties`: a store, or a snapshot.
    associatedtype Properties: PropertyReading where Properties.Properties == Properties
    /// The store or the snapshot that is read, which have further methods.
    var properties: Properties { get }
    /// The current state. It does not change any more, so several reads of it see values that belong together.
    ///
    ///     let settings = r.snapshot
    ///     let host = try settings.require("db.host", as: String.self)
    ///     let port = try settings.require("db.port", as: Int.self)
    var snapshot: PropertySnapshot { get }

    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value, or nil.
    func property<T>(_ key: PropertyKey) -> T?

    /// Returns the value of a property, or the key's default if it is missing.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value is missing and the key has no default, if it has another type, or if
    ///   the check refuses it.
    func require<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value

    /// Returns the value of a declared settings type.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the name of its table, if it is declared in several.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with all settings that are missing or wrong, each with its place.
    func settings<T: Settings>(_ type: T.Type, at name: String?) throws(ConfigurationErrors) -> T
}

extension PropertyReading {
    /// The current state of the properties.
    public var snapshot: PropertySnapshot { properties.snapshot }

    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter name: the flat name: the elements of the path joined with dots. It is case-sensitive.
    /// - Returns: the value, or nil.
    @inlinable
    public func property<T>(_ name: String) -> T? {
        properties.property(PropertyKey(name))
    }

    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value, or nil.
    @inlinable
    public func property<T>(_ key: PropertyKey) -> T? {
        properties.property(key)
    }

    /// Returns the value of a property, or a default if it is missing or null. A wrong value is an error.
    ///
    /// - Parameters:
    ///   - name: the flat name: the elements of the path joined with dots. It is case-sensitive.
    ///   - default: the value to use if no source has the name, or if it is null.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value cannot be converted to `T` without loss.
    public func property<T>(_ name: String, default: @autoclosure () -> T) throws(PropertyError) -> T {
        try property(PropertyKey(name), default: `default`())
    }

    /// Returns the value of a property, or a default if it is missing or null. A wrong value is an error.
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - default: the value to use if no source has the name, or if it is null.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value cannot be converted to `T` without loss.
    public func property<T>(_ key: PropertyKey, default: @autoclosure () -> T) throws(PropertyError) -> T {
        try properties.value(key, as: T.self) ?? `default`()
    }

    /// Returns the value of a property.
    ///
    /// - Parameters:
    ///   - name: the flat name: the elements of the path joined with dots. It is case-sensitive.
    ///   - type: the type to read it as.
    /// - Returns: the value.
    /// - Throws: a `PropertyError` if the value is missing, null, or cannot be converted to `T` without loss. The error
    ///   has the place of the value.
    public func require<T>(_ name: String, as type: T.Type = T.self) throws(PropertyError) -> T {
        try require(PropertyKey(name), as: type)
    }

    /// Returns the value of a property.
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - type: the type to read it as.
    /// - Returns: the value.
    /// - Throws: a `PropertyError` if the value is missing, null, or cannot be converted to `T` without loss. The error
    ///   has the place of the value.
    public func require<T>(_ key: PropertyKey, as type: T.Type = T.self) throws(PropertyError) -> T {
        try properties.required(key, as: type)
    }
}
