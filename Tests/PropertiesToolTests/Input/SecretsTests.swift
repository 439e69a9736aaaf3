import PropertiesTool
import Testing

@Suite("Without a schema, names that look like those of secrets are masked")
struct SecretsTests {
    @Test(
        "A name is that of a secret by its last word",
        arguments: [
            ("password", true), ("db.password", true), ("db.adminPassword", true), ("DB_PASSWORD", true),
            ("admin-password", true), ("password.hash", true), ("passwords", false), ("passwordLength", false),
            ("token", true), ("session_token", true), ("tokens", false), ("tokenizer", false),
            ("client.secret", true), ("clientSecret", true), ("secretary", false),
            ("credential", true), ("awsCredentials", true), ("credentials.user", true),
            ("key", false), ("api.key", true), ("apiKey", true), ("APIKey", true), ("API_KEY", true),
            ("private-key", true), ("secretKey", true), ("signing_key", true), ("public_key", false), ("monkey", false),
            ("tls.key", false), ("accounts[].password", true), ("grid[][].x", false), ("", false), ("é_token", true),
        ])
    func names(name: String, isSecret: Bool) {
        #expect(SecretName.looksSecret(name) == isSecret)
    }

    @Test("dump and explain mask them and what is made of them, and get does not")
    func commands() async throws {
        let folder = try TemporaryFolder([
            "a.toml": """
            url = "http://${db.password}@h"
            [db]
            user = "u"
            password = "HIDDEN"
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
                == "{\"user\": \"u\", \"password\": \"HIDDEN\"}\n")
    }
}
