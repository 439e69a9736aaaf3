/// One command of the tool.
protocol Command: SendableMetatype {
    static var name: String { get }
    /// What to type, after `properties `.
    static var synopsis: String { get }
    /// What it does, in one sentence.
    static var summary: String { get }
    static var options: [Option] { get }

    /// Takes its arguments.
    ///
    /// - Throws: a `UsageError`.
    init(_ arguments: Arguments) throws

    /// Does its work.
    ///
    /// - Returns: the exit status.
    func run() async throws -> Int32
}

extension Command {
    static var help: String {
        let list = (options + [Option("--help", "prints this")])
            .map { "  \($0.text.padded(to: 24))\($0.help)" }
            .joined(separator: "\n")
        return "usage: properties \(synopsis)\n\n\(summary)\n\n\(list)"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, width - count))
    }
}
