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
    /// problems are reported together.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - name: the flat name of the table, or nil for all properties. The empty name refers to the key `""`.
    ///   - unknownKeys: what happens to keys that the type does not look up.
    /// - Returns: the value.
    /// - Throws: `ConfigurationErrors` with all refused keys and with at most 1,000 values that are wrong, each with its
    ///   place.
    public func bind<T: Decodable>(
        _ type: T.Type = T.self, at name: String? = nil, unknownKeys: UnknownKeys = .ignored
    ) throws(ConfigurationErrors) -> T {
        let properties = properties
        while true {
            let snapshot = properties.snapshot
            let bound = snapshot.state.bind(type, at: name, unknownKeys: unknownKeys)
            for key in bound.keys {
                snapshot.record.add(key)
                snapshot.reads?.add(key, in: snapshot.state)
            }
            for problem in bound.problems {
                snapshot.record.add(problem.isAboutAll ? nil : PropertyKey(problem.name), problem)
            }
            guard let value = bound.value, bound.refused.isEmpty else {
                throw ConfigurationErrors(bound.problems + bound.refused)
            }
            guard let store = properties as? PropertyStore else { return value }
            let check = BindingCheck(type, at: name, refusesUnknownKeys: unknownKeys.areRefused)
            if store.check(check, since: snapshot.state) { return value }
        }
    }
}

/// The result of binding a type.
struct BoundValue<T> {
    /// The value, or nil after an error.
    var value: T?
    /// The errors of the conversion.
    var problems: [PropertyError] = []
    /// The errors about unknown keys that were refused.
    var refused: [PropertyError] = []
    /// The keys that were read. Nil stands for all properties.
    var keys: [PropertyKey?] = []
}

extension MergedState {
    /// Converts a table, or all properties, to a type. The type is not constrained, so that a later check can repeat
    /// the conversion.
    func bind<T>(
        _ type: T.Type, at name: String?, unknownKeys: UnknownKeys, naming: SettingNaming = .exact
    ) -> BoundValue<T> {
        let key = name.map { PropertyKey($0) }
        var bound = BoundValue<T>(keys: key.map { [$0] } ?? [])
        // Placeholders are checked first, because an optional property, or a default in the type, would hide their
        // errors.
        do throws(PropertyError) {
            try checkPlaceholders(key, expected: TypeName.noun(type))
        } catch {
            bound.problems = [error]
            return bound
        }
        guard let node = table(name) else {
            bound.problems = [PropertyError(missing: name ?? "", expected: TypeName.noun(type), self)]
            return bound
        }
        let keyUsage = KeyUsage(node, isDeep: !unknownKeys.areIgnored)
        do throws(PropertyError) {
            bound.value = try Conversion.convert(
                node, to: type, in: ConversionContext(keyUsage: keyUsage, naming: naming))
        } catch {
            bound.problems = error.all.map { PropertyError($0, at: name, self) }
        }
        // Each key that the type looked up is read. A type that looked up no keys, such as a dictionary, has read all
        // properties.
        if name == nil { bound.keys = keyUsage.root.keys ?? [nil] }
        bound.refused = unknownKeys.handle(
            keyUsage.unknownKeys.map { unknown in
                // Elements of an array that a loader created from literals have no source.
                let nameOrigin = unknown.origin.source.isUnknown ? key.flatMap { self.origin(of: $0) } : nil
                return PropertyError(
                    unknown: name.joined(path: unknown.path), at: nameOrigin ?? unknown.origin, unknown.candidates, self
                )
            })
        return bound
    }
}
