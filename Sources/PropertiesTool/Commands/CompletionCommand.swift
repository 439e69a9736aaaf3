import PropertyLoaders

extension Command {
    /// `properties completion SHELL`
    static let completion = Command(
        name: "completion", operands: "SHELL",
        summary: "Prints a script that completes commands, options and keys in bash, zsh or fish.",
        details: """
            For bash, add this to ~/.bashrc: source <(properties completion bash)
            For zsh, add this to ~/.zshrc after compinit: source <(properties completion zsh)
            For fish: properties completion fish > ~/.config/fish/completions/properties.fish
            Keys are completed from the files on the command line, which may follow the key.
            """,
        options: []
    ) { arguments in
        guard arguments.words.count == 1, let shell = arguments.words.first,
            let script = CompletionScript.all.first(where: { shell.isSame(as: $0.shell) })
        else {
            let shells = CompletionScript.all.map(\.shell).joined(separator: ", ")
            throw UsageError("no known shell is given; expected one of \(shells)")
        }
        Output.line(script.text)
        return ExitStatus.success
    }
}

/// Finds the words that can stand at a place of a command line. The scripts of the shells call it.
struct Completion {
    /// The name of the hidden command that the scripts call: `properties __complete INDEX WORD…`.
    static let commandName = "__complete"

    private let current: String
    private let before: [String]
    private let after: [String]

    /// Runs the hidden command, which prints one candidate per line.
    ///
    /// - Parameter arguments: the index of the word to complete, and all words after the name of the program.
    /// - Returns: the exit status.
    static func run(_ arguments: [String]) -> Int32 {
        guard let index = arguments.first.flatMap({ Int($0) }), (0..<arguments.count).contains(index) else {
            return ExitStatus.badUsage
        }
        for candidate in Completion(Array(arguments.dropFirst()), at: index).candidates { Output.line(candidate) }
        return ExitStatus.success
    }

    /// Creates a completion.
    ///
    /// - Parameters:
    ///   - words: all words after the name of the program.
    ///   - index: the index of the word to complete. It may be the number of words, for a new word at the end.
    init(_ words: [String], at index: Int) {
        let current = index < words.count ? words[index] : ""
        // bash splits `--format=json` into three words.
        self.current = current.isSame(as: "=") ? "" : current
        before = words.prefix(index).filter { !$0.isSame(as: "=") }
        after = Array(words.dropFirst(index + 1))
    }

    /// The words that begin with the one to complete. Empty if a file can stand there.
    var candidates: [String] {
        guard let name = before.first else {
            return starting(Command.all.map(\.name) + ["--help", "--version"])
        }
        guard let command = Command.all.first(where: { name.isSame(as: $0.name) }) else { return [] }
        if let option = option(of: command) { return starting(option.choices) }
        if let equals = current.utf8.firstIndex(of: UInt8(ascii: "=")), current.begins(with: "--") {
            let option = command.options.first { current[..<equals].isSame(as: $0.name) }
            return starting(option?.choices.map { "\(current[...equals])\($0)" } ?? [])
        }
        if current.begins(with: "-") { return starting(command.allOptions.map(\.name)) }
        if command.name.isSame(as: "completion") { return starting(CompletionScript.all.map(\.shell)) }
        guard command.takesKey, operands(of: command).isEmpty else { return [] }
        return starting(keys(for: command))
    }

    /// The option whose value the word is, or nil.
    private func option(of command: Command) -> Option? {
        guard let last = before.last, before.count > 1 else { return nil }
        return command.options.first { $0.value != nil && last.isSame(as: $0.name) }
    }

    /// The words in front of the current one that are neither options nor their values.
    private func operands(of command: Command) -> [String] {
        (try? Arguments(Array(before.dropFirst()), options: command.allOptions))?.words ?? []
    }

    /// The names of all properties and tables in the files on the command line.
    private func keys(for command: Command) -> [String] {
        guard let arguments = try? Arguments(Array(before.dropFirst()) + after, options: command.allOptions),
            arguments[.schema].map({ Input($0, as: .json).isStream }) != true,
            let input = try? StoreInput(arguments.words, arguments), input.streams.isEmpty,
            let loaders = try? input.sources.map({ try $0.loader() }),
            case let store = input.emptyStore(), (try? store.apply(loaders)) != nil
        else { return [] }
        var names: [String] = [], seen: Set<PropertyKey> = []
        for name in store.entriesWithDefaults.map(\.name) {
            let parts = name.parts(between: ".")
            for count in 1...parts.count {
                let name = parts.prefix(count).joined(separator: ".")
                if seen.insert(PropertyKey(name)).inserted { names.append(name) }
            }
        }
        // The shell inserts a name as it is, so names with characters that are special to a shell are left out.
        return names.filter { name in
            name.utf8.allSatisfy { $0.isWordPart || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        }
    }

    private func starting(_ words: [String]) -> [String] { words.filter { $0.begins(with: current) } }
}
