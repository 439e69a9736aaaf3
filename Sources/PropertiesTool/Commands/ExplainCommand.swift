import PropertyLoaders

/// `properties explain KEY FILE…`
struct ExplainCommand: Command {
    static let name = "explain"
    static let synopsis = "explain KEY FILE…"
    static let summary = "Prints the value of a property, the place that it comes from, and what it overrides."
    static let options = LazyStore.options

    private let key: String
    private let store: LazyStore

    init(_ arguments: Arguments) throws {
        (key, store) = try LazyStore.keyed(arguments)
    }

    func run() throws -> Int32 {
        let store = try store.loaded()
        let history = store.explain(key)
        guard !history.isEmpty else {
            // Says that it is missing, and which name is near.
            _ = try store.require(key, as: PropertyNode.self)
            return Tool.Status.badInput
        }
        var table = TextTable("property", "value", "from")
        for (index, entry) in history.enumerated() {
            table.add(index == 0 ? entry.name : "overrides", entry.valueText, "\(entry.node.origin)")
        }
        Output.line(table.description)
        return Tool.Status.ok
    }
}
