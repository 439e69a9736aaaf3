import PropertyLoaders

extension Command {
    /// `properties explain KEY FILE…`
    static let explain = Command(
        name: "explain", operands: "KEY FILE…",
        summary: "Prints the value of a property, its origin, and the values that it overrides.",
        details: """
            If a later source replaced a table that had the property, it prints which one, and what was lost. With \
            --schema, the default of a key is the first of its values.
            """,
        examples: ["api.timeout config.toml --profile production --env APP"],
        options: StoreInput.options
    ) { arguments in
        let (key, input) = try StoreInput.keyed(arguments)
        let store = try input.load()
        var history = store.explain(key)
        let fallback = store.defaultEntry(of: key)
        // There is no such property. The error of `require` suggests the most similar name.
        if history.isEmpty, fallback == nil { _ = try store.require(key, as: PropertyNode.self) }
        if fallback == nil, let overridden = store.declaredDefault(of: key) { history.append(overridden) }
        Output.line(table(of: key, history, fallback).text)
        return ExitStatus.success
    }

    /// Returns the table of a property.
    ///
    /// - Parameters:
    ///   - key: the name of the property.
    ///   - history: the values of the sources, the current one first. If the first one has another name, it replaced a
    ///     table with the property.
    ///   - fallback: the default if it is in force, since no source has a value, or the last one has a null.
    /// - Returns: the table.
    private static func table(of key: String, _ history: [PropertyEntry], _ fallback: PropertyEntry?) -> TextTable {
        let isLost = history.first.map { !$0.name.isSame(as: key) } ?? false
        var table = TextTable("property", "value", "from")
        if let fallback { table.add(key, fallback.cellText, "\(fallback.node.origin)") }
        for (index, entry) in history.enumerated() {
            let first = isLost ? "lost to \(entry.name)" : fallback == nil ? entry.name : "instead of"
            let title = index > 0 ? (isLost && index == 1 ? key : "overrides") : first
            table.add(title, entry.cellText, "\(entry.node.origin)")
        }
        return table
    }
}
