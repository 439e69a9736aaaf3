/// The script that connects the completion of a shell with the tool.
struct CompletionScript {
    let shell: String
    let text: String

    static let all = [bash, zsh, fish]

    // The candidates are read line by line, since `compgen -W` would run a `$(…)` in them.
    private static let bash = CompletionScript(
        shell: "bash",
        text: #"""
            _properties() {
                local candidate
                COMPREPLY=()
                while IFS= read -r candidate; do
                    COMPREPLY+=("$candidate")
                done < <("$1" __complete "$((COMP_CWORD - 1))" "${COMP_WORDS[@]:1}" 2>/dev/null)
            }
            complete -o bashdefault -o default -F _properties properties
            """#)

    private static let zsh = CompletionScript(
        shell: "zsh",
        text: #"""
            #compdef properties
            _properties() {
                local -a candidates
                candidates=("${(@f)$("${words[1]}" __complete $((CURRENT - 2)) "${(@)words[2,-1]}" 2>/dev/null)}")
                if [[ -n "${candidates[1]}" ]]; then
                    compadd -- "${candidates[@]}"
                else
                    _files
                fi
            }
            compdef _properties properties
            """#)

    private static let fish = CompletionScript(
        shell: "fish",
        text: #"""
            function __properties_complete
                set -l before (commandline -opc)
                set -l current (commandline -ct)
                set -l all (commandline -o)
                set -l next (math (count $before) + 1)
                test -n "$current"; and set next (math $next + 1)
                set -l index (math (count $before) - 1)
                set -e before[1]
                set -l after
                test $next -le (count $all); and set after $all[$next..-1]
                properties __complete $index $before "$current" $after 2>/dev/null
            end
            complete -c properties -a '(__properties_complete)'
            """#)
}
