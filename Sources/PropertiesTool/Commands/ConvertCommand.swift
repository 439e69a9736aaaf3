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
        guard let format = arguments[.to].flatMap({ FileFormat($0) }) else { throw UsageError("--to is missing") }
        let store = try StoreInput(arguments.words, arguments).load()
        // Throws if placeholders have no value.
        _ = try store.json()
        let document = Conversion(of: store, to: format)
        let losses = try document.losses()
        for loss in losses { Output.error(loss) }
        guard losses.isEmpty || arguments.has(.lossy) else {
            Output.error("error: \(format.rawValue) cannot express these values. Convert them anyway with --lossy.")
            return ExitStatus.badInput
        }
        Output.line(document.text)
        return ExitStatus.success
    }
}

extension Option {
    fileprivate static let to = Option(
        "--to", value: "FORMAT", choices: ["toml", "json", "env", "plist"], "the format: toml, json, env or plist")
    fileprivate static let lossy = Option("--lossy", "prints the document even if values are lost or change their type")
}

/// The properties of a store as a document.
private struct Conversion {
    /// The text, without a line break at its end.
    let text: String
    private let store: PropertyStore
    private let format: FileFormat

    init(of store: PropertyStore, to format: FileFormat) {
        self.store = store
        self.format = format
        text =
            switch format {
            case .toml: TomlText.text(of: store.root)
            case .plist: PlistText.text(of: store.root)
            case .env: EnvText.text(of: store.entries)
            case .json, .directory: JsonText.text(PropertyNode(.table(store.root)), layout: .lines)
            }
    }

    /// Returns a line for each value that the document does not have as it was. It loads the document and compares all
    /// values, so that nothing is overlooked.
    func losses() throws -> [String] {
        let result = PropertyStore()
        try result.apply(loader)
        // A name that only the document has is the new name of a property that `before` has.
        return Difference.all(from: store, to: result).filter { !isText($0) }.compactMap { difference in
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
        } else if format == .env, let name = EnvText.name(of: before) {
            change = "is read as '\(name)' unless a declared key or another source has its name"
        }
        return PrintableText.escaped(
            "\(before.node.origin): '\(before.name)' is \(Self.described(before)), and \(change)")
    }

    private var loader: any PropertyLoader {
        switch format {
        case .toml: TomlPropertyLoader(string: text, name: "toml")
        case .plist: PlistPropertyLoader(bytes: Array(text.utf8), name: "plist")
        case .env: DotEnvPropertyLoader(string: text, name: "env")
        case .json, .directory: JsonPropertyLoader(string: text, name: "json")
        }
    }

    private static func described(_ entry: PropertyEntry) -> String {
        entry.isSecret ? "secret" : ValueText.described(entry.node.value)
    }

    /// Whether the difference is only that the document has text, which can be read as the value that it was.
    private func isText(_ difference: Difference) -> Bool {
        guard format == .env, let before = difference.before?.node.value, let after = difference.after?.node,
            case .text(let text) = after.value
        else { return false }
        switch before {
        case .bool(let bool): return (try? Bool(property: after)) == bool
        case .integer(let integer): return (try? Int64(property: after)) == integer
        case .unsigned(let integer): return (try? UInt64(property: after)) == integer
        case .double: return (try? Double(property: after)).map { PropertyValue.isSame(.double($0), before) } ?? false
        case .dateTime(let date): return (try? PropertyDateTime(property: after)) == date
        case .bigInteger(let digits): return text.isSame(as: digits)
        default: return false
        }
    }
}
