import Foundation
import Testing

@Suite("properties check")
struct CheckCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "good.toml": ServiceKeys.goodFile,
            "broken.toml": "a = 1\nb = \n",
            "x.conf": "",
            "broken.json": """
            {
                "host": "db.internal,
                "ports": [80, 443x, 8443],
                debug: True
            }

            """,
            ".env": "HOST=db\nPORT 80\nNAME=\"a\\qb\"\n",
            "twice.json": "{\"debug\": true,\n\"debug\": false}",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("A file of unknown format and a missing file are findings, and the other files are checked")
    func goesOn() async throws {
        let run = try await run("check", "x.conf", "missing.json", "broken.toml", "good.toml")
        #expect(run.status == 1)
        #expect(run.output == "good.toml: ok, 8 properties\n")
        #expect(
            run.errors == """
                x.conf: error: the format of 'x.conf' is not known; name it with --format (json, toml, plist, env, directory)
                missing.json: error: no such file. Check the path, and the directory that the program was started in.
                broken.toml:2:5: error: a value is missing; expected a string, a number, a boolean, an array or an inline table
                    2 | b =\u{20}
                      |     ^

                """)
    }

    @Test(
        "All problems of TOML and .env files and the first one of a JSON file are reported, in the order of their places"
    )
    func allProblems() async throws {
        let run = try await run("check", "broken.json", ".env", "broken.toml")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        let lines = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(
            lines.map(String.init) == [
                "broken.json:2:13: error: the string that starts here has no end; expected `\"` before the end of the line",
                ".env:2:6: error: no '=' follows the name; expected '='. Write NAME=value, and put a value of several lines in quotes.",
                #".env:3:8: error: this backslash has no meaning; expected \n, \r, \t, \", \\, \$ or the line's end after it. Write two backslashes for one, or put the value in single quotes."#,
                "broken.toml:2:5: error: a value is missing; expected a string, a number, a boolean, an array or an inline table",
            ])
    }

    @Test("--json lists files and findings")
    func json() async throws {
        let run = try await run("check", "broken.toml", "twice.json", "--json")
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
