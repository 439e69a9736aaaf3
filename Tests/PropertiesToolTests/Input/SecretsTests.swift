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
}
