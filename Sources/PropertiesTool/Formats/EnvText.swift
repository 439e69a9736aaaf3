import PropertyLoaders

/// Writes properties as a `.env` file. What it cannot express is left out: arrays, tables, null, and names that no
/// variable has.
enum EnvText {
    /// Returns properties as lines, without a line break at the end.
    static func text(of entries: [PropertyEntry]) -> String {
        entries.compactMap { entry in
            assignment(of: entry).map { "\($0.variable)=\(DotEnvReference.quoted($0.text))" }
        }.joined(separator: "\n")
    }

    /// Returns the name that a property has after loading, or nil if it is left out.
    static func name(of entry: PropertyEntry) -> String? {
        assignment(of: entry).flatMap { VariableName.path(of: $0.variable, prefix: "") }?.joined(separator: ".")
    }

    private static func assignment(of entry: PropertyEntry) -> (variable: String, text: String)? {
        guard let variable = VariableSpelling.variable(for: entry.name, prefix: ""),
            let text = DotEnvReference.text(entry.node.value)
        else { return nil }
        return (variable, text)
    }
}
