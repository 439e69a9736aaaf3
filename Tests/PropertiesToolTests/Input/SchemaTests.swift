import Foundation
import PropertyLoaders
import Testing

@Suite("The tool knows the names of a schema")
struct SchemaTests {
    private static let schema = #"""
        {"properties": {
            "profile": {"type": "string"},
            "db": {"type": "object", "properties": {"user": {"type": "string"}, "pin": {"type": "string", "x-secret": true}}},
            "accounts": {"type": "array", "items": {"properties": {"name": {}, "pin": {"x-secret": true}}}},
            "regions": {"additionalProperties": {"properties": {"host": {}, "pin": {"x-secret": true}}}},
            "free": {"type": "object"}, "empty": {"type": "object", "properties": {}},
            "api": {"properties": {"timeOut": {"type": "integer"}}}, "key": {"type": "string", "minimum": 7}
        }}
        """#

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "schema.json": Self.schema,
            "config.toml": """
            key = "open"
            [db]
            user = "u"
            pin = "HIDDEN"
            [[accounts]]
            name = "a"
            pin = "HIDDEN"
            [regions."eu.west"]
            host = "h"
            pin = "HIDDEN"
            [free]
            api_key = "HIDDEN"
            any = "free"
            """,
            "unknown.toml": """
            kye = 1
            [db]
            usr = "u"
            [[accounts]]
            nam = "a"
            [regions.eu]
            port = 1
            [empty]
            port = 1
            """,
            "config.test.toml": "[db]\nuser = \"test\"\n",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun {
        try await ToolRun(words + ["--schema", "schema.json"], in: folder.url)
    }

    @Test("Names that the schema does not have are reported, also in arrays and dictionaries")
    func unknownNames() async throws {
        let run = try await run("check", "unknown.toml")
        #expect(run.status == 0)
        #expect(
            run.errors == """
                unknown.toml:1:1: warning: 'kye' is not a key that is read. Did you mean 'key'?
                unknown.toml:3:1: warning: 'db.usr' is not a key that is read. Did you mean 'db.user'?
                unknown.toml:5:1: warning: 'accounts[0].nam' is not a key that is read. Did you mean 'name'?
                unknown.toml:7:1: warning: 'regions.eu.port' is not a key that is read. Check its spelling, or remove it.
                unknown.toml:9:1: warning: 'empty.port' is not a key that is read. Check its spelling, or remove it.

                """)
        let good = try await self.run("check", "config.toml")
        #expect(good.errors.isEmpty)
    }

    @Test("A former name of a setting is read as its name of now, with a warning, and a secret stays one")
    func formerNames() async throws {
        struct API: Settings {
            @Setting(formerly: "base_url") var baseURL = "none"
            @Setting(formerly: "sign.key", isSecret: true) var token: String?
        }
        let store = PropertyStore()
        store.declare(API.self, at: "api", formerly: "client")
        let files = try TemporaryFolder([
            "schema.json": store.jsonSchema(refusesUnknownKeys: true),
            "config.toml": "client.base_url = 'a'\napi.sign.key = 'HIDDEN'",
        ])
        let words = ["config.toml", "--schema", "schema.json"]
        let check = try await ToolRun(["check"] + words, in: files.url)
        #expect(check.status == 0)
        #expect(
            check.errors == """
                config.toml:1:8: warning: 'client.base_url' is called 'api.baseURL' now. Rename it.
                config.toml:2:10: warning: 'api.sign.key' is called 'api.token' now. Rename it.

