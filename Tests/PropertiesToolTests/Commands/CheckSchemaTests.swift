import Foundation
import PropertyLoaders
import Testing

@Suite("properties check --schema")
struct CheckSchemaTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "schema.json": ServiceKeys.schema,
            "open.json": ServiceKeys.openSchema,
            "good.toml": ServiceKeys.goodFile,
            "broken.toml": "a = 1\nb = \n",
            "one.json": #"{"x": {"y.z": 1}}"#, "two.json": #"{"x": {"y": {"z": 1}}}"#,
            "dates.toml": "[api]\nbaseURL = 2026-11-22\n",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("--schema accepts what the service accepts, and matches the environment with the keys")
    func goodFiles() async throws {
        let run = try await run("check", "good.toml", "--schema", "schema.json", "--set", "api.baseURL=x")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output == "good.toml: ok, 8 properties\ncommand line: ok, 1 property\n")
        let date = try await self.run("check", "good.toml", "dates.toml", "--schema", "schema.json")
        #expect(date.errors.contains("'api.baseURL' is the local date 2026-11-22; expected a string."))
        let name = try await self.run("dump", "--schema", "schema.json", "--env", "TOOLTEST", "--set", "server.port=1")
        #expect(name.output.contains("api.timeout"))
        let secret = try await self.run("dump", "--schema", "schema.json", "good.toml")
        #expect(secret.output.contains("db.password     ********    good.toml:9:12"))
        #expect(secret.output.contains("log.level       \"info\"      default"))
        let level = try await self.run("get", "log.level", "--schema", "schema.json", "good.toml")
        #expect(level.output == "info\n")
    }

    @Test("Unknown keys are warnings unless the schema refuses them")
    func unknownKeys() async throws {
        for (schema, status, word) in [("open.json", Int32(0), "warning"), ("schema.json", 1, "error")] {
            let run = try await run("check", "good.toml", "--set", "serve.port=1", "--schema", schema)
            #expect(run.status == status)
            #expect(
                run.errors
                    == "command line --set serve.port: \(word): 'serve.port' is not a key that is read. "
                    + "Did you mean 'server.port'?\n")
        }
    }

    @Test("Keys are not missing if a file could not be loaded")
    func partial() async throws {
        let run = try await run("check", "broken.toml", "--schema", "schema.json")
        #expect(run.status == 1)
        #expect(!run.errors.contains("' is missing;"))
        // The sources contradict each other, so none of them is in force.
        let conflict = try await self.run(
            "check", "good.toml", "one.json", "two.json", "--merge", "deep", "--schema", "schema.json")
        #expect(conflict.errors.hasPrefix("two.json:1:14: error: two keys have the flat name 'x.y.z'"))
        #expect(!conflict.errors.contains("' is missing;"))
        let missing = try await self.run("check", "--set", "debug=true", "--schema", "schema.json")
        #expect(
            missing.errors == """
                error: 'db.password' is missing; expected a string. Set it by --set db.password=VALUE.
                error: 'server.workers' is missing; expected an integer. Set it by --set server.workers=VALUE.

                """)
    }

    @Test("A schema that keys cannot express is an error")
    func unsupportedSchema() async throws {
        for (schema, message) in [
            (#"{"properties": {"a": {"$ref": "x"}}}"#, "s.json:1:23: error: '$ref' is not a keyword that keys have"),
            (#"{"properties": {"a": {"type": "date"}}}"#, "s.json:1:31: error: 'date' is not a type of JSON Schema"),
            (
                #"{"properties": {"a": {"type": "integer", "minimum": "x"}}}"#,
                "s.json:1:53: error: 'minimum' has the wrong type"
            ),
            (
                #"{"properties": {"a": {"type": "string", "pattern": "x"}}}"#,
                "s.json:1:41: error: 'pattern' is not a keyword that keys have"
            ),
            (
                #"{"properties": {"a": {"type": "string", "x-type": "Later"}}}"#,
                "s.json:1:51: error: 'Later' is not a type that this tool has. Use the tool of the version"
            ),
            (#"{"properties": {"a": {"enum": [[1]]}}}"#, "s.json:1:31: error: these values have no type"),
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
