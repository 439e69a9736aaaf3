import PropertyLoaders

extension Command {
    /// `properties explain KEY FILE…`
    static let explain = Command(
        name: "explain", operands: "KEY FILE…",
        summary: "Prints the value of a property, its origin, and the values that it overrides.",
        details: """
            If a later source replaced a table that had the property, it prints which one, and what was lost.
            \(Secrets.help)
            """,
        examples: ["api.timeout config.toml --profile production --env APP"],
        options: StoreInput.options + [.showSecrets]
    ) { arguments in
        let (key, input) = try StoreInput.keyed(arguments)
        let secrets = Secrets(input.schema, showsAll: arguments.has(.showSecrets))
        let store = try input.load(masking: secrets)
        let history = store.history(of: key)
        // The property does not exist. The error of `require` suggests the most similar name.
        if history.isEmpty { _ = try store.require(key, as: PropertyNode.self) }
        Output.line(table(of: key, history, secrets).text)
        return ExitStatus.success
    }

    /// Returns the table of a property.
    ///
    /// - Parameters:
    ///   - key: the name of the property.
    ///   - history: the values of the sources, the current value first. If the first value has another name, it
    ///     replaced a table with the property.
    ///   - secrets: the values that are masked.
    /// - Returns: the table.
    private static func table(of key: String, _ history: [PropertyEntry], _ secrets: Secrets) -> TextTable {
        let isLost = history.first.map { !$0.name.isSame(as: key) } ?? false
        var table = TextTable("property", "value", "from")
        for (index, entry) in history.enumerated() {
            let title = index > 0 ? (isLost && index == 1 ? key : "overrides") : isLost ? "lost to \(entry.name)" : key
            table.add(title, secrets.text(of: entry), "\(entry.node.origin)")
        }
        return table
    }
}
