/// What reads properties: a container, the resolver in a factory, a store on its own.
public protocol PropertyReading {
    /// The store that the reads go to.
    var properties: PropertyStore { get }
}

extension PropertyReading {
    /// The value of a property, or nil where it is absent, null, or not exactly a `T`.
    ///
    /// - Parameter name: the flat name, case-sensitive: the path's elements joined with dots.
    @inlinable
    public func property<T>(_ name: String) -> T? {
        properties.read(name, NameHash.value(of: name), as: T.self)
    }

    /// The value of a property, or nil where it is absent, null, or not exactly a `T`.
    ///
    /// - Parameter key: the property's key.
    @inlinable
    public func property<T>(_ key: PropertyKey) -> T? {
        properties.read(key.rawValue, key.nameHash, as: T.self)
    }

    /// The value of a property, or a default where it is missing. A default never hides a value that is wrong.
    ///
    /// - Parameters:
    ///   - name: the flat name, case-sensitive: the path's elements joined with dots.
    ///   - default: what stands in where no source has the name, or a null masks it.
    /// - Throws: a `PropertyError` where the value is no `T`.
    public func property<T>(_ name: String, default: @autoclosure () -> T) throws(PropertyError) -> T {
        try property(PropertyKey(name), default: `default`())
    }

    /// The value of a property, or a default where it is missing. A default never hides a value that is wrong.
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - default: what stands in where no source has the name, or a null masks it.
    /// - Throws: a `PropertyError` where the value is no `T`.
    public func property<T>(_ key: PropertyKey, default: @autoclosure () -> T) throws(PropertyError) -> T {
        try properties.value(key, as: T.self) ?? `default`()
    }

    /// The value of a property.
    ///
    /// - Parameters:
    ///   - name: the flat name, case-sensitive: the path's elements joined with dots.
    ///   - type: the type to read it as.
    /// - Throws: a `PropertyError` that says whether it is missing or is no `T`, and where it stands.
    public func require<T>(_ name: String, as type: T.Type = T.self) throws(PropertyError) -> T {
        try require(PropertyKey(name), as: type)
    }

    /// The value of a property.
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - type: the type to read it as.
    /// - Throws: a `PropertyError` that says whether it is missing or is no `T`, and where it stands.
    public func require<T>(_ key: PropertyKey, as type: T.Type = T.self) throws(PropertyError) -> T {
        try properties.required(key, as: type)
    }
}
