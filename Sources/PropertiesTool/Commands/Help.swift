import TextBasics

/// The help texts of the tool.
enum Help {
    /// The width of a help text in characters.
    private static let width = 80

    /// The list of all commands.
    static var overview: String {
        let commands = Command.all.map { (term: "\($0.name) \($0.operands)", text: $0.summary) }
        let options = [
            (term: "COMMAND --help", text: "describes a command and its options"),
            (term: "--version", text: "prints the version of the package"),
        ]
        return """
            usage: properties COMMAND …

            \(list(commands, indent: 29))

            \(list(options, indent: 29))

            \(paragraphs(notes))
            """
    }

    /// The help text of a command.
    static func text(of command: Command) -> String {
        let options = command.allOptions.map { (term: $0.text, text: $0.help) }
        return
            ([usage(of: command)] + [command.summary, command.details].filter { !$0.isEmpty }.map(paragraphs)
            + [list(options, indent: 24)] + examples(of: command)).joined(separator: "\n\n")
    }

    private static func examples(of command: Command) -> [String] {
        guard !command.examples.isEmpty else { return [] }
        return ["Examples:\n" + command.examples.map { "  properties \(command.name) \($0)" }.joined(separator: "\n")]
    }

    /// The line with the operands of a command.
    static func usage(of command: Command) -> String { "usage: properties \(command.name) \(command.operands)" }

    private static let notes = """
        The format of a FILE follows from its name (.json, .jsonc, .toml, .plist, .env, .env.production). - is \
        standard input, and pipes such as <(…) work, too; --format names their format. With --format directory, each \
        file of a directory is one property, as Kubernetes mounts secrets.

        Files are loaded in their order, then the environment (--env), then single values (--set). A later source \
        overrides an earlier one.

        Exit status: 0 for success, 1 for invalid input, 2 for invalid usage. Errors go to standard error.
        """

    /// Wraps paragraphs, which are lines.
    private static func paragraphs(_ text: String) -> String {
        text.parts(between: "\n").map { wrapped($0) }.joined(separator: "\n")
    }

    /// Returns terms with their descriptions in a second column, which begins after `indent` characters.
    private static func list(_ items: [(term: String, text: String)], indent: Int) -> String {
        items.map { term, text in
            let label = "  \(term)"
            let gap = indent - label.count
            let margin = gap > 1 ? spaces(gap) : "\n" + spaces(indent)
            return label + margin + wrapped(text[...], indent: indent)
        }.joined(separator: "\n")
    }

    /// Breaks a text at spaces into lines of at most `width` characters, and indents all but the first line.
    private static func wrapped(_ text: Substring, indent: Int = 0) -> String {
        var lines: [String] = []
        for word in text.parts(between: " ") {
            if let line = lines.last, indent + line.count + 1 + word.count <= width {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + spaces(indent))
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
