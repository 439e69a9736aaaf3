extension PropertyStore {
    /// Declares the keys that the service reads. `verify` checks all of them at once. The names of relaxed
    /// sources, such as the environment, are matched with them.
    ///
    ///     store.declare(.port, .host, .password)
    ///
    /// The values of secret keys are masked from now on, here and in child stores. Several declarations of one name are
    /// combined: all checks apply, and the value is masked if one of them is secret.
    ///
    /// Each call copies the earlier declarations, so declare many keys in one call, or as a settings type.
    ///
    /// - Parameter keys: the keys.
    public func declare<each Value>(_ keys: repeat TypedKey<each Value>) {
        var declarations: [(PropertyKey, any Rule)] = []
        repeat declarations.append(((each keys).key, (each keys).rule))
        declare(declarations)
    }

    /// Declares names as secret. From now on their values are masked in every description, dump and error, here and in
    /// child stores.
    ///
    /// - Parameter names: flat names. The name of a table includes everything in the table.
    public func declareSecret(_ names: String...) {
        change { contents in
            for name in names { contents.declared.declareSecret(PropertyKey(name)) }
        }
    }

    /// Declares keys whose names and secrecy alone are known.
    package func declare(_ keys: [TypedKey<PropertyNode>]) { declare(keys.map { ($0.key, $0.rule) }) }

    /// Declares the names that properties had in earlier versions.
    package func declare(former names: [(old: String, new: String)]) {
        if !names.isEmpty {
            change { $0.declared.declare(former: names.map { FormerPath(old: $0.old.path, new: $0.new.path) }) }
        }
    }

    private func declare(_ declarations: [(PropertyKey, any Rule)]) {
        change { contents in
            for (name, rule) in declarations { contents.declared.declare(name, rule) }
        }
        checkFormerNames()
    }

    /// Ends the process if a former name is also the name of something else.
    private func checkFormerNames() {
        if let mistake = current.declarations.formerNameMistake { fatalError("\(mistake). Remove one of the two.") }
    }
}

extension PropertyStore {
    /// Declares a settings type: each of its settings becomes a declared key.
    ///
    ///     store.declare(ServerSettings.self, at: "server")
    ///     let settings = try store.settings(ServerSettings.self)
    ///
    /// A type can be declared in several tables. A type that cannot be a settings type, and a setting that another type
    /// declares with other attributes, end the process.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the flat name of its table, or nil if its settings are on the first level of the sources.
    ///   - environment: the variables of settings in place of the variables that the type gives them, by the name of
    ///     the setting in the table. Nil takes a variable away.
    ///   - formerly: the flat name that the table had in an earlier version. Sources may still use it, with a warning.
    public func declare<T: Settings>(
        _ type: T.Type, at name: String? = nil, environment: [String: String?] = [:], formerly: String? = nil
    ) {
        if let formerly, formerly.path.contains("") || name?.isSame(as: formerly) == true {
            fatalError("The former name of the table of \(type) cannot be '\(formerly)'. Give its earlier flat name.")
        }
        let declaration = SettingsDeclaration(type, at: name, variables: environment, formerly: formerly)
        var settings: [PropertyKey: PropertyKey] = [:]
        for variable in snapshot.state.declarations.variables + declaration.variables {
            let other = settings.updateValue(variable.setting, forKey: PropertyKey(variable.name))
            guard let other, other != variable.setting else { continue }
            let key =
                name.map { String(variable.setting.rawValue.dropFirst($0.count + 1)) } ?? variable.setting.rawValue
            let place = name.map { ", at: \"\($0)\"" } ?? ""
            fatalError(
                "'\(variable.name)' is the variable of '\(other)' and of '\(variable.setting)'. Give one of them "
                    + "another variable, or none: declare(\(type).self\(place), environment: [\"\(key)\": nil])")
        }
        change { $0.declared.declare(declaration) }
        checkFormerNames()
    }
}
