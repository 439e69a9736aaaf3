import PropertyLoaders

// The commands that process each file separately.
extension Command {
    /// `properties check FILE…`
    static let check = Command(
        name: "check", operands: "FILE…",
        summary: "Validates files and prints the number of properties in each, or its error.",
        options: [.format, .noComments]
    ) { arguments in
        let inputs = try arguments.words.map { try Input($0, arguments) }
        guard !inputs.isEmpty else { throw UsageError("no file is given") }
        var status = ExitStatus.success
        let all = PropertyStore()
        for input in inputs {
            do {
                let layer = try ReportingLoader(loader: input.loader()).load()
                let store = PropertyStore()
                try store.apply(Loaded(layer: layer))
                try all.apply(Loaded(layer: layer))
                Output.line("\(PrintableText.escaped(input.name)): ok, \(Output.count(of: store))")
            } catch {
                Output.failure(error, in: input.name)
                status = ExitStatus.badInput
            }
        }
        Output.kindChanges(of: all)
        return status
    }

    /// `properties decode --format FORMAT [FILE]`
    static let decode = Command(
        name: "decode", operands: "--format FORMAT [FILE]",
        summary:
            """
            Prints one document as tagged JSON: {"type": "integer", "value": "30"} for each value that is not a table or an array.
            Without FILE it reads standard input.
            """,
        options: [.format, .noComments]
    ) { arguments in
        guard arguments.words.count <= 1 else { throw UsageError("decode takes one file") }
        guard !arguments.words.isEmpty || arguments.has(.format) else { throw UsageError("--format is missing") }
        let input = try Input(arguments.words.first ?? "-", arguments)
        Output.line(JsonText.text(PropertyNode(try input.document().value.tagged)))
        return ExitStatus.success
    }
}

/// A loader that returns a layer that is already loaded. `check` applies it to two stores, and standard input can be
/// read only once.
private struct Loaded: PropertyLoader {
    let layer: PropertyLayer

    func load() -> PropertyLayer { layer }
}
