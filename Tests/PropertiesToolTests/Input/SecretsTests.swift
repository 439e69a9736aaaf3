import Testing

@Suite("Without a schema, names that look like those of secrets are masked")
struct SecretsTests {
    @Test("dump and explain mask them and what is made of them, and get does not")
    func commands() async throws {
        let folder = try TemporaryFolder([
            "a.toml": """
            url = "http://${db.password}@h"
            [db]
            user = "u"
            password = "HIDDEN"
            PGPASSWORD = "HIDDEN"
            replicas = ["postgres://app:HIDDEN@db/app"]
            [[peers]]
            host = "h"
            token = "HIDDEN"
            """
        ])
        for words in [["dump"], ["dump", "--json"], ["explain", "db"], ["explain", "peers"], ["explain", "url"]] {
            let words = words + ["a.toml", "--placeholders"]
            let masked = try await ToolRun(words, in: folder.url).output
            #expect(masked.contains("********"))
            #expect(!masked.contains("HIDDEN"), "\(words)")
            let shown = try await ToolRun(words + ["--show-secrets"], in: folder.url).output
            #expect(shown.contains("HIDDEN"))
            #expect(!shown.contains("********"), "\(words)")
        }
        #expect(try await ToolRun(["get", "db.password", "a.toml"], in: folder.url).output == "HIDDEN\n")
        #expect(
            try await ToolRun(["get", "db", "a.toml"], in: folder.url).output
                == """
                {"user": "u", "password": "HIDDEN", "PGPASSWORD": "HIDDEN", \
                "replicas": ["postgres://app:HIDDEN@db/app"]}

                """)
    }

    /// Files with broken syntax where the value of a name is that only the schema knows.
    static let broken = [
        "a.toml": "dbhost = HIDDEN x\n", "b.toml": "[pools.main]\nlogin = HIDDEN x\n",
        "c.toml": "[[peers]]\nnick = HIDDEN x\n",
        "d.json": "{\"dbhost\": \"HIDDEN\",}", "e.json": "{\"dbhost\": 1, \"dbhost\": \"HIDDEN\"}",
        "f.toml": "[vault]\nplace = HIDDEN x\n", "g.json": "{\"vault\": {\n\"place\": HIDDEN\n}}",
        "h.toml": "regions.eu = HIDDEN x\n", "i.toml": "\"db\\u0068ost\" = HIDDEN x\n",
        "j.env": "APP_DBHOST=HIDDEN\nAPP_DBHOST='HIDDEN\n",
    ]

    @Test("With a schema, no command shows a line that may have a value which the schema marks as secret")
    func schema() async throws {
        let schema = """
            {"properties": {
              "dbhost": {"type": "string", "x-secret": true}, "port": {"type": "integer"},
              "pools": {"type": "object", "additionalProperties": {"properties": {"login": {"x-secret": true}}}},
              "peers": {"type": "array", "items": {"properties": {"nick": {"x-secret": true}}}},
              "vault": {"x-secret": true, "properties": {"place": {}}},
              "regions": {"type": "object", "additionalProperties": {"x-secret": true}}
            }}
            """
        let open = "port = HIDDEN x\n"
        let folder = try TemporaryFolder(Self.broken.merging(["schema.json": schema, "open.toml": open]) { $1 })
        for file in Self.broken.keys.sorted() {
            for words in [["check"], ["check", "--json"], ["dump"], ["get", "port"], ["explain", "port"]] {
                let run = try await ToolRun(words + [file, "--schema", "schema.json"], in: folder.url)
                #expect(!(run.output + run.errors).contains("HIDDEN"), "\(words) \(file): \(run.errors)\(run.output)")
            }
            let check = try await ToolRun(["check", file, "--schema", "schema.json"], in: folder.url)
            #expect(check.errors.contains("\(file):"), "\(check.errors)")
        }
        let shown = try await ToolRun(["check", "open.toml", "--schema", "schema.json"], in: folder.url)
        #expect(shown.errors.contains("| port = HIDDEN x"), "\(shown.errors)")
    }
}
