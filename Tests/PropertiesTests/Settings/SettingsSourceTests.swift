import Properties
import PropertyLoadersEssentials
import Synchronization
import Testing

@Suite("A settings type with other parts of the package")
struct SettingsSourceTests {
    @Test("The environment and the arguments reach settings by relaxed spelling")
    func relaxed() throws {
        let store = PropertyStore()
        store.declare(ServerSettings.self, at: "server")
        store.declare(ProxySettings.self, at: "proxy")
        try store.start(
            [
                EnvironmentPropertyLoader(
                    prefix: "APP",
                    environment: [
                        "APP_SERVER__SIGNING_KEY": "k", "APP_SERVER__TLS__MINIMUM_VERSION": "1.3",
                        "APP_PROXY__MAX_CONNECTIONS": "5",
                    ]),
                CommandLinePropertyLoader(arguments: ["--server.timeout=2s", "--proxy.log-level", "fast"]),
            ], unknownKeys: .refused)
        let server = try store.settings(ServerSettings.self), proxy = try store.settings(ProxySettings.self)
        #expect((server.signingKey, server.tls.minimumVersion, server.timeout) == ("k", 1.3, .seconds(2)))
        #expect((proxy.maxConnections, proxy.logLevel) == (5, .fast))
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.apply(
                EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_SERVER__SIGNINGKEI": "k"]))
        }
        #expect(
            error?.lines == """
                environment APP_SERVER__SIGNINGKEI: 'server.signingkei' is not a key that is read. Did you mean APP_SERVER_SIGNING_KEY?
                'server.signingKey' is missing; expected a string. Did you mean 'server.signingkei' (environment APP_SERVER__SIGNINGKEI)?
                """)
    }

    @Test("The references list each setting, and the JSON Schema has the settings of the elements of arrays")
    func references() throws {
        struct Listed: Settings {
            @Setting("How many", in: 1...5) var count = 1
            @Setting("Half or more", in: 0.5...) var share = 1
            @Setting(isSecret: true) var token: String
            var spare: Upstream?
            var upstreams: [Upstream] = []
        }
        let store = try PropertyStore(Listed.self, at: "a")
        let help = store.help().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let first = "--a-count <integer> How many. An integer from 1 to 5. (default: 1) --a-share <number> Half"
        #expect(help.hasPrefix(first), "\(help)")
        // A setting of a table that may be missing is required only in it.
        #expect(help.contains("--a-spare-url <string> Where it is. (required if its table is set)"), "\(help)")
        let last =
            "--a-token <string> A string. (required, secret) --a-upstreams <array> An array of tables. (default: [], as "
            + "JSON or in a file; keys of each table: url <string> required, weight <integer>, "
            + "tls.certificate <string>, tls.minimumVersion <number>)"
        #expect(help.hasSuffix(last), "\(help)")
        let schema = store.jsonSchema(refusesUnknownKeys: true)
        #expect(schema.contains("\"items\": {"))
        for name in ["url", "weight", "tls", "certificate", "minimumVersion"] {
            #expect(schema.contains("\"\(name)\": {"))
        }
        // Unknown keys are refused in the root, in the table, and in the optional table and the elements with their tables.
        #expect(schema.split(separator: "\"additionalProperties\": false").count - 1 == 6)
        #expect(schema.contains("\"maximum\": 100"))
    }

    @Test("The values in force are those of the sources and the defaults, with secrets masked")
    func valuesInForce() throws {
        let store = try PropertyStore(PoolSettings.self, at: "pool", Lines("c", "pool.size = 3\nother = 1"))
        store.declare(AccountSettings.self, at: "account")
        store.declare(TypedKey("token", default: "hunter1", isSecret: true))
        store.declare(ProxySettings.self)
        let source = Literal(
            "d", ["account.password": "hunter2", "headers": ["a": "hunter3"], "base_tls": ["minimumVersion": nil]])
        try store.apply(source)
        store.declareSecret("headers.a", "unknown")
        #expect(
            store.values.map(\.description) == [
                "account.password = ******** (d)", "base_tls.certificate = \"/etc/tls/server.pem\" (default)",
                "base_tls.minimumVersion = 1.2 (default)", "headers = ******** (d)", "headers.a = ******** (d)",
                "log-level = \"safe\" (default)", "max_connections = 10 (default)", "pool.limit = null (default)",
                "pool.load = 0.5 (default)",
                "pool.names = [\"a\"] (default)", "pool.size = 3 (c:1:13)", "token = ******** (default)",
                "upstreams = [] (default)",
            ])
        #expect(store.snapshot.values.count == 13)
    }

    @Test("A default is not in force in place of a value whose placeholders have lost what they refer to")
    func brokenPlaceholder() throws {
        let parent = PropertyStore()
        try parent.set("x", to: 1)
        let store = PropertyStore(parent: parent)
        store.declare(TypedKey("port", default: 8080))
        try store.apply(Literal("c", ["port": "${x}"]).replacingPlaceholders())
        try parent.unset("x")
        #expect(store.values.map(\.description) == ["port = null (c)"])
    }

    @Test("Values are kept with their state")
    func cached() throws {
        struct Counted: Decodable, Sendable {
            static let count = Atomic(0)
            static var decoded: Int { count.load(ordering: .relaxed) }
            init(from decoder: any Decoder) throws { Self.count.add(1, ordering: .relaxed) }
        }
        struct Holder: Settings { @Setting var counted: Counted? }
        let store = try PropertyStore(Holder.self, Literal(["counted": [:]]))
        _ = try store.settings(Holder.self)
        let first = Counted.decoded
        for _ in 0..<10 { _ = try store.settings(Holder.self) }
        #expect(Counted.decoded == first)
        try store.apply(Literal("other", ["counted": 1]))
        _ = try store.settings(Holder.self)
        #expect(Counted.decoded > first)
    }
}
