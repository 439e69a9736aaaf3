import PropertyLoadersEssentials

/// The parts of `--help` about the sources of a service, its variables and its exit statuses.
struct ServiceHelp {
    private let loaders: [any AsyncPropertyLoader]
    private let environment: EnvironmentPropertyLoader?
    /// The lines about the options that choose a path, and about the options that the caller lists.
    let options: String
    /// The names of the options that choose a path, which are not settings.
    let names: Set<String>
    /// The line about the signal at which the service writes its state, or nothing.
    private let dump: String

    init(_ sources: PropertySources, options: String = "", dumpsAt signal: UserSignal? = nil) {
        loaders = sources.loaders
        let paths = sources.pathOptions
        names = Set(paths.map(\.name))
        environment = loaders.lazy.compactMap { $0 as? EnvironmentPropertyLoader }.first
        dump = signal.map { "\($0.name) writes the state of the service to its log.\n" } ?? ""
        self.options = paths.map(Self.line).joined() + options
    }

    /// Returns the variable that sets a declared property, or nil.
    func variable(of name: String) -> String? { environment?.variable(of: name) }

    /// Where values come from.
    var sources: String {
        if loaders.isEmpty { return dump.isEmpty ? "" : "\(dump)\n" }
        let names = loaders.map { "  \(Self.description(of: $0))\n" }.joined()
        let profile =
            environment.map { "\($0.profileVariable) names a profile, whose file is read after the file." } ?? ""
        return """
            Values come from these sources. A later one overrides those before it.
            \(names)\(profile.isEmpty || !hasFile ? "" : profile + "\n")\
            A changed file is used without a restart, and SIGHUP loads all sources again.
            \(dump)

            """
    }

    private var hasFile: Bool {
        loaders.contains { loader in
            let inner: any AsyncPropertyLoader = (loader as? any ChangedLoader)?.innermost ?? loader
            return switch inner {
            case is EnvironmentPropertyLoader, is CommandLinePropertyLoader, is DirectoryPropertyLoader,
                is DotEnvPropertyLoader:
                false
            default: inner is any NamedSource
            }
        }
    }

    private static func description(of loader: any AsyncPropertyLoader) -> String {
        guard let named = loader as? any NamedSource else { return "\(type(of: loader))" }
        let name = named.sourceName
        return switch loader {
        case is CommandLinePropertyLoader: "the options below"
        case is DirectoryPropertyLoader: "the files in \(name)"
        case let environment as EnvironmentPropertyLoader:
            environment.variable(of: "x").map { "the variables \($0.dropLast())…" } ?? name
        default: name
        }
    }

    /// The lines about an option that chooses a path.
    private static func line(of option: PathOption) -> String {
        let isFile = option.name == "config", indentation = String(repeating: " ", count: 26)
        let place = option.defaultPath.map { " instead of \($0)" } ?? ""
        let text = "Read \(isFile ? "this file" : "the secrets in this folder")\(place). [env: \(option.variable)]"
        let chosen =
            option.choice.map { choice in
                "\(indentation)Now it is \(PrintableText.escaped(choice.path)), by \(choice.chooser).\n"
            } ?? ""
        return "  --\(option.name) <\(isFile ? "file" : "folder")>\n\(indentation)\(text)\n\(chosen)"
    }

    /// What the exit statuses mean.
    static let statuses = """
        Exit status: 0 ended or stopped, 64 wrong command line, 69 something is not
        available, 70 something did not end in time, 74 an answer could not be written,
        78 wrong configuration, 128 + n ended by the signal n. If several apply, it is
        the first of 74, 64, 78, 69 and 70.
        """
}
