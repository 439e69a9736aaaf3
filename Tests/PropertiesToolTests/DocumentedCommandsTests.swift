import Foundation
import TestSupport
import Testing

@Suite("The documented commands")
struct DocumentedCommandsTests {
    /// The blocks of the article that begin with a command, as lines.
    private static func examples() throws -> [[Substring]] {
        let article = Repository.root.appending(path: "Sources/ServiceHost/ServiceHost.docc/CommandLineTool.md")
        return try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```console\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0].split(separator: "\n") }
    }

    @Test("The examples of the article print what it shows")
    func article() async throws {
        let examples = try Self.examples()
        #expect(examples.count == 3)
        for example in examples {
            let words = example[0].split(separator: " ").map(String.init)
            #expect(words.prefix(2) == ["$", "properties"])
            let folder = Repository.root.appending(path: "Fixtures/quickstart")
            let run = try await ToolRun(Array(words.dropFirst(2)), in: folder)
            #expect(run.output.split(separator: "\n") == Array(example.dropFirst()), "\(words)")
        }
    }
}