                """)
        let dump = try await ToolRun(["dump", "--set", "api.base-url=b"] + words, in: files.url)
        #expect(
            dump.output.split(separator: "\n").suffix(2) == [
                "api.baseURL  \"b\"       command line --set api.base-url", "api.token    ********  config.toml:2:16",
            ])
        let both = try await ToolRun(
            ["check", "--set", "client.token=c", "--set", "api.token=d"] + words, in: files.url)
        #expect(both.status != 0)
    }

    @Test("No value is judged: not its type, not its limits, and not whether it is there")
    func noValues() async throws {
        let run = try await run("check", "--set", "key=1", "--set", "db=5", "--set", "accounts=x")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
    }

    @Test("Of many unknown names, the first hundred have suggestions")
    func manyNames() async throws {
        let lines = (0..<150).map { "sttings\($0) = 1" }.joined(separator: "\n")
        let members = (0..<150).map { "\"settings\($0)\": {}" }.joined(separator: ",")
        let files = try TemporaryFolder([
            "many.toml": lines, "schema.json": "{\"properties\": {\(members)}, \"additionalProperties\": false}",
        ])
        let run = try await ToolRun(["check", "many.toml", "--schema", "schema.json"], in: files.url)
        #expect(run.status == 1)
        let errors = run.errors.split(separator: "\n")
        #expect(errors.count == 150)
        #expect(errors.count { $0.contains("Did you mean") } == 100)
    }

    @Test("x-secret masks values in tables, arrays and dictionaries, in all that dump and explain print")
    func secrets() async throws {
        for words in [
            ["dump"], ["dump", "--json"], ["explain", "db"], ["explain", "db.pin"], ["explain", "accounts"],
            ["explain", "regions"], ["explain", "regions.eu.west.pin"], ["explain", "free"],
        ] {
            let run = try await ToolRun(
                words + ["config.toml", "config.toml", "--schema", "schema.json"], in: folder.url)
            #expect(run.status == 0)
            #expect(run.output.contains("********"))
            #expect(!run.output.contains("HIDDEN"), "\(words)")
            let shown = try await ToolRun(
                words + ["config.toml", "--schema", "schema.json", "--show-secrets"], in: folder.url)
            #expect(shown.output.contains("HIDDEN"))
            #expect(!shown.output.contains("********"))
        }
        #expect(try await run("get", "db.pin", "config.toml").output == "HIDDEN\n")
        // The schema lists the name, and does not mark it as secret.
        #expect(try await run("explain", "key", "config.toml").output.contains("\"open\""))
        let lost = try await run("explain", "db.pin", "config.toml", "--set", "db=none")
        #expect(lost.output.contains("lost to db"))
        #expect(!lost.output.contains("HIDDEN"))
        let overridden = try await run("explain", "db", "config.toml", "--set", "db=none")
        #expect(overridden.output.contains(#"{"user": "u", "pin": "********"}"#))
    }

    @Test("The variable of the profile names the profile, also if the schema has a key of that name")
    func profileVariable() async throws {
        let words = ["get", "db.user", "config.toml", "--schema", "schema.json", "--env", "TOOLPROFILE"]
        #expect(try await ToolRun(words, in: folder.url).output == "test\n")
        #expect(try await ToolRun(words + ["--profile", "test"], in: folder.url).output == "test\n")
        let key = ["get", "profile", "config.toml", "--schema", "schema.json", "--env", "TOOLPROFILE"]
        #expect(try await ToolRun(key, in: folder.url).status == 1)
    }

    @Test("Names of the environment are matched with the schema")
    func relaxedSpelling() async throws {
        #expect(try await run("get", "api.timeOut", "--env", "TOOLTEST").output == "7\n")
        #expect(try await run("check", "--env", "TOOLTEST").errors.isEmpty)
    }

    @Test("If all variables of the environment are loaded, those of other programs are not unknown names")
    func wholeEnvironment() async throws {
        let run = try await run("check", "--env", "", "--set", "other=1")
        #expect(
            run.errors
                == "command line --set other: warning: 'other' is not a key that is read. Check its spelling, or "
                + "remove it.\n")
    }

    @Test("A schema whose names the tool cannot find is an error")
    func unsupportedSchema() async throws {
        for (schema, message) in [
            (#"{"properties": {"a": {"$ref": "x"}}}"#, "s.json:1:23: error: this tool does not follow '$ref'"),
            (#"{"patternProperties": {"^a": {}}}"#, "s.json:1:2: error: this tool does not follow 'patternProperties'"),
            (#"{"properties": 1}"#, "s.json:1:16: error: 'properties' is not a table"),
            ("[]", "s.json:1:1: error: this is not a schema"),
        ] {
            let files = try TemporaryFolder(["s.json": schema])
            let run = try await ToolRun(["check", "--set", "a=1", "--schema", "s.json"], in: files.url)
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix(message), "\(run.errors)")
        }
    }
}
