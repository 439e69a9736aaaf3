import PropertyLoadersEssentials

/// The options that `Container.run` answers itself: `--check`, `--version`, and `--help` or `-h` on the command line.
///
/// In other sources these are names of settings like any other.
struct ServiceOptions {
    /// The names, which are not properties on the command line.
    static let names = CommandLinePropertyLoader.serviceOptions

    private let program: String
    private let arguments: Set<String>
    /// Whether the process answers commands.
    private let hasCommands: Bool

    /// Creates the options of a process.
    ///
    /// - Parameters:
    ///   - arguments: the program's path and its arguments. Those after `--` are not options.
    ///   - hasCommands: whether the process answers commands.
    /// - Throws: a `UsageError` if one of the options has a value.
    init(_ arguments: [String], hasCommands: Bool) throws(UsageError) {
        self.hasCommands = hasCommands
        program = Self.program(arguments)
        let options = arguments.dropFirst().prefix { $0 != "--" }
        self.arguments = Set(options)
        for name in Self.names.sorted() where options.contains(where: { $0.hasPrefix("--\(name)=") }) {
            throw UsageError("--\(name) takes no value. Write --\(name) alone, or set '\(name)' in another source.")
        }
    }

    /// The name of the program in messages.
    static func program(_ arguments: [String]) -> String {
        arguments.first?.split(separator: "/").last.map(String.init) ?? "service"
    }

    /// Whether the process only checks whether the service could start.
    var isCheck: Bool { arguments.contains("--check") }

    /// Returns the text that the process prints instead of starting the service, or nil.
    func answer(_ properties: PropertyStore, version: String?, _ help: ServiceHelp) -> String? {
        if arguments.contains("--help") || arguments.contains("-h") { return text(properties, help) }
        if arguments.contains("--version") { return "\(program) \(version ?? "(unknown version)")" }
        return nil
    }

    private func text(_ properties: PropertyStore, _ help: ServiceHelp) -> String {
        let settings = properties.help(without: Self.names.union(help.names), environment: help.variable)
        return """
            usage: \(program) [OPTION …]
            \(hasCommands ? commands : "")
            \(help.sources)\(settings)\(settings.isEmpty ? "" : "\n")\
              --check [--json]        Check the configuration, build all services, and exit.
              --help                  Print this help, and exit.
              --version               Print the version, and exit.
            \(help.options)
            \(ServiceHelp.statuses)
            """
    }

    /// Whether the answer to `--check` is JSON.
    var isJSON: Bool { isCheck && arguments.contains("--json") }

    /// The usage of the commands, with a line for each.
    private var commands: String {
        let lines = ServiceCommand.all.map { command in
            "  \(command.usage)\n                          \(command.summary)"
        }
        return "       \(program) COMMAND [OPTION …]\n\n\(lines.joined(separator: "\n"))\n"
    }
}
