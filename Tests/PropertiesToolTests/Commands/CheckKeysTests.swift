import Testing

@Suite("properties check --keys")
struct CheckKeysTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder([
            "good.toml": ServiceKeys.goodFile,
            "schema.json": ServiceKeys.schema,
            "keys.txt": "\u{FEFF}# the keys\r\n\r\n  server.port \r\nserver.workers\nquotas\ndb.password\nhosts",
            "none.txt": "# none\n",
        ])
    }

    private func run(_ words: String...) async throws -> ToolRun { try await ToolRun(words, in: folder.url) }

    @Test("--keys reports keys that are not in the list, with a suggestion, and accepts what is below a key")
    func keys() async throws {
        let run = try await run("check", "good.toml", "--keys", "keys.txt")
        #expect(run.status == 1)
        #expect(
            run.errors == """
                good.toml:1:1: error: 'debug' is not a key that is read. Check its spelling, or remove it.
                good.toml:3:1: error: 'retries' is not a key that is read. Check its spelling, or remove it.
                good.toml:4:1: error: 'rate' is not a key that is read. Check its spelling, or remove it.

                """)
        let near = try await self.run("check", "--set", "server.prot=1", "--keys", "keys.txt")
        #expect(
            near.errors == """
                command line --set server.prot: error: 'server.prot' is not a key that is read. Did you mean 'server.port'?

                """)
        let known = ["--set", "server.port=1", "--set", "quotas.a.b=1", "--set", "db.password=p"]
        let good = try await ToolRun(["check", "--keys", "keys.txt"] + known, in: folder.url)
        #expect(good.errors.isEmpty)
        #expect(good.status == 0)
    }

    @Test("A list of keys that has none, or does not exist, is an error, and so are two lists")
    func wrongKeys() async throws {
        let none = try await run("check", "good.toml", "--keys", "none.txt")
        #expect(
            none.errors
                == "none.txt: error: the list has no key; expected one name on each line, such as 'server.port'\n")
        #expect(none.status == 1)
        let missing = try await run("check", "good.toml", "--keys", "missing.txt")
        #expect(missing.errors.hasPrefix("missing.txt: error: no such file"))
        let both = try await run("check", "good.toml", "--keys", "keys.txt", "--schema", "schema.json")
        #expect(both.errors.hasPrefix("properties: expected one of --schema and --keys\n"))
        #expect(both.status == 2)
    }
}
