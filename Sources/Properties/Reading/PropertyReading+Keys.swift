extension PropertyReading {
    /// Returns the value of a property, or the key's default if it is missing. Returns nil if the value is wrong, or
    /// missing without a default.
    @inlinable
    public func property<Value>(_ key: TypedKey<Value>) -> Value? {
        try? require(key)
    }

    /// Returns the value of a property, or the key's default if it is missing.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value is missing and the key has no default, if it has another type, or if
    ///   the check refuses it.
    @inlinable
    public func require<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value {
        try properties.require(key)
    }
}

extension PropertySnapshot {
    /// Returns the value of a property, or the key's default if it is missing.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value is missing and the key has no default, if it has another type, or if
    ///   the check refuses it.
    public func require<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value { try required(key) }
}

extension PropertyReading where Properties == Self {
    /// The slow path for a value of any type, or for a wrong value.
    @usableFromInline
    func required<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value {
        try logging(key.key) { (state) throws(PropertyError) in try key.rule.require(key.key, in: state) }
    }
}
