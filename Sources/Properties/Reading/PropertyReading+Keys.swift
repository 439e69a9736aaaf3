extension PropertyReading {
    /// Returns the value of a property, or the key's default if it is missing. Returns nil if the value is missing
    /// without a default, or wrong, which `PropertyStore.onWrongValue(_:)` reports.
    @inlinable
    public func property<Value>(_ key: TypedKey<Value>) -> Value? {
        do throws(PropertyError) {
            return try require(key)
        } catch {
            properties.report(error, readAs: Value.self)
            return nil
        }
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
    /// Reports a wrong value that is read as nil. A missing value is not wrong.
    @usableFromInline
    func report<Value>(_ error: PropertyError, readAs type: Value.Type) {
        let snapshot = snapshot
        if !snapshot.isInStart, error.reason != .missing || error.isInside {
            snapshot.wrongReads.report(error, as: type)
        }
    }

    /// Reports the variable or the argument that was probably meant to set a missing property.
    @usableFromInline
    func reportMiss(_ key: PropertyKey) {
        let snapshot = snapshot
        if let error = snapshot.state.miss(of: key) { snapshot.wrongReads.report(error, as: Void.self) }
    }

    /// The slow path for a value of any type, or for a wrong value.
    @usableFromInline
    func required<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value {
        let value = try logging(key.key, Value.self) { (state) throws(PropertyError) in
            try state.require(key.key, key.rule)
        }
        if key.rule.defaultValue != nil { reportMiss(key.key) }
        return value
    }
}
