extension MergedState {
    /// Returns the value of a name by its rule, or the default if it is missing.
    func require<Value>(_ key: PropertyKey, _ rule: KeyRule<Value>) throws(PropertyError) -> Value {
        try converting(key, expected: rule.noun, isSecret: rule.isSecret) { () throws(PropertyError) in
            try rule.require(valueNode(key))
        }
    }

    /// Returns the problems with the value of a declared key.
    func problems(of key: DeclaredKey) -> [PropertyError] {
        key.rules.flatMap { rule -> [PropertyError] in
            do throws(PropertyError) {
                try converting(key.key, expected: rule.noun, isSecret: rule.isSecret) { () throws(PropertyError) in
                    if let problem = rule.verify(valueNode(key.key)) { throw problem }
                }
                return []
            } catch {
                return error.all
            }
        }
    }

    // MARK: - Settings types

    /// Returns a reader of a declared settings type.
    func reader(of declaration: SettingsDeclaration) -> SettingsReader {
        SettingsReader(declaration.schema, SettingsReader.Named(names: declaration.flatNames) { self.valueNode($0) })
    }

    /// Returns the problems that the reader of a declaration has found, as errors of this state.
    ///
    /// The reader treats a setting whose placeholders have no value as missing. It does not know which values are kept
    /// until a restart: these are old, and may break a rule together with new values. `verify` checks the state after
    /// the restart.
    func problems(of reader: SettingsReader, _ declaration: SettingsDeclaration) -> [PropertyError] {
        var failed: [PropertyError] = []
        if cause(of: nil) != nil {
            let keys = declaration.schema.keys(at: declaration.name?.rawValue).filter { cause(of: $0.key) != nil }
            failed = keys.flatMap { problems(of: $0) }
        }
        let names = Set(failed.map { PropertyKey($0.name) })
        let found = reader.problems.filter { error in
            if error.reason != .brokenRule || error.isInside {
                return error.parts.name.map { !names.contains(PropertyKey($0)) } ?? true
            }
            let involved = error.parts.involved.compactMap { $0.name.map { PropertyKey($0) } }
            return names.isDisjoint(with: involved) && !involved.contains(where: keeps)
        }
        return failed + found.map { PropertyError($0, at: $0.parts.name, self) }
    }
}
