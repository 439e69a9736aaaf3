/// One command of the tool. Help texts and usage errors are made from these.
struct Command: Sendable {
    let name: String
    /// The arguments after the name, for help texts: `KEY FILE…`.
    let operands: String
    /// The purpose of the command, in one sentence.
    let summary: String
    /// Further notes for users, or an empty text.
    var details = ""
    /// Command lines for the help text, without `properties` and the name.
    var examples: [String] = []
    let options: [Option]
    /// Runs the command and returns the exit status. Throws a `UsageError` if the arguments are invalid.
    let run: @Sendable (Arguments) throws -> Int32

    static let all = [check, get, dump, explain, decode]

    /// The options, with `--help`.
    var allOptions: [Option] { options + [.help] }
}
