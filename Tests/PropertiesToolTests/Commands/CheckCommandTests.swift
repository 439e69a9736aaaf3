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
                missing.json: error: no such file in \(folder.url.path). Create it, correct its path, or start the program in the directory that has it.
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

    @Test("A trailing comma is a warning, and only of check")
    func trailingComma() async throws {
        let folder = try TemporaryFolder(["tsconfig.json": "{\n  // from VS Code\n  \"strict\": true,\n}\n"])
        let run = try await ToolRun(["check", "tsconfig.json"], in: folder.url)
        #expect(run.status == 0)
        #expect(run.output == "tsconfig.json: ok, 1 property\n")
        #expect(
            run.errors == """
                tsconfig.json:3:17: warning: a comma follows the last value, which many parsers of JSON refuse. Remove this comma.
                    3 |   "strict": true,
                      |                 ^

                """)
        #expect(try await ToolRun(["get", "strict", "tsconfig.json"], in: folder.url).errors.isEmpty)
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

    @Test("A directory of files is not taken for a mount of secrets, and one that does not exist is reported")
    func directories() async throws {
        let none = try await run("dump", "nodir/")
        #expect(
            none.errors == "nodir/: error: no such directory. Check the path, and the directory that the program was "
                + "started in.\n")
        #expect(none.status == 1)
        let check = try await run("check", ".")
        #expect(check.status == 1)
        #expect(
            check.errors == """
                .: error: '.' is a directory; expected its files, in the order in which they are merged: '.env', \
                'broken.json', 'broken.toml', 'good.toml' and 'twice.json'; for a mount of secrets, in which each file is \
                one property, add --format directory\n
                """)
        #expect(try await run("dump", ".", "--format", "directory").output.contains("********"))
    }

    @Test("Unknown names of a .env file are errors only with a prefix, and a similar one is a warning")
    func sharedDotEnv() async throws {
        let text = "COMPOSE_PROJECT_NAME=shop\nDEBUG=true\nSERVER_PROT=80\nPOSTGRES_PASSWORD=t0ps3cret\n"
        let prefixed = text.split(separator: "\n").map { "APP_\($0)\n" }.joined()
        let files = try TemporaryFolder([
            "open.json": ServiceKeys.openSchema, "schema.json": ServiceKeys.schema, "good.toml": ServiceKeys.goodFile,
            ".env": text, "app.env": prefixed + "DOMAIN=example.com\n",
        ])
        for schema in ["open.json", "schema.json"] {
            let run = try await ToolRun(
                ["check", "good.toml", "--dotenv", ".env", "--set", "api.baseURL=x", "--schema", schema], in: files.url)
            #expect(run.status == 0 && !run.errors.contains("t0ps3cret"))
            #expect(
                run.errors
                    == ".env:3:1: warning: SERVER_PROT is ignored, because nothing has this name. "
                    + "Did you mean SERVER_PORT?\n")
        }
        let run = try await ToolRun(
            [
                "check", "good.toml", "--dotenv", "app.env", "--env", "APP", "--set", "api.baseURL=x", "--schema",
                "schema.json",
            ], in: files.url)
        #expect(run.status == 1)
        #expect(
            run.errors == """
                app.env:1:1: error: 'compose_project_name' is not a key that is read. Check its spelling, or remove it.
                app.env:3:1: error: 'server_prot' is not a key that is read. Did you mean APP_SERVER_PORT?
                app.env:4:1: error: 'postgres_password' is not a key that is read. Check its spelling, or remove it.

                """)
    }

    @Test("Unknown keys are warnings unless the schema refuses them, and sources are merged before they are sought")
    func schema() async throws {
        let files = try TemporaryFolder([
            "open.json": ServiceKeys.openSchema, "schema.json": ServiceKeys.schema, "good.toml": ServiceKeys.goodFile,
            "one.json": #"{"x": {"y.z": 1}}"#, "two.json": #"{"x": {"y": {"z": 1}}}"#,
        ])
        let good = ["check", "good.toml", "--set", "api.baseURL=x", "--schema", "schema.json"]
        let clean = try await ToolRun(good, in: files.url)
        #expect(clean.errors.isEmpty)
        #expect(clean.output == "good.toml: ok, 8 properties\ncommand line: ok, 1 property\n")
        for (schema, status, word) in [("open.json", Int32(0), "warning"), ("schema.json", 1, "error")] {
            let words = ["check", "good.toml", "--set", "serve.port=1", "--schema", schema]
            let run = try await ToolRun(words, in: files.url)
            #expect(run.status == status)
            #expect(
                run.errors
                    == "command line --set serve.port: \(word): 'serve.port' is not a key that is read. "
                    + "Did you mean 'server.port'?\n")
        }
        let conflict = try await ToolRun(
            ["check", "good.toml", "one.json", "two.json", "--merge", "deep", "--schema", "schema.json"], in: files.url)
        #expect(conflict.status == 1)
        #expect(conflict.errors.hasPrefix("two.json:1:14: error: two keys have the flat name 'x.y.z'"))
        let dump = try await ToolRun(["dump", "--schema", "schema.json", "--env", "TOOLTEST"], in: files.url)
        #expect(dump.output.contains("api.timeout"))
    }
}
