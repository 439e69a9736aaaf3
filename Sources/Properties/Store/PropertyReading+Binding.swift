extension PropertyReading {
    /// Decodes a value of a `Decodable` type from a table or from all properties.
    ///
    ///     let config = try store.bind(ServerConfig.self, at: "server")
    ///
    /// Values inside the type, such as durations, URLs, dates and enums, are converted as `property` converts them. A
    /// value may be missing if it is optional, or if the type's own `init(from:)` has a default for it.
    ///
    /// From then on, a reload or `apply` with which the type could no longer be bound is refused. This does not hold
    /// for a type that is bound from a snapshot.
    ///
    /// Decoding a type stops at its first problem. All elements of arrays and dictionaries are decoded, and their
    /// problems are reported together. Keys that the type does not look up are ignored. A settings type refuses them.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - name: the flat name of the table, or nil for all properties. The empty name refers to the key `""`.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with at most 1,000 values that are wrong, each with its place.
    public func bind<T: Decodable>(
        _ type: T.Type = T.self, at name: String? = nil
    ) throws(ConfigurationErrors) -> T {
        let properties = properties, key = name.map { PropertyKey($0) }
        while true {
            let snapshot = properties.snapshot
            let (value, problems) = snapshot.state.bind(type, at: name)
            snapshot.record.add(key)
            snapshot.reads?.add(key, in: snapshot.state)
            for problem in problems {
                snapshot.record.add(problem.isAboutAll ? nil : PropertyKey(problem.name), problem)
            }
            guard let value else { throw ConfigurationErrors(problems) }
            guard let store = properties as? PropertyStore else { return value }
            let check = BindingCheck(type, at: name)
            if store.ownChecks.contains(check) { return value }
            if store.check(since: snapshot.state, { $0.add(check) }) { return value }
        }
    }
}

extension MergedState {
    /// Converts a table, or all properties, to a type. The type is not constrained, so that a later check can repeat
    /// the conversion.
    ///
    /// - Returns: the value, or the problems.
    func bind<T>(_ type: T.Type, at name: String?) -> (value: T?, problems: [PropertyError]) {
        // Placeholders are checked first, because an optional property, or a default in the type, would hide their
        // errors.
        do throws(PropertyError) {
            try checkPlaceholders(name.map { PropertyKey($0) }, expected: TypeName.noun(type))
        } catch {
            return (nil, [error])
        }
        guard let node = table(name) else {
            return (nil, [PropertyError(missing: name ?? "", expected: TypeName.noun(type), self)])
        }
        do throws(PropertyError) {
            return (try Conversion.convert(node, to: type), [])
        } catch {
            return (nil, PropertyError(error, at: name, self).all)
        }
    }
}
