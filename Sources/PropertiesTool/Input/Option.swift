import PropertyLoaders

/// An option that a command takes.
struct Option: Sendable {
    let name: String
    /// The placeholder of the value in help texts, or nil if the option is a flag.
    let value: String?
    let help: String
    /// The valid values, or an empty array if any text is valid.
    let choices: [String]

    init(_ name: String, value: String? = nil, choices: [String] = [], _ help: String) {
        self.name = name
        self.value = value
        self.choices = choices
        self.help = help
    }

    /// The option with its placeholder, as in help texts: `--format FORMAT`.
    var text: String { value.map { "\(name) \($0)" } ?? name }
}

// MARK: - Options of several commands

extension Option {
    static let format = Option(
        "--format", value: "FORMAT", choices: FileFormat.allCases.map(\.rawValue),
        "the format of standard input, pipes, and files whose name does not tell it: \(FileFormat.list), which is a "
            + "mount of secrets")
    static let profile = Option(
        "--profile", value: "NAME",
        "after the first FILE, also loads its file of a profile: for config.toml and NAME, config.NAME.toml")
    static let merge = Option(
        "--merge", value: "RULE", choices: ["deep", "first-level"],
        "the rule for merging the tables of all files: deep or first-level; by default deep with --profile, "
            + "and otherwise deep for toml and env, and first-level for json and plist")
    static let placeholders = Option(
        "--placeholders", "replaces ${name}, ${env:NAME} and ${file:/path} in all values; for trusted files only")
    static let dotenv = Option(
        "--dotenv", value: "FILE",
        "loads a .env file after all FILEs, with the prefix of --env; may be repeated")
    static let environment = Option(
        "--env", value: "PREFIX",
        "then loads the environment variables with this prefix; PREFIX_PROFILE names the profile instead, unless "
            + "--profile does")
    static let set = Option("--set", value: "KEY=VALUE", "then sets a property; may be repeated")
    static let schema = Option(
        "--schema", value: "FILE",
        "the names that the service reads, as the JSON Schema that it prints: names of the environment are matched "
            + "with them, and the values that it marks as secret are masked")
    static let showSecrets = Option("--show-secrets", "prints secrets instead of masking them")
    static let json = Option("--json", "prints JSON")
    static let help = Option("--help", "prints this text")
}

extension FileFormat {
    /// All formats, for a message.
    static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
