extension PropertyReading {
    /// Decodes a value of a `Decodable` type from a table or from all properties.
    ///
    ///     let config = try store.bind(ServerConfig.self, at: "server")
    ///
    /// Values inside the type, such as durations, URLs, dates and enums, are converted as `property` converts them. A
    /// value may be missing if it is optional, or if the type's own `init(from:)` has a default for it.
    ///
    /// Decoding a type stops at its first problem. All elements of arrays and dictionaries are decoded, and their
    /// problems are reported together.
    ///
    /// - Parameters:
    ///   - type: the type to decode.
    ///   - name: the flat name of the table, or nil for all properties. The empty name refers to the key `""`.
    ///   - unknownKeys: what happens to keys that the type does not look up.
    /// - Returns: the value.
    /// - Throws: `PropertyErrors` with all refused keys and with at most 1,000 values that are wrong, each with its
    ///   place.
    public func bind<T: Decodable>(
        _ type: T.Type = T.self, at name: String? = nil, unknownKeys: UnknownKeys = .ignored
    ) throws(PropertyErrors) -> T {
        let snapshot = properties.snapshot, state = snapshot.state
        let key = name.map { PropertyKey($0) }
        if let key { snapshot.record.add(key, nil) }
        // Placeholders are checked first, because an optional property, or a default in the type, would hide their
        // errors.
        do throws(PropertyError) {
            try state.checkPlaceholders(key, expected: TypeName.noun(type))
        } catch {
            snapshot.record.add(key, error)
            throw PropertyErrors(problems: [error])
        }
        guard let node = state.table(name) else {
            let name = name ?? ""
            let problem = PropertyError(missing: name, expected: TypeName.noun(type), state)
            snapshot.record.add(PropertyKey(name), problem)
            throw PropertyErrors(problems: [problem])
        }
        let keyUsage = KeyUsage()
        let result = Result { () throws(PropertyMismatch) in
            try Conversion.convert(
                node, to: type, in: ConversionContext(keyUsage: keyUsage, keyLimit: state.keyLimit))
        }
        var problems: [PropertyError] = []
        if case .failure(let mismatch) = result {
            problems = mismatch.all.map { PropertyError($0, at: name, state) }
        }
        if name == nil {
            // Marks each key that the type looked up as read. A type that looked up no keys, such as a dictionary, has
            // read all properties.
            let keys = keyUsage.keys(at: "")
            for key in keys ?? [] { snapshot.record.add(key, nil) }
            if keys == nil { snapshot.record.add(nil, nil) }
        }
        let refused = unknownKeys.handle(
            keyUsage.unknownKeys.map {
                PropertyError(unknown: name.joined(path: $0.path), at: $0.origin, $0.candidates, state)
            })
        for problem in problems {
            snapshot.record.add(problem.isAboutAll ? nil : PropertyKey(problem.name), problem)
        }
        guard case .success(let value) = result, refused.isEmpty else {
            throw PropertyErrors(problems: problems + refused)
        }
        return value
    }
}
