import PropertyLoaders

/// `properties get KEY FILE…`
struct GetCommand: Command {
    static let name = "get"
    static let synopsis = "get KEY FILE…"
    static let summary = """
        Prints the value of a property: text as it is, with control characters escaped on a terminal; tables and arrays as
        JSON.
        """
    static let options = LazyStore.options + [Option.json]

    private let key: String
    private let store: LazyStore
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        (key, store) = try LazyStore.keyed(arguments)
        isJSON = arguments.has(.json)
    }

    func run() throws -> Int32 {
        let node: PropertyNode = try store.loaded().require(key)
        switch node.value {
        case .string(let text) where !isJSON, .text(let text) where !isJSON: Output.value(text)
        default: Output.line(JsonText.text(node))
        }
        return Tool.Status.ok
    }
}
