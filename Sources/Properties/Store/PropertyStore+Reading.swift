import SharedState

// The fast path of reads. It accesses the published state under the lock of this thread's stripe, without copying it.
extension PropertyStore {
    /// Returns the value of a property, or nil if it is missing, null, or cannot be converted to `T` without loss.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value, or nil.
    @inlinable
    public func property<T>(_ key: PropertyKey) -> T? {
        guard BasicValue.includes(T.self) else { return convert(key) }
        let found = basicValue(key)
        if case .missing = found {
            reportMiss(key)
            return nil
        }
        return found.value(as: T.self) ?? convert(key)
    }

    /// Returns the value of a property, or the key's default if it is missing.
    ///
    /// - Parameter key: the property's key.
    /// - Returns: the value or the default.
    /// - Throws: a `PropertyError` if the value is missing and the key has no default, if it has another type, or if
    ///   the check refuses it.
    @inlinable
    public func require<Value>(_ key: TypedKey<Value>) throws(PropertyError) -> Value {
        guard BasicValue.includes(Value.self) else { return try required(key) }
        let found = basicValue(key.key)
        if case .missing = found, let value = key.rule.defaultValue {
            reportMiss(key.key)
            return value
        }
        if let value = found.value(as: Value.self), key.rule.accepts(value) { return value }
        return try required(key)
    }

    /// The slow path for any type.
    @usableFromInline
    func convert<T>(_ key: PropertyKey) -> T? { snapshot.property(key) }

    /// Reads the current state.
    @usableFromInline
    func basicValue(_ key: PropertyKey) -> BasicValue {
        if !log.isEmpty { return .other }
        return published.withRead { state in
            if let parent {
                if state === MergedState.empty { return parent.basicValue(key) }
                if !parent.isCurrent(state.parentIdentity) { return .other }
            }
            return starts.isEmpty ? BasicValue(state.tree.value(key)) : .other
        }
    }

    /// Returns the value of a declared settings type.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the name of its table, if it is declared in several.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with all settings that are missing or wrong, each with its place.
    public func settings<T: Settings>(
        _ type: T.Type = T.self, at name: String? = nil
    ) throws(ConfigurationErrors) -> T {
        let key = SettingsValues.Key(type, name.map { PropertyKey($0) })
        if let value = settings(read: key) { return value.same(as: type) }
        return try snapshot.settings(type, for: key)
    }

    /// Returns the value of a settings type that has been read in the current state, or nil if there is none or if reads
    /// are logged.
    func settings(read key: SettingsValues.Key) -> SettingsValues.Value? {
        if !log.isEmpty { return nil }
        return published.withRead { state in
            if state === MergedState.empty, let parent { return parent.settings(read: key) }
            return isFresh(state) && starts.isEmpty ? state.settings.find(key) : nil
        }
    }

    /// Whether a state of this store is based on the current state of its parent.
    func isFresh(_ state: borrowing MergedState) -> Bool { parent?.isCurrent(state.parentIdentity) ?? true }

    func isCurrent(_ state: MergedState) -> Bool { owner.isCurrent(ObjectIdentifier(state)) }

    /// Whether an identity belongs to the current state.
    ///
    /// An identity is the address of a state. The caller's state retains the states that it is based on, so a new state
    /// cannot have one of their addresses.
    private func isCurrent(_ identity: ObjectIdentifier?) -> Bool {
        published.withRead { state in
            guard let parent else { return ObjectIdentifier(state) == identity }
            if state === MergedState.empty { return parent.isCurrent(identity) }
            return ObjectIdentifier(state) == identity && parent.isCurrent(state.parentIdentity)
        }
    }
}

// MARK: - Logging

extension PropertyStore {
    /// Creates a view of a store, which has the properties of the store, passes changes on to it, and logs the reads.
    ///
    /// - Parameters:
    ///   - store: the other store.
    ///   - log: the log.
    package convenience init(viewOf store: PropertyStore, loggingTo log: ReadLog) {
        self.init(parent: store.owner.parent, log: [log], viewOf: store.owner)
    }
}

// MARK: - Values without a conversion

/// A value that a read returns without a conversion, so that it retains nothing that other values share.
@usableFromInline
@frozen
enum BasicValue {
    case missing, bool(Bool), integer(Int64), double(Double), string(String)
    /// A value that needs a conversion, or a read that must be logged.
    case other

    fileprivate init(_ value: PropertyValue?) {
        self =
            switch value {
            case nil: .missing
            case .bool(let bool): .bool(bool)
            case .integer(let integer): .integer(integer)
            case .double(let double): .double(double)
            case .string(let string): .string(string)
            default: .other
            }
    }

    /// Whether values of a type need no conversion. Callers inline this and `value`, so that the compiler, which knows the
    /// type there, removes the cases of all other types.
    @inlinable
    static func includes<T>(_ type: T.Type) -> Bool {
        type == Int.self || type == String.self || type == Bool.self || type == Double.self
    }

    /// Returns the value if it is of a type, otherwise nil.
    @inlinable
    func value<T>(as type: T.Type) -> T? {
        switch self {
        case .integer(let value) where type == Int.self: unsafe unsafeBitCast(Int(exactly: value), to: T?.self)
        case .string(let value) where type == String.self: unsafe unsafeBitCast(value, to: T.self)
        case .bool(let value) where type == Bool.self: unsafe unsafeBitCast(value, to: T.self)
        case .double(let value) where type == Double.self: unsafe unsafeBitCast(value, to: T.self)
        default: nil
        }
    }
}
