import Foundation
import ServiceHost
import Testing

@Suite("The article on the answers of a service", .timeLimit(.minutes(10)))
struct ArticleTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    private static let article = root.appending(path: "../../Sources/ServiceHost/ServiceHost.docc/Answers.md")

    /// A line of a shell, and the lines that the article shows below it.
    private struct Step {
        let command: String
        var output: [String] = []
    }

    @Test("It shows the files of the service, and what each command prints")
    func commands() async throws {
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        for file in ["Settings.swift", "Notifier.swift"] {
            let code = try String(contentsOf: Self.root.appending(path: "Notifier/\(file)"), encoding: .utf8)
            #expect(text.contains("```swift\n\(code)```\n"), "\(file)")
        }
        #expect(text.contains("```toml\n\(CommandTests.config)```\n"))
        let blocks = text.matches(of: /```text\n(\$ [^`]*)```/).map { String($0.1) }
        let steps = blocks.flatMap(Self.steps)
        #expect(steps.count == 11)
        for step in steps {
            var words = step.command.split(separator: " ").map(String.init)
            var variables: [String: String] = [:]
            while let first = words.first, first.contains("="), let end = first.firstIndex(of: "=") {
                variables[String(first[..<end])] = String(first[first.index(after: end)...])
                words.removeFirst()
            }
            #expect(words.removeFirst() == "notifier")
            // `| head -n 9`
            let lines = words.firstIndex(of: "|").map { Int(words[$0 + 3]) ?? 0 }
            words = Array(words.prefix { $0 != "|" })
            let process = try HostedProcess(
                "", words, files: CommandTests.files, program: "Notifier", variables: variables)
            _ = await process.status()
            let output = process.output.all.prefix(lines ?? .max) + process.errors.all
            #expect(Array(output) == step.output, "\(step.command)")
        }
    }

    @Test("It shows the picture of the service")
    func picture() async throws {
        let process = try HostedProcess(
            "", ["services", "--mermaid"], files: CommandTests.files, program: "Notifier")
        #expect(await process.status() == 0)
        let text = try String(contentsOf: Self.article, encoding: .utf8)
        #expect(text.contains("```mermaid\n\(process.output.text)\n```\n"), "\(process.output.text)")
    }

    @Test("The article on operations has every line that a service can write, from the table of the program")
    func lines() throws {
        let article = Self.root.appending(path: "../../Sources/ServiceHost/ServiceHost.docc/Operations.md")
        let text = try String(contentsOf: article, encoding: .utf8)
        #expect(ServiceLine.all.count == 33)
        #expect(Set(ServiceLine.all.map(\.pattern)).count == ServiceLine.all.count)
        #expect(text.contains("```text\n\(ServiceLine.reference)\n```\n"), "\(ServiceLine.reference)")
    }

    private static func steps(_ block: String) -> [Step] {
        block.split(separator: "\n", omittingEmptySubsequences: false).dropLast().reduce(into: []) { steps, line in
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2))))
            } else {
                steps[steps.count - 1].output.append(String(line))
            }
        }
    }
}
