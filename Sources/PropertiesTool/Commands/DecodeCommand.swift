import PropertyLoaders

extension Command {
    /// `properties decode --format FORMAT [FILE]`
    static let decode = Command(
        name: "decode", operands: "--format FORMAT [FILE]",
        summary: "Prints one document as JSON in which every value has its type.",
        details: """
            A value that is not a table or an array becomes {"type": "integer", "value": "30"}. Without FILE it reads \
            standard input.
            """,
        examples: ["config.toml", "--format json < settings.json"],
        options: [.format]
    ) { arguments in
        guard arguments.words.count <= 1 else { throw UsageError("decode takes one file") }
        guard !arguments.words.isEmpty || arguments.has(.format) else { throw UsageError("--format is missing") }
        let input = Input(arguments.words.first ?? "-", arguments)
        let document = try input.document()
        Output.json(PropertyNode(document.value.tagged))
        return ExitStatus.success
    }
}
