extension PropertyReading {
    /// Makes a value of a `Decodable` type from a table, or from everything.
    ///
    ///     let config = try store.bind(ServerConfig.self, at: "server")
    ///
    /// Inside the type each value is read as `property` reads it: exactly, with durations, URLs, dates and enums. A value
    /// that is an optional, or has a default in the type's own `init(from:)`, may be missing.
    ///
    /// A type stops at its first problem, since its `init(from:)` never runs on values that no source has. The elements of
    /// arrays and of tables that are dictionaries are each converted, and their problems are reported together.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - name: the flat name of the table, or nil for all properties. The empty name is that of the key `""`.
    ///   - unknownKeys: what becomes of keys that the type does not look for.
    /// - Throws: `PropertyErrors`, with the problems that were found, 1,000 at most, each with its place.
    public func bind<T: Decodable>(
        _ type: T.Type = T.self, at name: String? = nil, unknownKeys: UnknownKeys = .ignored
    ) throws(PropertyErrors) -> T {
        let snapshot = properties.snapshot
        if let name { properties.record.add(PropertyKey(name), nil) }
        // As a leaf's read does: an optional, or a default of the type's own, would hide it.
        if let cause = snapshot.cause(ofTable: name) {
            let problem = PropertyError(cause, at: name, expected: TypeName.noun(type), snapshot)
            properties.record.add(name.map { PropertyKey($0) }, problem)
            throw PropertyErrors(problems: [problem])
        }
        guard let node = snapshot.table(name) else {
            let name = name ?? ""
            let problem = PropertyError(missing: name, expected: TypeName.noun(type), snapshot)
            properties.record.add(PropertyKey(name), problem)
            throw PropertyErrors(problems: [problem])
        }
        let keyUsage = KeyUsage()
        let result = Result { () throws(PropertyMismatch) in
            try Conversion.convert(
                node, to: type, in: ConversionContext(keyUsage: keyUsage, keyLimit: snapshot.keyLimit))
        }
        var problems: [PropertyError] = []
        if case .failure(let mismatch) = result {
            problems = mismatch.all.map { PropertyError($0, at: name, snapshot) }
        }
        if name == nil {
            // What a type looks for counts as read; one that looks for no keys, such as a dictionary, takes all of them.
            let keys = keyUsage.keys(at: "")
            for key in keys ?? [] { properties.record.add(key, nil) }
            if keys == nil { properties.record.add(nil, nil) }
        }
        let refused = unknownKeys.take(
            keyUsage.unknownKeys.map {
                PropertyError(unknown: name.joined(path: $0.path), at: $0.origin, $0.candidates, snapshot)
            })
        for problem in problems {
            properties.record.add(problem.isAboutAll ? nil : PropertyKey(problem.name), problem)
        }
        guard case .success(let value) = result, refused.isEmpty else {
            throw PropertyErrors(problems: problems + refused)
        }
        return value
    }
}
