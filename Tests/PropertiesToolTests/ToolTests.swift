import Foundation
import TestSupport
import Testing

@Suite("The tool")
struct ToolTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "a.json": #"{"api": {"timeout": 30, "url": "https://a.example"}, "tags": ["x", "y"], "none": null} // a"#,
            "b.toml": "[api]\ntimeout = 5\nname = \"say \\\"b\\\"\"\n",
            "c.plist": "<plist version=\"1.0\"><dict><key>blob</key><data>AQID</data></dict></plist>",
            "broken.toml": "title = \"x\"\nbase_url = \"https://api.example.com\n",
            "plain.json": "{\"api\": 1}",
            "local.env": "LOG__LEVEL=debug\n",
            ".env.production": "LOG__LEVEL=error\n",
            "comments.jsonc": "{\"x\": 1} // c",
            "twice.json": "{\"x\": 1,\n\"x\": 2}",
        ])
    }

    private func run(_ words: String..., input: String = "") async throws -> ToolRun {
        try await ToolRun(words, input: input, in: folder.url)
    }

    @Test("The tool recognizes the file names of the standard sources")
    func formats() async throws {
        #expect(try await run("get", "log.level", "local.env", ".env.production").output == "error\n")
        #expect(try await run("get", "x", "comments.jsonc").output == "1\n")
    }

    @Test("An option is not taken as the value of another one, and an error about a setting without = does not show it")
    func optionAsValue() async throws {
        let option = try await run("dump", "--env", "--json", "a.json")
        #expect(option.status == 2)
        #expect(
            option.errors.hasPrefix(
                "properties: --env PREFIX: an option follows; expected the value. "
                    + "Write --env=PREFIX if it begins with --"))
        #expect(try await run("dump", "--env=--none", "a.json").status == 0)
        let setting = try await run("dump", "--set", "a=1", "--set", "db.password:hunter2")
        #expect(setting.status == 2)
        #expect(
            setting.errors.hasPrefix("properties: --set KEY=VALUE: number 2 of them has no =; expected KEY=VALUE"))
        #expect(!setting.errors.contains("hunter2"))
    }

    @Test("get prints the value after loading the files in order")
    func get() async throws {
        #expect(try await run("get", "api.timeout", "a.json", "b.toml").output == "5\n")
        #expect(try await run("get", "api.timeout", "b.toml", "a.json").output == "30\n")
        #expect(try await run("get", "api.name", "b.toml").output == "say \"b\"\n")
        #expect(try await run("get", "--json", "api.name", "b.toml").output == "\"say \\\"b\\\"\"\n")
        #expect(try await run("get", "tags", "a.json").output == "[\"x\", \"y\"]\n")
        #expect(try await run("get", "api", "b.toml").output == "{\"timeout\": 5, \"name\": \"say \\\"b\\\"\"}\n")
        let missing = try await run("get", "api.timeot", "a.json")
        #expect(missing.status == 1)
        #expect(missing.output.isEmpty)
        #expect(missing.errors.contains("Did you mean 'api.timeout' (a.json:1:21)?"))
    }

    @Test("dump prints all properties, sorted, each with its origin")
    func dump() async throws {
        let table = try await run("dump", "a.json", "b.toml").output.split(separator: "\n").map(String.init)
        #expect(table.count == 7)
        #expect(table[0].split(separator: " ") == ["property", "value", "from"])
        #expect(table[3].split(separator: " ") == ["api.timeout", "5", "b.toml:2:11"])
        let json = try await run("dump", "--json", "a.json", "b.toml", "c.plist").output
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: [String: Any]])
        #expect(object.keys.sorted() == ["api.name", "api.timeout", "api.url", "blob", "none", "tags"])
        #expect(object["api.timeout"]?["value"] as? Int == 5)
        #expect(object["api.timeout"]?["origin"] as? String == "b.toml:2:11")
    }

    @Test("decode prints one document as tagged JSON")
    func decode() async throws {
        let toml = try await run(
            "decode", "--format", "toml", input: "a = 1\nb = [1.5, nan]\nc = 2026-11-21\nd = true\n")
        #expect(
            toml.output == """
                {"a": {"type": "integer", "value": "1"}, "b": [{"type": "float", "value": "1.5"}, \
                {"type": "float", "value": "nan"}], "c": {"type": "date-local", "value": "2026-11-21"}, \
                "d": {"type": "bool", "value": "true"}}\n
                """)
        #expect(
            try await run("decode", "--format=json", input: "null").output
                == "{\"type\": \"null\", \"value\": \"null\"}\n")
        #expect(
            try await run("decode", "c.plist").output == "{\"blob\": {\"type\": \"data\", \"value\": \"AQID\"}}\n")
        let invalid = try await run("decode", "--format", "json", input: "[1] one")
        #expect(invalid.status == 1)
        #expect(invalid.errors.hasPrefix("standard input:1:5: error: "))
    }

    @Test("An unknown option or command is an error that names the most similar one")
    func suggestions() async throws {
        for (words, problem) in [
            (["chek"], "unknown command 'chek'. Did you mean 'check'?"),
            (["serve"], "unknown command 'serve'"),
            (["--verson"], "unknown option '--verson'. Did you mean '--version'?"),
            (["get", "--jsn", "x", "a.json"], "unknown option '--jsn'. Did you mean '--json'?"),
            (["dump", "--profil=x", "a.json"], "unknown option '--profil'. Did you mean '--profile'?"),
            (["get", "--show-secrets", "x", "a.json"], "unknown option '--show-secrets'"),
        ] {
            let run = try await ToolRun(words, in: folder.url)
            #expect(run.status == 2)
            #expect(run.errors.hasPrefix("properties: \(problem)\nusage: properties "), "\(run.errors)")
        }
    }

    @Test("--version prints the version with which the changelog begins")
    func version() async throws {
        let changelog = try String(
            contentsOf: Repository.root.appending(path: ".github/CHANGELOG.md"), encoding: .utf8)
        let heading = try #require(changelog.split(separator: "\n").first { $0.hasPrefix("## ") })
        #expect(try await run("--version").output == "properties \(heading.dropFirst(3))\n")
    }

    @Test("A failure to write standard output is an error and not a crash")
    func fullOutput() async throws {
        let files = try TemporaryFolder(["x.toml": "x = 1", "output": "", "errors": ""])
        let process = try ToolRun.process(["dump", "x.toml"], in: files)
        // A file that is open for reading only cannot be written.
        process.standardOutput = try FileHandle(forReadingFrom: files.url.appendingPathComponent("output"))
        try await process.runToEnd()
        #expect(process.terminationStatus == 1)
        #expect(process.terminationReason == .exit)
        #expect(try files.text(of: "errors") == "properties: standard output cannot be written\n")
    }

    @Test("A file name can be replaced by standard input")
    func standardInput() async throws {
        #expect(try await run("get", "x", "--format", "toml", "-", input: "x = 1").output == "1\n")
        #expect(try await run("get", "x", "--format", "env", "-", input: "X=1").output == "1\n")
    }

    @Test(
        "An invalid command line exits with status 2 and prints help",
        arguments: [
            [], ["unknown"], ["check"], ["get"], ["get", "key"], ["dump"], ["explain", "key"], ["decode"],
            ["dump", "/dev/null"], ["dump", "."], ["check", "--format", "yaml", "a.json"], ["check", "--format"],
            ["get", "--json=1", "key", "a.json"], ["check", "--loud", "a.json"], ["decode", "a.json", "b.toml"],
            ["decode", "local.env"], ["dump", "--format", "directory", "-"],
        ])
    func usage(words: [String]) async throws {
        let run = try await ToolRun(words, in: folder.url)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("properties: "))
        #expect(run.errors.contains("usage: properties "))
    }
}
