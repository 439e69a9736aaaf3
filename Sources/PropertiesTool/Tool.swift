import PropertyLoaders

/// The tool: picks the command, runs it, and makes an exit status of what comes back.
enum Tool {
    /// Exit statuses: all is well; a file or a value is bad; the command line is.
    enum Status {
        static let ok: Int32 = 0
        static let badInput: Int32 = 1
        static let badUsage: Int32 = 2
    }

    static let commands: [any Command.Type] = [
        CheckCommand.self, GetCommand.self, DumpCommand.self, ExplainCommand.self, WatchCommand.self,
        DecodeCommand.self,
    ]

    /// Runs the tool.
    ///
    /// - Parameter arguments: the command line without the program's name.
    /// - Returns: the exit status.
    static func run(_ arguments: [String]) async -> Int32 {
        guard let first = arguments.first else { return misused("no command is given", help: help) }
        if ["--help", "-h", "help"].contains(where: first.isSame) {
            Output.line(help)
            return Status.ok
        }
        guard let command = commands.first(where: { first.isSame(as: $0.name) }) else {
            return misused("there is no command '\(first)'", help: help)
        }
        return await run(command, Array(arguments.dropFirst()))
    }

    private static func run(_ command: any Command.Type, _ words: [String]) async -> Int32 {
        if words.contains(where: { $0.isSame(as: "--help") || $0.isSame(as: "-h") }) {
            Output.line(command.help)
            return Status.ok
        }
        do {
            return try await command.init(Arguments(words, options: command.options)).run()
        } catch let error as UsageError {
            return misused(error.problem, help: command.help)
        } catch {
            Output.failure(error)
        }
        return Status.badInput
    }

    private static func misused(_ problem: String, help: String) -> Int32 {
        Output.error("properties: \(PrintableText.escaped(problem))\n\n\(help)")
        return Status.badUsage
    }

    private static var help: String {
        let list = commands.map { command in
            let lines = command.summary.split(separator: "\n").map { "\n      \($0)" }
            return "  \(command.synopsis)\(lines.joined())"
        }.joined(separator: "\n")
        return """
            usage: properties COMMAND …

            \(list)

            FILE ends in .json, .jsonc, .toml, .plist or .env, begins with .env, or --format says what it is; - is standard
            input. A directory is one of files, one a property, as Kubernetes mounts secrets.
            Files are loaded in their order: a later one overrides an earlier one.
            Exit status: 0 if all is well, 1 for bad input, 2 for bad usage. Errors go to standard error.
            `properties COMMAND --help` tells more of a command.
            """
    }
}
