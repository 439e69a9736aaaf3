import Foundation
import PropertyLoaders
import Testing

/// The values of a service that editors and other validators do not judge, and the commands that read a schema.
@Suite("The tool with a schema says what the service says")
struct ServiceMessageTests {
    private enum Mode: String, CaseIterable, Sendable { case fast, safe }

    private static func store() -> PropertyStore {
        let store = PropertyStore()
        store.declare(
            TypedKey<Duration>("database.busy_timeout", default: .seconds(2), in: .milliseconds(10)...),
            TypedKey<URL>("api.url", default: URL(fileURLWithPath: "/")), TypedKey<Decimal>("price", default: 1),
            TypedKey<[Mode]>("modes", default: [.fast]), TypedKey<[[Int]]>("grid", default: [[1], [2]]),
            TypedKey<String>("name", default: "x"), TypedKey<Int>("server.backlog", default: 128, in: 1...),
            TypedKey<String>("key", isSecret: true, summary: "Signs the tokens"))
        return store
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "schema.json": Self.store().jsonSchema(refusesUnknownKeys: true),
            "good.toml": "key = \"k\"\n", "null.json": #"{"key": "k", "server": {"backlog": null}}"#,
            "lost.json": #"{"server": {"other": 1}}"#, "server.toml": "[server]\nbacklog = 5\n",
            "server.test.toml": "[server]\nbacklog = 6\n",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("get, dump and explain have the defaults of the keys that no source has")
    func defaults() async throws {
        #expect(try await run("get", "server.backlog", "good.toml", "--schema", "schema.json").output == "128\n")
        #expect(try await run("get", "server.backlog", "null.json", "--schema", "schema.json").output == "128\n")
        #expect(try await run("get", "server.backlog", "server.toml", "--schema", "schema.json").output == "5\n")
        #expect(try await run("get", "server.backlog", "good.toml").status == 1)
        #expect(try await run("get", "key", "server.toml", "--schema", "schema.json").status == 1)
        let dump = try await run("dump", "null.json", "server.toml", "--schema", "schema.json")
        #expect(
            dump.output.split(separator: "\n").dropFirst(2).map { $0.split(separator: " ").joined(separator: " ") } == [
                #"api.url "file:///" default"#, #"database.busy_timeout "2s" default"#, "grid [[1], [2]] default",
                "key ******** null.json:1:9", #"modes ["fast"] default"#, #"name "x" default"#, "price 1 default",
                "server.backlog 5 server.toml:2:11",
            ])
        #expect(
            try await run("explain", "server.backlog", "good.toml", "--schema", "schema.json").output == """
                property        value  from
                ──────────────  ─────  ───────
                server.backlog  128    default\n
                """)
        #expect(
            try await run("explain", "server.backlog", "server.toml", "lost.json", "--schema", "schema.json").output
                .split(separator: "\n").dropFirst(2).map { $0.split(separator: " ").joined(separator: " ") } == [
                    "server.backlog 128 default", "lost to server {\"other\": 1} lost.json:1:12",
                    "server.backlog 5 server.toml:2:11",
                ])
    }

    @Test("--without-secrets does not ask for secrets, but checks those that are there")
    func withoutSecrets() async throws {
        let missing = try await run("check", "server.toml", "--schema", "schema.json")
        #expect(missing.errors == "error: 'key' is missing; expected a string. Set it in server.toml.\n")
        let run = try await run("check", "server.toml", "--schema", "schema.json", "--without-secrets")
        #expect(run.status == 0)
        #expect(run.errors.isEmpty)
        let wrong = try await ToolRun(
            ["check", "--format", "json", "-", "--schema", "schema.json", "--without-secrets"], input: #"{"key": 5}"#,
            in: folder.url)
        #expect(wrong.errors.contains("'key' is an integer that is secret; expected a string."))
        #expect(try await self.run("check", "server.toml", "--without-secrets").status == 2)
    }

    @Test("--env knows the variable of the profile, which is not a property")
    func profileVariable() async throws {
        let words = ["get", "server.backlog", "server.toml", "--schema", "schema.json", "--env", "TOOLPROFILE"]
        #expect(try await ToolRun(words, in: folder.url).output == "6\n")
        #expect(try await ToolRun(words + ["--profile", "test"], in: folder.url).output == "6\n")
        let check = ["check", "server.toml", "--schema", "schema.json", "--without-secrets", "--env", "TOOLPROFILE"]
        #expect(try await ToolRun(check, in: folder.url).errors.isEmpty)
    }

    @Test("A type without properties and the tables in an array are checked for unknown keys")
    func innerTables() async throws {
        let table = #"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#
        let schema = """
            {"properties": {"empty": {"type": "object", "properties": {}}, "list": {"type": "array", "items": \(table)}},
            "additionalProperties": false}
            """
        let files = try TemporaryFolder([
            "schema.json": schema, "a.toml": "[empty]\nport = 1\n[[list]]\na = 1\nb = 2\n",
        ])
        let run = try await ToolRun(["check", "a.toml", "--schema", "schema.json"], in: files.url)
        let remedy = "is not a key that is read. Check its spelling, or remove it."
        #expect(
            run.errors
                == "a.toml:2:1: error: 'empty.port' \(remedy)\na.toml:5:1: error: 'list[0].b' \(remedy)\n")
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
                .: error: '.' is a directory; expected its files, in the order in which they are merged: 'good.toml', \
                'lost.json', 'null.json', 'schema.json', 'server.test.toml' and 1 more; for a mount of secrets, in \
                which each file is one property, add --format directory\n
                """)
        #expect(try await run("dump", ".", "--format", "directory").output.contains("********"))
    }
}
