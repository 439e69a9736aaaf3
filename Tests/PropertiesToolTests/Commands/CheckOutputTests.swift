import Foundation
import Testing

@Suite("properties check --format-output")
struct CheckOutputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "schema.json": ServiceKeys.schema,
            "broken.toml": "a = 1\nb = \n",
            "twice.json": "{\"debug\": true,\n\"debug\": false}",
            "a,b:c%.toml": "x = \"\n",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("--format-output json lists files and findings")
    func json() async throws {
        for words in [["--json"], ["--format-output", "json"]] {
            let run = try await ToolRun(["check", "broken.toml", "twice.json"] + words, in: folder.url)
            #expect(run.status == 1)
            #expect(run.errors.isEmpty)
            let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            let files = try #require(report["files"] as? [[String: Any]])
            #expect(files.map { $0["name"] as? String } == ["twice.json"])
            #expect(files.map { $0["properties"] as? Int } == [1])
            let findings = try #require(report["findings"] as? [[String: Any]])
            #expect(findings.map { $0["severity"] as? String } == ["error", "warning"])
            #expect(findings.map { $0["rule"] as? String } == ["syntax", "duplicate"])
            #expect(findings.map { $0["file"] as? String } == ["broken.toml", "twice.json"])
            #expect(findings.map { $0["line"] as? Int } == [2, 2])
            #expect(findings.map { $0["column"] as? Int } == [5, 1])
        }
    }

    @Test("--format-output github annotates lines, and escapes what ends an attribute")
    func github() async throws {
        let run = try await run("check", "a,b:c%.toml", "--schema", "schema.json", "--format-output", "github")
        #expect(run.status == 1)
        #expect(
            run.output == """
                ::error file=a%2Cb%3Ac%25.toml,line=1,col=5,title=syntax::the string that starts here has no end; \
                expected `"` before the end of the line\n
                """)
        let input = try await ToolRun(
            ["check", "-", "--format", "toml", "--format-output", "github"], input: "a = \"", in: folder.url)
        #expect(input.output.hasPrefix("::error line=1,col=5,title=syntax::standard input:1:5: the string"))
        let place = try await self.run(
            "check", "--set", "debug=maybe", "--set", "server.workers=1", "--set", "db.password=x", "--schema",
            "schema.json", "--format-output=github")
        #expect(
            place.output == """
                ::error title=not-parsable::command line --set debug: 'debug' is the text "maybe"; expected \
                true or false. Write true or false.\n
                """)
    }
}
