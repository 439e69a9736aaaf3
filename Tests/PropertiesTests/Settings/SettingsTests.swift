import Properties
import PropertyLoadersEssentials
import Testing

@Suite("A settings type")
struct SettingsTests {
    @Test("Its values are those of the sources, and otherwise its defaults")
    func values() throws {
        let store = try PropertyStore(
            ServerSettings.self, at: "server",
            Lines("config.toml", "server.port = 80\nserver.signingKey = \"k\"\nserver.tls.minimumVersion = 1.3"))
        let settings = try store.settings(ServerSettings.self)
        #expect(settings.port == 80)
        #expect(settings.host == "0.0.0.0")
        #expect(settings.timeout == .seconds(30))
        #expect(settings.signingKey == "k")
        #expect(settings.mode == nil)
        #expect(settings.tls == TLSSettings { $0.minimumVersion = 1.3 })
    }

    @Test("All problems are reported at once, each with its place")
    func problems() throws {
        let text = """
            server.port = 0
            server.host = 5
            server.timeout = 30
            server.mode = "quick"
            server.tls.certificate = true
            """
        let store = try PropertyStore(ServerSettings.self, at: "server", Lines("config.toml", text))
        let expected = """
            The configuration has 6 problems:
              config.toml:1:15  'server.port' is the integer 0; expected an integer from 1 to 65535. Change the value.
              config.toml:2:15  'server.host' is the integer 5; expected a string. Put it in quotes.
              config.toml:3:18  'server.timeout' is the integer 30; expected a duration of at least 10ms. Add the unit: "30s" for seconds, "30ms" for milliseconds.
              config.toml:4:15  'server.mode' is the string "quick"; expected one of "fast", "safe". Choose one of these.
              config.toml:5:26  'server.tls.certificate' is the boolean true; expected a string. Put it in quotes.
              in no source      'server.signingKey' is missing; expected a string. Set it in config.toml.
            """
        let read = #expect(throws: ConfigurationErrors.self) { try store.settings(ServerSettings.self) }
        #expect(read?.description == expected)
        let verified = #expect(throws: ConfigurationErrors.self) { try store.verify() }
        #expect(verified?.description == expected)
    }

    @Test("A value in place of a table is a problem, and a null or nothing stands for the defaults")
    func tables() throws {
        let store = try PropertyStore(
            ServerSettings.self, at: "server", Lines("c", "server.signingKey = \"k\"\nserver.tls = 5"))
        let problem = "c:2:14: 'server.tls' is the integer 5; expected a table. Write a table in its place."
        let read = #expect(throws: ConfigurationErrors.self) { try store.settings(ServerSettings.self) }
        #expect(read?.lines == problem)
        let verified = #expect(throws: ConfigurationErrors.self) { try store.verify(unknownKeys: .refused) }
        #expect(verified?.lines == problem)
        let nulled = try PropertyStore(
            ServerSettings.self, at: "server", Lines("c", "server.signingKey = \"k\"\nserver.tls = null"))
        #expect(try nulled.settings(ServerSettings.self).tls == TLSSettings())
    }

