import Foundation
import Testing

@Suite("properties diff and explain")
struct DiffAndExplainTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "config.toml": "name = \"x\"\n[api]\ntimeout = 30\nurl = \"http://a\"\n",
            "config.staging.toml": "[api]\ntimeout = 10\n",
            "config.production.toml": "[api]\ntimeout = 5\nurl = \"http://p\"\n",
            "other.json": #"{"name": "x", "api": {"timeout": 30.0, "retries": 3}}"#,
            "lost.json": #"{"api": "none"}"#,
            "null.json": #"{"api": null}"#,
            "env": "NAME=x\n",
            "broken.toml": "a = \n",
            "places.toml":
                "list = [\"${env:TOOLTEST_API__TIMEOUT}\"]\n[[tables]]\nt = \"${env:TOOLTEST_API__TIMEOUT}\"\n",
            "texts.toml": "list = [\"7\"]\n[[tables]]\nt = \"7\"\n",
        ])
        let secrets = folder.url.appendingPathComponent("secrets")
        for (name, text) in [("one", "hunter1"), ("two", "hunter2")] {
            let url = secrets.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let file = url.appendingPathComponent("password")
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("diff prints both values of what differs, each with its origin")
    func files() async throws {
        let run = try await run("diff", "config.toml", "--", "other.json")
        #expect(run.status == 1)
        #expect(
            run.output == """
                property       value       from
                ─────────────  ──────────  ────────────────
                + api.retries  3           other.json:1:51
                - api.timeout  30          config.toml:3:11
                + api.timeout  30.0        other.json:1:34
                - api.url      "http://a"  config.toml:4:7

                """)
        #expect(run.errors.isEmpty)
    }

    @Test("diff prints JSON, and its options apply to both sides")
    func json() async throws {
        let words = ["diff", "config.staging.toml", "--json", "--set", "x=1", "--", "config.production.toml"]
        let run = try await ToolRun(words, in: folder.url)
        #expect(run.status == 1)
        #expect(
            run.output == """
                {"api.timeout": {"before": {"value": 10, "origin": "config.staging.toml:2:11"}, \
                "after": {"value": 5, "origin": "config.production.toml:2:11"}}, \
                "api.url": {"after": {"value": "http://p", "origin": "config.production.toml:3:7"}}}\n
                """)
    }

    @Test("The status of diff is 0 without differences, and 2 for errors")
    func status() async throws {
        let same = try await run("diff", "config.toml", "--", "config.toml")
        #expect(same.status == 0)
        #expect(same.output.isEmpty)
        #expect(try await run("diff", "--json", "config.toml", "--", "config.toml").output == "{}\n")
        #expect(try await run("diff", "config.toml", "--", "broken.toml").status == 2)
        #expect(try await run("diff", "config.toml", "other.json").status == 2)
        #expect(try await run("diff", "config.toml", "--").status == 2)
    }

    @Test("A stream that both sides would read is an error")
    func misuse() async throws {
        for words in [
            ["-", "--", "-"], ["--schema", "-", "env", "--", "config.toml"],
        ] {
            let run = try await ToolRun(["diff", "--format", "env"] + words, input: "A=1\n", in: folder.url)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("properties: standard input cannot be read twice; expected a file\n"))
        }
        #expect(try await ToolRun(["dump", "--format", "env", "-", "-"], input: "A=1\n").status == 2)
    }

    @Test("Text is the same whether its source has types or not, and secrets are masked")
    func textAndSecrets() async throws {
        let text = try await run("diff", "--format", "env", "env", "--", "env")
        #expect(text.status == 0)
        let inside = try await run("diff", "--placeholders", "places.toml", "--", "texts.toml")
        #expect(inside.status == 0)
        #expect(inside.output.isEmpty)
        let secrets = try await run("diff", "--format", "directory", "secrets/one", "--", "secrets/two")
        #expect(secrets.status == 1)
        #expect(secrets.output.components(separatedBy: "********").count == 3)
        #expect(!secrets.output.contains("hunter"))
        let json = try await run("diff", "--json", "--format", "directory", "secrets/one", "--", "secrets/two")
        #expect(!json.output.contains("hunter"))
    }

    @Test("explain says what replaced a table that had the property", arguments: ["lost.json", "null.json"])
    func lost(file: String) async throws {
        let run = try await run("explain", "api.timeout", "config.toml", file)
        let value = file == "null.json" ? "null" : "\"none\""
        let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(run.status == 0)
        #expect(lines.count == 4)
        #expect(lines[2] == "lost to api \(value) \(file):1:9")
        #expect(lines[3] == "api.timeout 30 config.toml:3:11")
    }
}
