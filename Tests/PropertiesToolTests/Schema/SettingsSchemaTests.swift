import PropertiesTool
import PropertyLoaders
import Testing

private struct ShopSettings: Settings {
    @Setting("Where clients connect", in: 1...65535) var port = 8080
    @Setting("How long a request may take", in: .milliseconds(10)...) var timeout = Duration.seconds(30)
    @Setting("Signs the tokens", isSecret: true) var signingKey: String
    @Setting("How to store orders") var mode: Mode?
    var tls = TLS()
    var upstreams: [Upstream] = []

    enum Mode: String, CaseIterable, Decodable { case fast, safe }
    struct TLS: Settings { @Setting var certificate = "server.pem" }
    struct Upstream: Settings {
        @Setting var host: String
        @Setting(in: 0...100) var weight = 1
        var tls = Depth()
    }
    struct Depth: Settings { @Setting var depth = 1 }
}

@Suite("The schema of a settings type agrees with the service")
struct SettingsSchemaTests {
    private static func store() -> PropertyStore {
        let store = PropertyStore()
        store.acceptUncheckedChanges()
        store.declare(ShopSettings.self, at: "shop")
        return store
    }

    @Test(
        "A document has the same problems in the service and the tool",
        arguments: [
            "", "mode = \"fast\"", "mode = \"slow\"", "port = 0", "port = \"80\"", "prot = 80", "timeout = 2",
            "timeout = \"1ms\"", "tls = 1", "tls.certificate = 5", "tls.cert = \"x\"", "upstreams = {}",
            "upstreams = [{ host = \"a\", weight = 3 }, { host = \"b\" }]", "upstreams = [{ weight = 101 }]",
            "upstreams = [1]", "upstreams = [{ host = \"a\", wait = 3 }]", "upstreams = [{ host = 1, wait = 3 }]",
            "upstreams = [{ host = \"a\", tls = { depth = 1, deep = 2 } }, { hos = \"a\" }]",
            "upstreams = [{ host = \"a\", tls = 5 }]",
        ])
    func document(lines: String) throws {
        for refusesUnknownKeys in [true, false] {
            let reference = Self.store().reference(as: .jsonSchema(refusesUnknownKeys: refusesUnknownKeys))
            let schema = try SchemaAgreementTests.value(reference)
            let loader = TomlPropertyLoader(string: "[shop]\nsigningKey = \"k\"\n\(lines)\n", name: "shop.toml")
            let service = SchemaAgreementTests.problems(
                Self.store(), loader, refusesUnknownKeys: refusesUnknownKeys)
            let tool = try SchemaAgreementTests.problems(
                SchemaAgreementTests.tool(schema), loader, refusesUnknownKeys: refusesUnknownKeys)
            #expect(tool == service)
        }
    }
}
