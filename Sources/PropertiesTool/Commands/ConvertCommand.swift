import PropertyLoaders

extension Command {
    /// `properties convert --to FORMAT FILE…`
    static let convert = Command(
        name: "convert", operands: "--to FORMAT FILE…",
        summary: "Prints all properties as one document of another format.",
        details: """
            If the format cannot express a value, it prints the list of these values and no document, unless --lossy is \
            given. Comments are not kept, and secrets are not masked.
            """,
        examples: ["--to toml settings.json > settings.toml"],
        options: StoreInput.options + [.to, .lossy]
    ) { arguments in
        guard let format = arguments[.to] else { throw UsageError("--to is missing") }
        let store = try StoreInput(arguments.words, arguments).load()
        // Throws if placeholders have no value.
        _ = try store.json()
        let document = Conversion(of: store, to: format)
        let losses = try document.losses()
        for loss in losses { Output.error(loss) }
        guard losses.isEmpty || arguments.has(.lossy) else {
            Output.error("error: \(format) cannot express these values. Convert them anyway with --lossy.")
            return ExitStatus.badInput
        }
        Output.line(document.text)
        return ExitStatus.success
    }
}

extension Option {
    fileprivate static let to = Option(
        "--to", value: "FORMAT", choices: ["toml", "json"], "the format: toml or json")
    fileprivate static let lossy = Option("--lossy", "prints the document even if values are lost or change their type")
}

/// The properties of a store as a document.
private struct Conversion {
    /// The text, without a line break at its end.
    let text: String
    private let store: PropertyStore
    private let loader: any PropertyLoader

    init(of store: PropertyStore, to format: String) {
        self.store = store
        if format.isSame(as: "toml") {
            text = TomlText.text(of: store.root)
            loader = TomlPropertyLoader(string: text, name: format)
        } else {
            text = JsonText.text(PropertyNode(.table(store.root)), layout: .lines)
            loader = JsonPropertyLoader(string: text, name: format)
        }
    }

    /// Returns a line for each value that the document does not have as it was. It loads the document and compares all
    /// values, so that nothing is overlooked.
    func losses() throws -> [String] {
        let result = PropertyStore()
        try result.apply(loader)
        return Difference.all(from: store, to: result).compactMap { difference in
            difference.before.map { line(about: $0, now: difference.after) }
        }
    }

    private func line(about before: PropertyEntry, now after: PropertyEntry?) -> String {
        var change = "is left out"
        if let after {
            // The description of an array has only the number of its values.
            let isInside = !before.isSecret && Self.described(before).isSame(as: Self.described(after))
            change = "becomes \(before.isSecret ? "another value" : Self.described(after))"
            if isInside { change += " with a difference inside" }
        }
        return PrintableText.escaped(
            "\(before.node.origin): '\(before.name)' is \(Self.described(before)), and \(change)")
    }

    private static func described(_ entry: PropertyEntry) -> String {
        entry.isSecret ? "secret" : ValueText.described(entry.node.value)
    }
}
