import PropertyLoaders

// The commands that load all files into one store and read properties from it.
extension Command {
    /// `properties get KEY FILE…`
    static let get = Command(
        name: "get", operands: "KEY FILE…",
        summary: "Prints the value of a property.",
        details: """
            Text is printed as it is, with control characters escaped on a terminal; tables and arrays as JSON. The key \
            . is the root, with all properties of the sources. Secrets are not masked.
            """,
        examples: ["api.timeout config.toml", ". --json config.toml --set api.timeout=5"],
        options: StoreInput.options + [.json]
    ) { arguments in
        let (key, input) = try StoreInput.keyed(arguments)
        let store = try input.load()
        let node: PropertyNode
        if key.isSame(as: ".") {
            // Throws if placeholders have no value, like a read of a property.
            _ = try store.json()
            node = PropertyNode(.table(store.root))
        } else {
            node = try store.require(PropertyKey(key))
        }
        switch node.value {
        case .string(let text) where !arguments.has(.json), .text(let text) where !arguments.has(.json):
            Output.value(text)
        default: Output.json(node)
        }
        return ExitStatus.success
    }

    /// `properties dump FILE…`
    static let dump = Command(
        name: "dump", operands: "FILE…", summary: "Prints all properties, sorted by name, each with its origin.",
        details: Secrets.help,
        examples: ["config.toml --profile production --env APP", "--format json <(sops decrypt secrets.json)"],
        options: StoreInput.options + [.showSecrets, .json]
    ) { arguments in
        let input = try StoreInput(arguments.words, arguments)
        let secrets = Secrets(input.schema, showsAll: arguments.has(.showSecrets))
        let entries = try input.load(masking: secrets).entries
        if arguments.has(.json) {
            Output.line(secrets.json(of: entries))
        } else {
            var table = TextTable("property", "value", "from")
            for entry in entries { table.add(entry.name, secrets.text(of: entry), "\(entry.node.origin)") }
            Output.line(table.text)
        }
        return ExitStatus.success
    }
}
