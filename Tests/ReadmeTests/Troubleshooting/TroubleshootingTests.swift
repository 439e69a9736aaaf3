import Foundation
import Testing

/// The article is made from the messages that these tests produce. To write it anew, run the tests with
/// RECORD_ARTICLES=1 in the environment, and read the differences.
@Suite("The article on troubleshooting")
struct TroubleshootingTests {
    private static let file = ReadmeBlocks.root
        .appendingPathComponent("Sources/ServiceHost/ServiceHost.docc/Troubleshooting.md")

    @Test("It shows the messages of this version")
    func article() async throws {
        let text = await Self.text()
        if ProcessInfo.processInfo.environment["RECORD_ARTICLES"] != nil { try Data(text.utf8).write(to: Self.file) }
        let lines = text.components(separatedBy: "\n")
        let recorded = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self).components(separatedBy: "\n")
        for (line, old) in zip(lines, recorded) { #expect(line == old) }
        #expect(lines.count == recorded.count)
    }

    private static let all = [
        "Properties/Diagnostics/PropertyError": Trouble.values.map(\.reason),
        "Properties/Diagnostics/PropertyLoadError": Trouble.sources.map(\.reason),
        "Container/Core/Errors/ResolutionError": Trouble.services.map(\.reason),
        // The loaders pass them on, each as the reason of the same name.
        "ConfigurationSyntax/Errors/SyntaxError": ["syntax", "duplicate", "unsupported", "limit"],
    ]

    @Test("It has each reason of each public error, once")
    func isComplete() throws {
        var files: Set<String> = []
        for file in ReadmeBlocks.files(in: "Sources", ending: ".swift") {
            let source = try ReadmeBlocks.text(of: file)
            let reasons = source.matches(of: /public static let (\w+) = Reason\(/).map { String($0.1) }
            if reasons.isEmpty { continue }
            let name = String(file.dropFirst("Sources/".count).dropLast(".swift".count))
            files.insert(name)
            #expect(Self.all[name, default: []].sorted() == reasons.sorted(), "\(file)")
        }
        #expect(files == Set(Self.all.keys))
        // Each is in one part of the article.
        let shown = TroubleshootingPart.all.flatMap { part in part.troubles.map(\.text) }
        let texts = (Trouble.values + Trouble.sources + Trouble.services).map(\.text)
        #expect(shown.sorted() == texts.sorted())
    }

    @Test("Each example fails, with a message in one line that is unlike the others")
    func examples() async {
        var messages: Set<String> = []
        for trouble in Trouble.values + Trouble.sources + Trouble.services where trouble.example != nil {
            let message = await trouble.message()
            #expect(message?.contains("\n") == false, "\(trouble.reason)")
            #expect(messages.insert(message ?? "").inserted, "\(trouble.reason)")
        }
        #expect(messages.count >= 35)
        for trouble in SyntaxTrouble.toml + SyntaxTrouble.json {
            #expect(trouble.row().contains("config."), "\(trouble.document)")
        }
    }

    private static func text() async -> String {
        var text = """
            # Troubleshooting

            With this page you find the cause of what you see, and its remedy.

            ## Overview

            A message says where the problem is, what is wrong, what was expected, and what to do. The place is a \
            file with line and column, an environment variable, an argument, or the path of services to the service \
            that failed. Below each message stand the `reason` of its error and what the message does not say.

            Compare the `reason` in your code: it stays, and the wording of the messages may change. To check files \
            without starting the program, run `properties check FILE…`.


            """
        for part in TroubleshootingPart.all {
            text += "### \(part.title)\n\n\(part.text)\n\n"
            for trouble in part.troubles { text += await trouble.entry() + "\n" }
            if part.hasMistakes { text += mistakes }
        }
        return text + TroubleshootingPart.silent
    }

    private static let mistakes =
        "Typical mistakes in TOML:\n\n| text | message |\n|---|---|\n"
        + SyntaxTrouble.toml.map { $0.row() + "\n" }.joined()
        + "\nTypical mistakes in JSON:\n\n| text | message |\n|---|---|\n"
        + SyntaxTrouble.json.map { $0.row() + "\n" }.joined() + "\n"
}