    @Test("A table may stand where the type is not the first level, or there may be none")
    func root() throws {
        let store = try PropertyStore(PoolSettings.self, Lines("c", "size = 8\nlimit = 3\nnames = [\"x\"]"))
        let settings = try store.settings(PoolSettings.self)
        #expect(settings == PoolSettings { ($0.size, $0.limit, $0.names) = (8, 3, ["x"]) })
        let errors = #expect(throws: ConfigurationErrors.self) {
            try store.apply(Lines("d", "limit = 11\nload = 1.0\nnames = []"))
        }
        #expect(
            errors?.lines == """
                d:1:9: 'limit' is the integer 11; expected an integer from 1 to 10 (it overrides 3 at c:2:9). Change the value.
                d:2:8: 'load' is the number 1.0; expected a number of less than 1.0. Change the value.
                d:3:9: 'names' is an array of 0 values; expected an array (it overrides ["x"] at c:3:9). Change the value.
                """)
    }

    @Test("One type can be declared in several tables, each of which is read by its name")
    func several() throws {
        let store = PropertyStore()
        for name in ["primary", "replica"] { store.declare(PoolSettings.self, at: name) }
        try store.apply(Lines("c", "replica.size = 8"))
        #expect(try store.settings(PoolSettings.self, at: "primary").size == 4)
        #expect(try store.settings(PoolSettings.self, at: "replica").size == 8)
        let unnamed = #expect(throws: ConfigurationErrors.self) { try store.settings(PoolSettings.self) }
        #expect(
            unnamed?.description
                == "PoolSettings is not declared with this name. Read it with at: \"primary\" or at: \"replica\"")
        let unknown = #expect(throws: ConfigurationErrors.self) { try store.settings(TLSSettings.self) }
        #expect(
            unknown?.description
                == "TLSSettings is not declared. Call declare(TLSSettings.self, at: \"name of its table\") first")
    }

    @Test("The names of properties become keys in snake case if the type says so, but not in nested types")
    func naming() throws {
        let text = """
            proxy.max_connections = 5
            proxy.log-level = "fast"
            proxy.base_tls.minimumVersion = 1.3
            """
        let store = try PropertyStore(DeepSettings.self, Lines("c", text))
        let settings = try store.settings(DeepSettings.self)
        #expect(settings.proxy.maxConnections == 5)
        #expect(settings.proxy.logLevel == .fast)
        #expect(settings.proxy.baseTLS.minimumVersion == 1.3)
        #expect(
            store.declaredKeys.map(\.key.rawValue) == [
                "fallback", "pool.limit", "pool.load", "pool.names", "pool.size", "proxy.base_tls.certificate",
                "proxy.base_tls.minimumVersion", "proxy.headers", "proxy.log-level", "proxy.max_connections",
                "proxy.upstreams",
            ])
        try store.verify(unknownKeys: .refused)
    }

    @Test("The words of a name in snake case")
    func snakeCase() throws {
        struct Names: Settings {
            static var naming: SettingNaming { .snakeCase }
            @Setting var signingKey = 1
            @Setting var baseURL = 1
            @Setting var URLOfHost = 1
            @Setting var http2Port = 1
            @Setting var aB = 1
            @Setting var a_c = 1
            @Setting var x = 1
        }
        let store = try PropertyStore(Names.self)
        let names = ["a_b", "a_c", "base_url", "http2_port", "signing_key", "url_of_host", "x"]
        #expect(store.declaredKeys.map(\.key.rawValue) == names)
    }

    @Test("The words of a name in kebab case, and a name in Pascal case")
    func otherCases() throws {
        struct Kebab: Settings {
            static var naming: SettingNaming { .kebabCase }
            @Setting var signingKey = 1
            @Setting var baseURL = 1
            @Setting var URLOfHost = 1
            @Setting var a_c = 1
        }
        struct Pascal: Settings {
            static var naming: SettingNaming { .pascalCase }
            @Setting var signingKey = 1
            @Setting var baseURL = 1
            @Setting var x = 1
        }
        let kebab = try PropertyStore(Kebab.self, Lines("c", "signing-key = 5"))
        #expect(kebab.declaredKeys.map(\.key.rawValue) == ["a-c", "base-url", "signing-key", "url-of-host"])
        #expect(try kebab.settings(Kebab.self).signingKey == 5)
        let environment = EnvironmentPropertyLoader(
            prefix: "APP", environment: ["APP_SIGNING_KEY": "6", "APP_BASE_URL": "7"])
        let pascal = try PropertyStore(Pascal.self, environment)
        #expect(pascal.declaredKeys.map(\.key.rawValue) == ["BaseURL", "SigningKey", "X"])
        #expect(try pascal.settings(Pascal.self).signingKey == 6)
        #expect(try pascal.settings(Pascal.self).baseURL == 7)
    }

    @Test("The values of a test are the defaults and what it sets, and are not checked")
    func inTests() {
        let settings = ServerSettings {
            $0.port = 0
            $0.signingKey = "k"
        }
        #expect((settings.port, settings.host, settings.signingKey) == (0, "0.0.0.0", "k"))
        #expect(ServerSettings() == ServerSettings())
        #expect(ServerSettings() != settings)
    }

    @Test("Secrets are masked in every text")
    func secrets() throws {
        let text = "server.signingKey = \"hunter2\""
        let store = try PropertyStore(ServerSettings.self, at: "server", Lines("config.toml", text))
        let settings = try store.settings(ServerSettings.self)
        var dumped = ""
        dump(settings, to: &dumped)
        let texts = [dumped, "\(settings)", String(reflecting: settings), store.entriesText]
        #expect(!texts.joined().contains("hunter2"))
        #expect("\(settings)".contains("8080"))
        #expect("\(ServerSettings())".contains("not set"))
    }

    @Test("A snapshot and a child store read their own state")
    func states() throws {
        let store = try PropertyStore(PoolSettings.self, at: "pool", Lines("c", "pool.size = 1"))
        let snapshot = store.snapshot, child = PropertyStore(parent: store)
        #expect(try child.settings(PoolSettings.self).size == 1)
        try store.apply(Lines("d", "pool.size = 2"))
        try child.apply(Lines("e", "pool.limit = 9"))
        #expect(try snapshot.settings(PoolSettings.self).size == 1)
        #expect(try store.settings(PoolSettings.self).size == 2)
        #expect(try child.settings(PoolSettings.self) == PoolSettings { ($0.size, $0.limit) = (2, 9) })
        child.declare(PoolSettings.self, at: "pool")
        #expect(try child.settings(PoolSettings.self).size == 2)
    }
}
