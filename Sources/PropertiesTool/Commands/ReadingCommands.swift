import PropertyLoaders

// The commands that load all files into one store and read properties from it.
extension Command {
    /// `properties get KEY FILE…`
    static let get = Command(
        name: "get", operands: "KEY FILE…",
        summary:
            """
            Prints the value of a property: text as it is, with control characters escaped on a terminal; tables and arrays as
            JSON. The key . is the root, with all properties.
            """,
        options: StoreInput.options + [.json]
    ) { arguments in
        let (key, input) = try StoreInput.keyed(arguments)
        let store = try input.load()
        let node = key.isSame(as: ".") ? try root(of: store) : try store.require(key)
        switch node.value {
        case .string(let text) where !arguments.has(.json), .text(let text) where !arguments.has(.json):
            Output.value(text)
        default: Output.line(JsonText.text(node))
        }
        return ExitStatus.success
    }

    /// `properties dump FILE…`
    static let dump = Command(
        name: "dump", operands: "FILE…", summary: "Prints all properties, sorted by name, each with its origin.",
        options: StoreInput.options + [.json]
    ) { arguments in
        let entries = try StoreInput(arguments.words, arguments).load().entries
        Output.line(arguments.has(.json) ? json(entries) : table(entries.map { ($0.name, $0) }))
        return ExitStatus.success
    }

    /// `properties explain KEY FILE…`
    static let explain = Command(
        name: "explain", operands: "KEY FILE…",
        summary: "Prints the value of a property, its origin, and the values that it overrides.",
        options: StoreInput.options
    ) { arguments in
        let (key, input) = try StoreInput.keyed(arguments)
        let store = try input.load()
        let history = store.explain(key)
        // There is no such property. The error of `require` suggests the most similar name.
        if history.isEmpty { _ = try store.require(key, as: PropertyNode.self) }
        Output.line(table(history.enumerated().map { ($0 == 0 ? $1.name : "overrides", $1) }))
        return ExitStatus.success
    }

    private static func root(of store: PropertyStore) throws -> PropertyNode {
        // Throws if placeholders have no value, like a read of a property.
        _ = try store.json()
        return PropertyNode(.table(store.root))
    }

    private static func table(_ rows: [(title: String, entry: PropertyEntry)]) -> String {
        var table = TextTable("property", "value", "from")
        for (title, entry) in rows { table.add(title, entry.valueText, "\(entry.node.origin)") }
        return table.description
    }

    private static func json(_ entries: [PropertyEntry]) -> String {
        let lines = entries.map { entry in
            let value = entry.isSecret ? .string(entry.valueText) : entry.node.value
            let line: PropertyValue = ["value": value, "origin": .string("\(entry.node.origin)")]
            return "  \(JsonText.quoted(entry.name)): \(JsonText.text(PropertyNode(line)))"
        }
        return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n}"
    }
}
