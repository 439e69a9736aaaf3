extension PropertyReading {
    /// Returns a value of a `Decodable` type, made from a table or from all properties.
    ///
    ///     let config = try store.bind(ServerConfig.self, at: "server")
    ///
    /// Inside the type each value is read as `property` reads it: exactly, with durations, URLs, dates and enums. A
    /// value may be missing if it is optional, or if the type's own `init(from:)` has a default for it.
    ///
    /// Each type stops at its first problem: its `init(from:)` never gets made-up values in order to go on. The
    /// elements of arrays and dictionaries are all converted, and their problems are reported together.
    ///
    /// - Parameters:
    ///   - type: the type.
    ///   - name: the flat name of the table, or nil for all properties. The empty name is that of the key `""`.
    ///   - unknownKeys: what happens to keys that the type does not look up.
    /// - Returns: the value.
    /// - Throws: `PropertyErrors`, with the problems that were found, 1,000 at most, each with its place.
    public func bind<T: Decodable>(
        _ type: T.Type = T.self, at name: String? = nil, unknownKeys: UnknownKeys = .ignored
    ) throws(PropertyErrors) -> T {
        let snapshot = properties.snapshot
        let key = name.map { PropertyKey($0) }
        if let key { properties.record.add(key, nil) }
        // Checked first: an optional, or a default of the type's own, would hide it.
        do throws(PropertyError) {
            try snapshot.checkPlaceholders(key, expected: TypeName.noun(type))
        } catch {
            properties.record.add(key, error)
            throw PropertyErrors(problems: [error])
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
            // The keys that a type looks up count as read; if it looks up none, as a dictionary, all of them do.
            let keys = keyUsage.keys(at: "")
            for key in keys ?? [] { properties.record.add(key, nil) }
            if keys == nil { properties.record.add(nil, nil) }
        }
        let refused = unknownKeys.handle(
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
