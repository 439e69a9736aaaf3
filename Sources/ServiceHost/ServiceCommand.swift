import Properties

/// A command that the executable of a service answers instead of running it.
struct ServiceCommand {
    /// A command in the form that `--help` lists.
    struct Syntax: Sendable {
        let words: [String]
        /// The operand after the words, or nil.
        var operand: String?
        /// The options. At most one option of each group may be given.
        var options: [[String]] = []
        let summary: String

        /// The command as it is written: `settings get NAME [--json]`.
        var usage: String {
            (words + [operand].compactMap(\.self) + options.map { "[\($0.joined(separator: "|"))]" })
                .joined(separator: " ")
        }
    }

    static let json = "--json", withoutSecrets = "--without-secrets"
    static let mermaid = "--mermaid", dot = "--dot", registered = "--registered"
    static let all = [
        Syntax(
            words: ["settings", "check"], options: [[withoutSecrets], [json]],
            summary: "Load the sources anew, and check the settings. Build no service."),
        Syntax(
            words: ["settings", "get"], operand: "NAME", options: [[json]],
            summary: "Load the sources anew, and print the value of a setting."),
        Syntax(
            words: ["settings", "explain"], operand: "NAME", options: [[json]],
            summary: "Load the sources anew, and print a setting, what it overrides, and its rule."),
        Syntax(
            words: ["settings", "dump"], options: [[json]],
            summary: "Load the sources anew, and print all values with their places."),
        Syntax(words: ["settings", "template"], summary: "Print a TOML file with all settings and their defaults."),
        Syntax(words: ["settings", "schema"], summary: "Print the JSON Schema of the settings."),
        Syntax(
            words: ["services"], options: [[json, mermaid, dot], [registered]],
            summary: "Build the services, and print or draw what they depend on."),
    ]

    let syntax: Syntax
    /// The operand, or an empty text if the command has none.
    private(set) var operand = ""
    /// The options of the command that were given.
    private(set) var options: Set<String> = []
    /// The number of words at the start of the arguments that are the command and its operand.
    private(set) var count: Int

    /// Parses the arguments of a process, without its name. Only the first words are a command.
    ///
    /// - Returns: the command, or nil if there is none.
    /// - Throws: a `UsageError` if the first word begins a command but the other words are not valid for it.
    init?(_ arguments: [String]) throws(UsageError) {
        guard let first = arguments.first, Self.all.contains(where: { $0.words[0] == first }) else { return nil }
        guard let syntax = Self.all.first(where: { arguments.starts(with: $0.words) }) else {
            let words = arguments.prefix { !$0.hasPrefix("-") }.prefix(2).joined(separator: " ")
            let expected = Self.all.filter { $0.words[0] == first }.map { $0.words.joined(separator: " ") }
            throw UsageError("'\(words)' is not a command; expected one of: \(expected.joined(separator: ", "))")
        }
        self.syntax = syntax
        count = syntax.words.count
        if syntax.operand != nil {
            guard let operand = arguments.dropFirst(count).first, !operand.hasPrefix("-") else {
                throw UsageError("the name of a setting is missing; expected \(syntax.usage)")
            }
            self.operand = operand
            count += 1
        }
        // An argument after `--` is not an option.
        let rest = arguments.dropFirst(count).prefix { $0 != "--" }
        options = Set(rest).intersection(syntax.options.joined())
        for option in syntax.options.joined() where rest.contains(where: { $0.hasPrefix("\(option)=") }) {
            throw UsageError("\(option) takes no value; expected \(syntax.usage)")
        }
        for group in syntax.options {
            let given = group.filter(options.contains)
            guard given.count > 1 else { continue }
            throw UsageError("\(given.joined(separator: " and ")) cannot be combined; expected \(syntax.usage)")
        }
    }

    /// Returns the error about a command that follows an option, or nil if there is none.
    ///
    /// - Parameters:
    ///   - index: the index of the first argument that is neither an option nor a value.
    ///   - arguments: the arguments of the process, without its name.
    ///   - program: its name.
    /// - Returns: the error, which shows the correct form of the command.
    static func misplaced(at index: Int, in arguments: [String], of program: String) -> UsageError? {
        let words = arguments[index...]
        guard index > 0, let syntax = all.first(where: { words.starts(with: $0.words) }) else { return nil }
        return UsageError(
            "argument \(index + 1): '\(syntax.words.joined(separator: " "))' follows an option; a command comes first. "
                + "Write: \(program) \(syntax.usage) [OPTION …]")
    }

    /// Returns the line about a first word that is not a command. It does not contain the word, which may be a secret.
    static func remark(on first: String) -> ServiceEvent {
        if let meant = Suggestions.nearest(to: first, among: all.map { $0.words[0] }) {
            return ServiceLine.wrongWord.event(text: "Argument 1 is not a command. Did you mean '\(meant)'?")
        }
        return ServiceLine.wrongWord.event(text: "Argument 1 is not a command; --help lists the commands.")
    }
}

/// A mistake on the command line. It has the exit status 64, EX_USAGE of sysexits.h.
struct UsageError: Error {
    static let status = ConfigurationErrors.usageStatus

    let text: String
    init(_ text: String) { self.text = text }
}
