import Properties

/// The options that `Container.run` answers itself.
struct ServiceOptions {
    /// The names, which are not properties.
    static let names: Set<String> = ["check", "help", "version"]

    private let program: String
    private let arguments: Set<String>

    /// Creates the options of a process.
    ///
    /// - Parameter arguments: the program's path and its arguments. Those after `--` are not options.
    init(_ arguments: [String]) {
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

            \(settings)\(settings.isEmpty ? "" : "\n")\
              --check                 Check the configuration, build all services, and exit.
              --help                  Print this help, and exit.
              --version               Print the version, and exit.
            """
    }
}
