import PropertyLoaders

/// The command-line tool: finds and runs the command, and converts errors to messages and an exit status.
enum Tool {
    /// The version of the package. `.github/CHANGELOG.md` begins with it.
    static let version = "1.0.0 (in development)"

    /// Runs the tool.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        guard let first = arguments.first else { return misused("no command is given") }
        if ["--help", "-h", "help"].contains(where: first.isSame) {
            Output.line(Help.overview)
            return ExitStatus.success
        }
        if first.isSame(as: "--version") {
            Output.line("properties \(version)")
            return ExitStatus.success
        }
        guard let command = Command.all.first(where: { first.isSame(as: $0.name) }) else {
            let error =
                first.begins(with: "-")
                ? UsageError(unknown: "option", first, known: ["--help", "--version"])
                : UsageError(unknown: "command", first, known: Command.all.map(\.name))
            return misused(error.problem)
        }
        return run(command, Array(arguments.dropFirst()))
    }

    private static func run(_ command: Command, _ words: [String]) -> Int32 {
        let options = words.prefix { !$0.isSame(as: "--") }
        if options.contains(where: { $0.isSame(as: "--help") || $0.isSame(as: "-h") }) {
            Output.line(Help.text(of: command))
            return ExitStatus.success
        }
        do {
            return try command.run(Arguments(words, options: command.options))
        } catch let error as UsageError {
            return misused(error.problem, command)
        } catch {
            Output.failure(error)
        }
        return ExitStatus.badInput
    }

    private static func misused(_ problem: String, _ command: Command? = nil) -> Int32 {
        let usage = command.map(Help.usage) ?? "usage: properties COMMAND …"
        let help = command.map { "properties \($0.name) --help" } ?? "properties --help"
        Output.error("properties: \(PrintableText.escaped(problem))\n\(usage)\nSee `\(help)`.")
        return ExitStatus.badUsage
    }
}
