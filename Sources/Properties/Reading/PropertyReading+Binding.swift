extension PropertyReading {
    /// Decodes a value of a `Decodable` type from a table or from all properties.
    ///
    ///     let config = try store.bind(ServerConfig.self, at: "server")
    ///
    /// Values inside the type, such as durations, URLs, dates and enums, are converted as `property` converts them. A
    /// value may be missing if it is optional, or if the type's own `init(from:)` has a default for it.
    ///
    /// Later changes are not checked against the type, unless it is a declared settings type.
    ///
    /// Decoding a type stops at its first problem. All elements of arrays and dictionaries are decoded, and their
    /// problems are reported together. Keys that the type does not look up are ignored. A settings type refuses them.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - name: the flat name of the table, or nil for all properties. The empty name refers to the key `""`.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with at most 1,000 values that are wrong, each with its place, and the number of
    ///   the others.
    public func bind<T: Decodable>(
        _ type: T.Type = T.self, at name: String? = nil
    ) throws(ConfigurationErrors) -> T {
        let snapshot = properties.snapshot, key = name.map { PropertyKey($0) }
        snapshot.logs.add(key, in: snapshot.state, check: snapshot.state.bindingCheck(of: type, at: name))
        do throws(PropertyError) {
            return try snapshot.state.bind(type, at: name)
        } catch {
            for problem in error.all {
                let key = problem.isAboutAll ? nil : PropertyKey(problem.name)
                snapshot.logs.add(key, in: snapshot.state, problem)
            }
            throw ConfigurationErrors(error.all)
        }
    }
}

extension MergedState {
    // Without the constraint on the type: the closure must not refer to a conformance that may be isolated to an actor.
    fileprivate func bindingCheck<T>(of type: T.Type, at name: String?) -> ReadCheck {
        ReadCheck(name.map { PropertyKey($0) }, type) { (state) throws(PropertyError) in
            _ = try state.bind(type, at: name)
        }
    }

    /// Converts a table, or all properties, to a type.
    fileprivate func bind<T>(_ type: T.Type, at name: String?) throws(PropertyError) -> T {
        // Placeholders are checked first, because an optional property, or a default in the type, would hide their
        // errors.
        try converting(name.map { PropertyKey($0) }, expected: TypeName.noun(type)) { () throws(PropertyError) in
            guard let node = nodeOrRoot(name) else { throw PropertyError(missing: TypeName.noun(type), in: nil) }
            return try Conversion.convert(node, to: type)
        }
    }
}
