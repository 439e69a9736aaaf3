/// One command of the tool.
struct Command: Sendable {
    let name: String
    /// The arguments after the name, for help texts: `KEY FILE…`.
    let operands: String
    /// The description of the command in help texts.
    let summary: String
    let options: [Option]
    /// Runs the command and returns the exit status. Throws a `UsageError` if the arguments are invalid.
    let run: @Sendable (Arguments) async throws -> Int32

    static let all = [check, get, dump, explain, watch, decode]

    var help: String {
        let list = (options + [.help])
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
