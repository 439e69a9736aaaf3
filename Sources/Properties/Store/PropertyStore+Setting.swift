import TextBasics

extension PropertyStore {
    /// Sets a property in the program, for example in a test or for a feature switch.
    ///
    ///     try store.set("checkout.new", to: true)
    ///
    /// The value is a source of its own, which is checked like other sources, and overrides all of them, also sources
    /// that are applied later, for example by a start. A setting that needs a restart has the value at once, too.
    /// Setting the same name again replaces the value. A null hides the values of other sources.
    ///
    /// Each call merges all sources again, as a reload does after it has read them. To set many values, pass them to one
    /// `set`.
    ///
    /// - Parameters:
    ///   - name: the flat name. Dots separate the keys of its path.
    ///   - value: the value.
    ///   - fileID: the file of the caller, as the origin of the value.
    ///   - line: the line of the caller.
    /// - Throws: the same errors as `apply`. The store does not change then.
    public func set(
        _ name: String, to value: PropertyValue, fileID: String = #fileID, line: Int = #line
    ) throws(ConfigurationErrors) {
        try set([name: value], fileID: fileID, line: line)
    }

    /// Sets a property in the program to any value that a property can be read as, such as a number, a `Duration`, an array
    /// or an enum.
    ///
    ///     try store.set("db.poolSize", to: size)
    ///
    /// - Parameters:
    ///   - name: the flat name. Dots separate the keys of its path.
    ///   - value: the value. A value of another type can be read only as its own type.
    ///   - fileID: the file of the caller, as the origin of the value.
    ///   - line: the line of the caller.
    /// - Throws: the same errors as `apply`. The store does not change then.
    @_disfavoredOverload  // A literal is a `PropertyValue`, also one with elements of different types.
    public func set(
        _ name: String, to value: some Sendable, fileID: String = #fileID, line: Int = #line
    ) throws(ConfigurationErrors) {
        try set([name: PropertyValue(marking: value)], fileID: fileID, line: line)
    }

    /// Sets several properties in one step, each as a single `set` does. It costs about as much as a single `set`.
    ///
    ///     try store.set(["server.port": 8081, "server.host": "::"])
    ///
    /// - Parameters:
    ///   - values: the flat names and values.
    ///   - fileID: the file of the caller, as the origin of the values.
    ///   - line: the line of the caller.
    /// - Throws: the same errors as `apply`. The store does not change then.
    public func set(
        _ values: KeyValuePairs<String, PropertyValue>, fileID: String = #fileID, line: Int = #line
    ) throws(ConfigurationErrors) {
        try apply(
            values.map { name, value in
                SetValue(key: PropertyKey(name), value: value, isSecret: false, place: "\(fileID):\(line)")
            })
    }

    /// Sets the property of a typed key in the program.
    ///
    ///     try store.set(.port, to: 8081)
    ///
    /// - Parameters:
    ///   - key: the property's key.
    ///   - value: the value.
    ///   - fileID: the file of the caller, as the origin of the value.
    ///   - line: the line of the caller.
    /// - Throws: the refusal by the key's check, or the same errors as `apply`. The store does not change then.
    public func set<Value>(
        _ key: TypedKey<Value>, to value: Value, fileID: String = #fileID, line: Int = #line
    ) throws(ConfigurationErrors) {
        let setting = SetValue(
            key: key.key, value: PropertyValue(source: value), isSecret: key.isSecret, place: "\(fileID):\(line)")
        guard key.rule.accepts(value) else {
            let node = PropertyNode(setting.value, origin: PropertyOrigin(source: setting.source))
            let mismatch = PropertyError(.refused, node, expected: key.noun)
            throw ConfigurationErrors([
                PropertyError(mismatch, at: key.key.rawValue, snapshot.state, isSecret: key.isSecret)
            ])
        }
        try apply(setting)
    }

    /// Removes the values that `set` has set for names. The properties have the values of the other sources again.
    ///
    /// - Parameter names: the flat names.
    /// - Throws: the same errors as `apply`. The store does not change then.
    public func unset(_ names: String...) throws(ConfigurationErrors) {
        let keys = Set(names.map { PropertyKey(SetValue.identity(of: $0)) })
        _ = try changeChecked(acceptsOldProblems: true) { $0.remove(keys) }
    }
}

/// The source of a value that the program sets.
private struct SetValue: PropertyLoader {
    let key: PropertyKey
    let value: PropertyValue
    let isSecret: Bool
    /// The file and line of the call.
    let place: String

    /// Returns the identity of the value of a name.
    static func identity(of name: String) -> String { PropertySource.setIdentity + name }

    var source: PropertySource {
        PropertySource(name: "set at \(place)", identity: Self.identity(of: key.rawValue), isSecret: isSecret)
    }

    func load() -> PropertyLayer {
        var layer: PropertyLayer = [key.rawValue: value]
        layer.source = source
        layer.isSecret = isSecret
        layer.howToSet = { _, _ in nil }
        return layer
    }
}
