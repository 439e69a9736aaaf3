import PropertyLoaders

extension Command {
    /// `properties diff FILE… -- FILE…`
    static let diff = Command(
        name: "diff", operands: "FILE… -- FILE…",
        summary: "Prints the properties that differ between two sets of files.",
        details: """
            The options apply to both sides. Secrets are masked. The exit status is 0 if nothing differs, 1 if \
            something does, and 2 for an error.
            """,
        examples: ["old.toml -- new.toml", "c.toml c.staging.toml -- c.toml c.production.toml"],
        options: StoreInput.options + [.json], errorStatus: ExitStatus.badUsage
    ) { arguments in
        let (before, after) = try sides(arguments)
        try Input.refuseRepeatedStreams(before.streams + after.streams)
        let differences = Difference.all(from: try before.load(), to: try after.load())
        if arguments.has(.json) {
            let members = differences.map { ($0.name, PropertyValue?.some($0.json)) }
            Output.json(PropertyNode(.members(members)))
        } else if !differences.isEmpty {
            Output.line(table(differences).text)
        }
        return differences.isEmpty ? ExitStatus.success : ExitStatus.badInput
    }

    private static func sides(_ arguments: Arguments) throws -> (StoreInput, StoreInput) {
        guard let after = arguments.wordsAfterDashes else { throw UsageError("expected FILE… -- FILE…") }
        // Each side reads the schema.
        if let schema = arguments[.schema].map({ Input($0, as: .json) }) {
            try Input.refuseRepeatedStreams([schema, schema])
        }
        let before = arguments.words.dropLast(after.count)
        guard !before.isEmpty, !after.isEmpty else { throw UsageError("expected files before and after --") }
        return (try StoreInput(before, arguments), try StoreInput(after, arguments))
    }

    private static func table(_ differences: [Difference]) -> TextTable {
        var table = TextTable("property", "value", "from")
        for difference in differences {
            for (sign, entry, style) in [
                ("-", difference.before, Terminal.Style.red), ("+", difference.after, .green),
            ] {
                guard let entry else { continue }
                table.add("\(sign) \(difference.name)", entry.cellText, "\(entry.node.origin)", style: style)
            }
        }
        return table
    }
}
