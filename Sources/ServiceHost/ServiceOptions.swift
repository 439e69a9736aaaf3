import Properties

/// The options that `Container.run` answers itself.
struct ServiceOptions {
    /// The names, which are not properties.
    static let names: Set<String> = ["check", "help", "version"]

    private let program: String
    private let arguments: Set<String>
    /// Whether the process answers commands.
    private let hasCommands: Bool

    /// Creates the options of a process.
    ///
    /// - Parameters:
    ///   - arguments: the program's path and its arguments. Those after `--` are not options.
    ///   - hasCommands: whether the process answers commands.
    init(_ arguments: [String], hasCommands: Bool) {
        self.hasCommands = hasCommands
        program = arguments.first?.split(separator: "/").last.map(String.init) ?? "service"
        self.arguments = Set(arguments.dropFirst().prefix { $0 != "--" })
    }

    /// Whether the process only checks whether the service could start.
    var isCheck: Bool { arguments.contains("--check") }

    /// Returns the text that the process prints instead of starting the service, or nil.
    func answer(_ properties: PropertyStore, version: String?) -> String? {
        if arguments.contains("--help") || arguments.contains("-h") { return help(properties) }
        if arguments.contains("--version") { return "\(program) \(version ?? "(unknown version)")" }
        return nil
    }

    private func help(_ properties: PropertyStore) -> String {
        let settings = properties.help()
        return """
            usage: \(program) [OPTION …]
            \(hasCommands ? commands : "")
            \(settings)\(settings.isEmpty ? "" : "\n")\
              --check                 Check the configuration, build all services, and exit.
              --help                  Print this help, and exit.
              --version               Print the version, and exit.
            """
    }
    /// The usage of the commands, with a line for each.
    private var commands: String {
        let lines = ServiceCommand.all.map { command in
            "  \(command.usage)\n                          \(command.summary)"
        }
        return "       \(program) COMMAND [OPTION …]\n\n\(lines.joined(separator: "\n"))\n"
    }
}
