import PropertyLoaders

extension Command {
    /// `properties completion SHELL`
    static let completion = Command(
        name: "completion", operands: "SHELL",
        summary: "Prints a script that completes commands, options and files in bash, zsh or fish.",
        details: """
            For bash, add this to ~/.bashrc: source <(properties completion bash)
            For zsh, add this to ~/.zshrc after compinit: source <(properties completion zsh)
            For fish: properties completion fish > ~/.config/fish/completions/properties.fish
            """,
        options: []
    ) { arguments in
        switch arguments.words {
        case ["bash"]: Output.line(bashScript)
        case ["zsh"]: Output.line("autoload -U +X bashcompinit && bashcompinit\n\(bashScript)")
        case ["fish"]: Output.line(fishScript)
        default: throw UsageError("no known shell is given; expected one of bash, zsh, fish")
        }
        return ExitStatus.success
    }

    private static func names(_ options: [Option]) -> String { options.map(\.name).joined(separator: " ") }

    private static var bashScript: String {
        """
        _properties() {
            local candidates
            case "${COMP_WORDS[1]}" in
        \(all.map { "        \($0.name)) candidates='\(names($0.allOptions))' ;;" }.joined(separator: "\n"))
                *) candidates='\(all.map(\.name).joined(separator: " ")) --help --version' ;;
            esac
            COMPREPLY=($(compgen -W "$candidates" -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -o default -F _properties properties
        """
    }

    private static var fishScript: String {
        all.map { command in
            let options = command.allOptions.map { "-l \($0.name.dropFirst(2))" }.joined(separator: " ")
            return """
                complete -c properties -n __fish_use_subcommand -a \(command.name)
                complete -c properties -n '__fish_seen_subcommand_from \(command.name)' \(options)
                """
        }.joined(separator: "\n")
    }
}
