/// One command of the tool.
struct Command: Sendable {
    let name: String
    /// What to type after the name.
    let operands: String
    /// What it does, in one sentence.
    let summary: String
    let options: [Option]
    /// Does the work and returns the exit status. Throws a `UsageError` for arguments that the command does not take.
    let run: @Sendable (Arguments) async throws -> Int32

    static let all = [check, get, dump, explain, watch, decode]

    var help: String {
        let list = (options + [Option("--help", "prints this")])
            .map { "  \($0.text.padded(to: 24))\($0.help)" }
            .joined(separator: "\n")
        return "usage: properties \(name) \(operands)\n\n\(summary)\n\n\(list)"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, width - count))
    }
}
