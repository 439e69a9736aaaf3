import PropertyLoaders

extension Command {
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
        let input = Input(arguments.words.first ?? "-", arguments)
        Output.line(JsonText.text(PropertyNode(try input.document().value.tagged)))
        return ExitStatus.success
    }
}
