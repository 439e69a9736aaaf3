import PropertyLoaders

/// `properties decode --format FORMAT [FILE]`
struct DecodeCommand: Command {
    static let name = "decode"
    static let synopsis = "decode --format FORMAT [FILE]"
    static let summary = """
        Prints one document as tagged JSON: {"type": "integer", "value": "30"} for each value that is no table and no array.
        Without FILE it reads standard input.
        """
    static let options = [Option.format, .noComments]

    private let input: Input

    init(_ arguments: Arguments) throws {
        guard arguments.words.count <= 1 else { throw UsageError("decode takes one file") }
        guard !arguments.words.isEmpty || arguments.has(.format) else { throw UsageError("--format is left out") }
        input = try Input(arguments.words.first ?? "-", arguments)
    }

    func run() throws -> Int32 {
        Output.line(JsonText.text(PropertyNode(try input.document().value.tagged)))
        return Tool.Status.ok
    }
}
