extension PropertyReading {
    /// Returns the value of a declared settings type.
    ///
    ///     let settings = try r.settings(ServerSettings.self)
    ///
    /// All settings are read from one state. The value is kept with the state, so that a second call returns the same
    /// value.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the name of its table, if it is declared in several.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with all settings that are missing or wrong, each with its place.
    public func settings<T: Settings>(
        _ type: T.Type = T.self, at name: String? = nil
    ) throws(ConfigurationErrors) -> T {
        try properties.settings(type, at: name)
    }
}

extension PropertySnapshot {
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
        try settings(type, for: SettingsValues.Key(type, name.map { PropertyKey($0) }))
    }

    /// Returns the value of a declared settings type.
    func settings<T: Settings>(
        _ type: T.Type, for key: SettingsValues.Key
    ) throws(ConfigurationErrors) -> T {
        if logs.isEmpty, let value = state.settings.find(key) { return value.same(as: type) }
        return try state.settings(type, for: key, logs)
    }
}

extension MergedState {
    /// Returns the value of a settings type that has not been read with this name, or whose reads are recorded.
    fileprivate func settings<T: Settings>(
        _ type: T.Type, for key: SettingsValues.Key, _ logs: [ReadLog]
    ) throws(ConfigurationErrors) -> T {
        let all = declarations.tables(of: key.type)
        let found = key.name == nil && all.count == 1 ? all[0] : all.first { $0.name == key.name }
        guard let declaration = found else {
            throw ConfigurationErrors([UndeclaredSettings(place: "\(type)", places: all.map { $0.name?.rawValue })])
        }
        if !logs.isEmpty {
            for name in declaration.flatNames.all { logs.add(name, in: self) }
        }
        let own = SettingsValues.Key(type, declaration.name)
        if let known = settings.find(own) { return settings.keep(known, for: key).same(as: type) }
        let value = settings.keep(.init(try decoded(type, declaration)), for: own)
        return settings.keep(value, for: key).same(as: type)
    }

    /// Decodes the value of a declared settings type.
    private func decoded<T: Settings>(
        _ type: T.Type, _ declaration: SettingsDeclaration
    ) throws(ConfigurationErrors) -> T {
        let reader = reader(of: declaration), result = Result { try reader.decode(type) }
        let problems = addingMisplaced(at: declaration.name, to: problems(of: reader, declaration))
        if !problems.isEmpty { throw ConfigurationErrors(problems) }
        do { return try result.get() } catch { throw ConfigurationErrors([error]) }
    }
}

/// The error of reading a settings type that is not declared, or not at the given name.
private struct UndeclaredSettings: PlacedError, CustomStringConvertible {
    let place: String
    let places: [String?]

    var message: String {
        if places.isEmpty { return "is not declared. Call declare(\(place).self, at: \"name of its table\") first" }
        let names = places.map { $0.map { "at: \"\($0)\"" } ?? "no name" }
        return "is not declared with this name. Read it with \(names.joined(separator: " or "))"
    }

    var description: String { "\(place) \(message)" }
}
