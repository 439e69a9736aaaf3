import PropertyLoaders

extension Command {
    /// `properties explain KEY FILE…`
    static let explain = Command(
        name: "explain", operands: "KEY FILE…",
        summary: "Prints the value of a property, its origin, and the values that it overrides.",
        details: "If a later source replaced a table that had the property, it prints which one, and what was lost.",
        examples: ["api.timeout config.toml --profile production --env APP"],
        options: StoreInput.options + [.json, .noTruncation]
    ) { arguments in
        let (key, input) = try StoreInput.keyed(arguments)
        let store = try input.load()
        let history = store.explain(key)
        // There is no such property. The error of `require` suggests the most similar name.
        guard let first = history.first else {
            _ = try store.require(key, as: PropertyNode.self)
            return ExitStatus.success
        }
        let explanation = Explanation(key: key, isLost: !first.name.isSame(as: key), history: history)
        if arguments.has(.json) {
            Output.json(PropertyNode(explanation.json))
        } else {
            Output.table(explanation.table, isWhole: arguments.has(.noTruncation))
        }
        return ExitStatus.success
    }
}

/// The history of a property.
private struct Explanation {
    let key: String
    /// Whether the first entry is the value that replaced a table with the property.
    let isLost: Bool
    /// The values, the current one first.
    let history: [PropertyEntry]

    var table: TextTable {
        var table = TextTable("property", "value", "from")
        for (index, entry) in history.enumerated() {
            let title =
                index > 0 ? (isLost && index == 1 ? key : "overrides") : isLost ? "lost to \(entry.name)" : entry.name
            table.add(title, entry.cellText, "\(entry.node.origin)", style: index > 0 ? .faint : isLost ? .red : nil)
        }
        return table
    }

    var json: PropertyValue {
        let first = history.first.map { entry -> PropertyValue in
            .members([
                ("name", .string(entry.name)), ("value", entry.jsonValue), ("origin", .string("\(entry.node.origin)")),
            ])
        }
        return .members([
            ("name", .string(key)), ("lostTo", isLost ? first : nil),
            ("value", isLost ? nil : history.first?.jsonValue),
            ("origin", isLost ? nil : history.first.map { .string("\($0.node.origin)") }),
            ("overrides", .list(history.dropFirst().map(\.json))),
        ])
    }
}
