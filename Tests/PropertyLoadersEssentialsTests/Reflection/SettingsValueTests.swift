import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("A value of a settings type as a source, and its description")
struct SettingsValueTests {
    struct TLS: Settings {
        @Setting("The certificate") var certificate = "server.pem"
        @Setting("Opens the key", isSecret: true) var passphrase: String?
    }

    struct Upstream: Settings {
        @Setting("Where requests go") var url = "http://a"
        @Setting("Signs the requests", isSecret: true) var token = "up-secret"
    }

    struct Server: Settings, Equatable {
        static var naming: SettingNaming { .snakeCase }

        @Setting("Where clients connect", in: 1...65535) var port = 8080
        @Setting("What it says") var greeting = "Hello"
        @Setting("How long", in: .zero..., unit: .seconds) var requestTimeout = Duration.seconds(30)
        @Setting("Signs the tokens", isSecret: true) var signingKey: String
        @Setting("Limits", in: 1...) var limit: Int?
        @Setting("Names") var names: [String] = ["a,b"]
        @Setting("Where it is") var home = URL(string: "https://user:url-secret@example.com")!
        var tls = TLS()
        var upstreams: [Upstream] = []
        var pools: [String: Upstream] = [:]
        var backup: TLS?

        static func == (one: Server, other: Server) -> Bool { one.debugDescription == other.debugDescription }
    }

    private static let full = Server {
        $0.port = 9090
        $0.signingKey = "key-secret"
        $0.limit = 5
        $0.tls.passphrase = "tls-secret"
        $0.upstreams = [Upstream { $0.url = "http://b" }]
        $0.pools = ["main": Upstream { $0.token = "pool-secret" }]
    }

    @Test("StructPropertyLoader loads it by the keys of its settings, and a settings type reads it back")
    func loader() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        try store.start([StructPropertyLoader(Self.full).prefixed("server")])
        #expect(try store.settings(Server.self) == Self.full)
        #expect(try store.settings(Server.self).upstreams[0].token == "up-secret")
        #expect(try store.settings(Server.self).pools["main"]?.token == "pool-secret")
        #expect(store.property("server.request_timeout") == Duration.seconds(30))
        #expect(store.history(of: "server.port").map { "\($0)" } == ["server.port = 9090 (Server port)"])
        let all = store.entries.map { "\($0)" }.joined(separator: "\n")
        #expect(!all.contains("secret"), "\(all)")
        #expect(!all.contains("null"))
    }

    @Test("A read by name masks its secrets, although nothing is declared")
    func undeclared() throws {
        let store = PropertyStore()
        try store.apply(StructPropertyLoader(Self.full))
        #expect(store.property("signing_key") == "key-secret" && store.isSecret("signing_key"))
        #expect(store.isSecret("upstreams") && store.isSecret("pools") && store.isSecret("tls.passphrase"))
        #expect(!store.isSecret("port") && !store.isSecret("tls.certificate"))
        #expect(try store.json()?.contains("secret") == false)
    }

    @Test("A required setting that is not set is missing, and nil is no value of the source")
    func missing() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([
                JsonPropertyLoader(string: #"{"server": {"limit": 7}}"#, name: "c.json"),
                StructPropertyLoader(Server()).prefixed("server"),
            ])
        }
        #expect("\(error!)".hasPrefix("'server.signing_key' is missing; expected a string."))
        try store.start([
            JsonPropertyLoader(string: #"{"server": {"limit": 7}}"#, name: "c.json"),
            StructPropertyLoader(Server { $0.signingKey = "k" }).prefixed("server"),
        ])
        #expect(try store.settings(Server.self).limit == 7)
    }

    @Test("set gives a whole table its value, in which nil hides the values of other sources")
    func set() throws {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        try store.start([
            JsonPropertyLoader(string: #"{"server": {"limit": 7, "signing_key": "file-secret"}}"#, name: "c.json")
        ])
        try store.set("server", to: Server { $0.port = 1 })
        #expect(try store.settings(Server.self).port == 1)
        #expect(try store.settings(Server.self).limit == nil)
        #expect(try store.settings(Server.self).signingKey == "file-secret")
        try store.set("server", to: Self.full)
        #expect(try store.settings(Server.self) == Self.full)
        #expect(!store.entries.map { "\($0)" }.joined().contains("secret"))
        let error = #expect(throws: ConfigurationErrors.self) { try store.set("server", to: Server { $0.port = 0 }) }
        #expect("\(error!)".contains("'server.port' is the integer 0; expected an integer from 1 to 65535"))
        try store.unset("server")
        #expect(try store.settings(Server.self).port == 8080)
    }

    @Test("It is a property of a plain struct, and the defaults of a list of sources")
    func nested() throws {
        struct App: Sendable {
            let server = SettingsValueTests.full
            let name = "app"
        }
        let store = PropertyStore()
        try store.apply(.standardSources(defaults: App(), environment: "APP", variables: [:], arguments: []))
        #expect(store.property("server.port") == 9090 && store.property("name") == "app")
        #expect(store.isSecret("server.signing_key"))
    }

    @Test("Its description has the names of the settings, and masks the secrets, also inside")
    func description() {
        #expect("\(TLS())" == #"TLS(certificate: "server.pem", passphrase: nil)"#)
        let text = "\(Self.full)"
        #expect(
            text
                == """
                Server(port: 9090, greeting: "Hello", requestTimeout: 30.0 seconds, signingKey: <masked>, limit: 5, names: \
                ["a,b"], home: https://user:<masked>@example.com, tls: TLS(certificate: "server.pem", passphrase: <masked>), \
                upstreams: [Upstream(url: "http://b", token: <masked>)], pools: ["main": Upstream(url: "http://a", token: \
                <masked>)], backup: nil)
                """.replacing("<masked>", with: "\(Setting(wrappedValue: "", isSecret: true))"))
        #expect(String(reflecting: Self.full) == text && "\([Self.full])" == "[\(text)]")
        #expect("\(Server())".contains("signingKey: not set, limit: nil"))
    }
}
