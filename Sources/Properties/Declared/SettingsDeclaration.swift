/// The declaration of a settings type at a table, or for all properties. All states share it.
final class SettingsDeclaration: Sendable {
    let type: ObjectIdentifier
    let settings: any Settings.Type
    /// The flat name of the table, or nil for all properties.
    let name: PropertyKey?
    let schema: Schema
    /// The flat names of the settings.
    let flatNames: FlatNames
    /// The declared variables.
    let variables: [DeclaredVariable]
    /// The former table of the settings, or nil.
    let move: FormerPath?
    /// The former flat names of the table and of the settings that have flat names.
    let formerNames: [FormerPath]
    /// The variables and the former name of the table, as the caller gave them.
    private let given: (variables: [String: String?], formerName: String?)

    /// Creates a declaration.
    ///
    /// - Parameters:
    ///   - type: the settings type.
    ///   - name: the flat name of the table, or nil for all properties.
    ///   - given: the variables in place of the variables of the type, by the name of the setting in the table.
    ///   - old: the flat name that the table had in an earlier version, or nil.
    init(
        _ type: any Settings.Type, at name: String?, variables given: [String: String?] = [:],
        formerly old: String? = nil
    ) {
        (self.type, settings, schema) = (ObjectIdentifier(type), type, .of(type))
        self.given = (given, old)
        self.name = name.map { PropertyKey($0) }
        flatNames = FlatNames(schema.keys(at: name).map(\.key))
        move = old.map { [schema] in FormerPath(old: $0.path, new: name?.path ?? [], settings: schema) }
        let own = name == nil ? [] : [move].compactMap(\.self)
        formerNames = own + Self.formerNames(schema, from: [old].compactMap(\.self), to: name)
        let settings = schema.reachable(at: nil)
        if let other = given.keys.sorted().first(where: { key in !settings.contains { $0.name.isSame(as: key) } }) {
            fatalError("\(type) has no setting '\(other)' to which 'environment:' could give a variable.")
        }
        variables = settings.compactMap { setting in
            let variable = if let given = given[setting.name] { given } else { setting.rule.attributes.variable }
            return variable.map {
                DeclaredVariable(name: $0, setting: PropertyKey(name.joined(path: ".\(setting.name)")), type: "\(type)")
            }
        }
    }
}

extension SettingsDeclaration {
    /// Ends the process if a later declaration of the type at the same name asks for something that this one does not
    /// have.
    func check(_ later: SettingsDeclaration) {
        let asked = later.given
        let isOther = (
            variables: !asked.variables.isEmpty && asked.variables != given.variables,
            formerName: asked.formerName != nil && asked.formerName != given.formerName
        )
        guard isOther.variables || isOther.formerName else { return }
        fatalError(
            "\(settings) is declared \(name.map { "at '\($0)'" } ?? "without a name") twice, and the second declaration has "
                + "another '\(isOther.variables ? "environment" : "formerly"):'. Declare it once, or the same in both.")
    }
}

/// A declared variable: it sets one setting, whatever the prefix of the environment.
struct DeclaredVariable: Sendable {
    /// The name of the variable.
    let name: String
    /// The flat name of the setting.
    let setting: PropertyKey
    /// The name of the settings type, for messages.
    let type: String
}

extension Schema {
    /// Returns the settings that have a flat name: also settings in tables that may be missing, but not settings in
    /// arrays and dictionaries.
    fileprivate func reachable(at name: String?) -> [(name: String, rule: any Rule)] {
        fields.flatMap { field in
            let inner = name.joined(path: ".\(field.key)")
            let own = field.rule.map { [(inner, $0)] } ?? []
            return own + (field.form.table?.reachable(at: inner) ?? [])
        }
    }
}
