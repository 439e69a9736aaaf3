import PropertyLoaders

/// `properties dump FILE…`
struct DumpCommand: Command {
    static let name = "dump"
    static let synopsis = "dump FILE…"
    static let summary = "Prints all properties, sorted by name, each with the place that it comes from."
    static let options = LazyStore.options + [Option.json]

    private let store: LazyStore
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        store = try LazyStore(arguments.words, arguments)
        isJSON = arguments.has(.json)
    }

    func run() throws -> Int32 {
        let entries = try store.loaded().entries
        Output.line(isJSON ? json(entries) : table(entries))
        return Tool.Status.ok
    }

    private func table(_ entries: [PropertyEntry]) -> String {
        var table = TextTable("property", "value", "from")
        for entry in entries { table.add(entry.name, entry.valueText, "\(entry.node.origin)") }
        return table.description
    }

    private func json(_ entries: [PropertyEntry]) -> String {
        let lines = entries.map { entry in
            let value = entry.isSecret ? .string(entry.valueText) : entry.node.value
            let line: PropertyValue = ["value": value, "origin": .string("\(entry.node.origin)")]
            return "  \(JsonText.quoted(entry.name)): \(JsonText.text(PropertyNode(line)))"
        }
        return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n}"
    }
}
