import PropertyLoaders

/// The command-line tool: finds and runs the command, and converts errors to messages and an exit status.
enum Tool {
    /// Runs the tool.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        guard let first = arguments.first else { return misused("no command is given", help: help) }
        if ["--help", "-h", "help"].contains(where: first.isSame) {
            Output.line(help)
            return ExitStatus.success
        }
        guard let command = Command.all.first(where: { first.isSame(as: $0.name) }) else {
            return misused("unknown command '\(first)'", help: help)
        }
        return await run(command, Array(arguments.dropFirst()))
    }

    private static func run(_ command: Command, _ words: [String]) async -> Int32 {
        if words.contains(where: { $0.isSame(as: "--help") || $0.isSame(as: "-h") }) {
            Output.line(command.help)
            return ExitStatus.success
        }
        do {
            return try await command.run(Arguments(words, options: command.options))
        } catch let error as UsageError {
            return misused(error.problem, help: command.help)
        } catch {
            Output.failure(error)
        }
        return ExitStatus.badInput
    }

    private static func misused(_ problem: String, help: String) -> Int32 {
        Output.error("properties: \(PrintableText.escaped(problem))\n\n\(help)")
        return ExitStatus.badUsage
    }

    private static var help: String {
        let list = Command.all.map { command in
            let lines = command.summary.split(separator: "\n").map { "\n      \($0)" }
            return "  \(command.name) \(command.operands)\(lines.joined())"
        }.joined(separator: "\n")
        return """
            usage: properties COMMAND …

            \(list)

            The format of FILE follows from its name (.json, .jsonc, .toml, .plist, .env, .env.production) or from --format;
            - is standard input. In a directory each file is one property, as Kubernetes mounts secrets.
            Files are loaded in their order: a later one overrides an earlier one.
            Exit status: 0 for success, 1 for bad input, 2 for bad usage. Errors go to standard error.
            `properties COMMAND --help` describes a command and its options.
            """
    }
}
