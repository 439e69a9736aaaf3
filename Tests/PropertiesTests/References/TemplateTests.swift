import Properties
import PropertyLoadersEssentials
import TestSupport
import Testing

@Suite("Templates")
struct TemplateTests {
    enum Level: String, CaseIterable, CodingKeyRepresentable, Sendable { case debug, info }

    struct Server: Settings {
        @Setting("Where clients connect", in: 1...65535, needsRestart: true) var port = 8080
        @Setting("Signs the tokens", isSecret: true) var key: String
        @Setting("The most connections", in: 1...) var limit: Int?
        var tls = TLS()
    }

    struct TLS: Settings {
        @Setting(key: "server name") var name = "a\"b"
        @Setting("The versions", isSecret: true) var password = "hunter2"
    }

    @Test("A template has a comment and a line for each key, in tables")
    func text() {
        let store = PropertyStore()
        store.declare(Server.self, at: "server")
        store.declare(
            TypedKey<[String]>("hosts", default: ["a", "b"]), TypedKey<Level>("log.level", default: .info),
            TypedKey<[String: Int]>("weights", default: ["a": 1]), TypedKey<Int>("weights.b", default: 2))
        #expect(
            store.template() == """
                # A line that begins with # and no space has the default of a setting. To change it, remove the #.

                # An array.
                #hosts = ["a", "b"]

                # A table.
                #weights = { a = 1 }

                # An integer.
                # weights.b = 2  (a part of another setting)

                [log]

                # One of "debug", "info".
                #level = "info"

                [server]

                # Signs the tokens.
                # key = …  (required, secret)

                # The most connections. An integer of at least 1.
                # limit = …  (optional)

                # Where clients connect (needs a restart). An integer from 1 to 65535.
                #port = 8080

                [server.tls]

                # The versions.
                # password = …  (secret)

                # A string.
                #"server name" = "a\\"b"

                """)
    }

    struct Route: Settings {
        @Setting("The path") var path = "/"
        @Setting var next: [Route] = []
    }

    struct Upstream: Settings {
        @Setting("Where it listens") var host: String
        @Setting("The port", in: 1...65535) var port = 80
        @Setting(isSecret: true) var token = "hunter2"
        var limits = Limits()
        struct Limits: Settings {
            @Setting var rate = 0.5
            @Setting var routes: [Route] = []
        }
    }

    struct Proxy: Settings {
        @Setting("The servers behind it") var upstreams: [Upstream] = []
        @Setting("The pools of connections") var pools: [String: Route] = [:]
        @Setting var levels: [Level: [Route]] = [:]
        @Setting var numbers: [Int: Route] = [:]
        @Setting var fallback: Route?
        @Setting var nested: [[Route]] = []
        @Setting var last = true
    }

    @Test("What arrays, dictionaries and optionals contain is shown as an example at the end of their table")
    func examples() throws {
        let store = PropertyStore()
        store.declare(Proxy.self, at: "proxy")
        store.declare(TypedKey<[Route]>("routes", default: []))
        let template = store.template()
        #expect(
            template == """
                # A line that begins with # and no space has the default of a setting. To change it, remove the #.

                # An array.
                #routes = []

                # For example:
                #   [[routes]]
                #   # The path.
                #   path = "/"
                #   # An array.
                #   next = []

                [proxy]

                # A table.
                # fallback = …  (optional)

                # True or false.
                #last = true

                # A table.
                #levels = {}

                # An array.
                #nested = []

                # A table.
                #numbers = {}

                # The pools of connections.
                #pools = {}

                # The servers behind it.
                #upstreams = []

                # For example:
                #   [proxy.fallback]
                #   # The path.
                #   path = "/"
                #   # An array.
                #   next = []

                # For example:
                #   [[proxy.levels.debug]]
                #   # The path.
                #   path = "/"
                #   # An array.
                #   next = []

                # For example:
                #   [proxy.numbers.1]
                #   # The path.
                #   path = "/"
                #   # An array.
                #   next = []

                # For example:
                #   [proxy.pools.NAME]
                #   # The path.
                #   path = "/"
                #   # An array.
                #   next = []

                # For example:
                #   [[proxy.upstreams]]
                #   # Where it listens.
                #   # host = …  (required)
                #   # The port. An integer from 1 to 65535.
                #   port = 80
                #   # A string.
                #   # token = …  (secret)
                #   # A number.
                #   limits.rate = 0.5
                #   # An array.
                #   # limits.routes = []  (see below)

                # For example:
                #   [[proxy.upstreams.limits.routes]]
                #   # The path.
                #   path = "/"
                #   # An array.
                #   next = []

                """)
        // An example that is completed loads where it stands.
        let example = template.split(separator: "\n").filter { !$0.hasPrefix("#") || $0.hasPrefix("#   ") }
            .map { $0.hasPrefix("#   ") ? $0.dropFirst(4) : $0 }
            .joined(separator: "\n").replacing("# host = …  (required)", with: "host = \"a\"")
        let loaded = PropertyStore()
        loaded.declare(Proxy.self, at: "proxy")
        loaded.declare(TypedKey<[Route]>("routes", default: []))
        try loaded.apply(TomlPropertyLoader(string: example, name: "template"))
        try loaded.verify(unknownKeys: .refused)
        let proxy = try loaded.settings(Proxy.self)
        #expect(proxy.upstreams.map(\.port) == [80] && proxy.upstreams.map(\.token) == ["hunter2"])
        #expect(proxy.upstreams.first?.limits.rate == 0.5 && proxy.upstreams.first?.limits.routes.map(\.path) == ["/"])
        #expect(proxy.pools.map(\.key) == ["NAME"] && proxy.levels[.debug]?.map(\.path) == ["/"])
        #expect(proxy.numbers[1]?.path == "/" && proxy.fallback?.path == "/" && proxy.last)
    }

    struct Cluster: Settings {
        @Setting("The servers behind it") var servers = [
            Peer { $0.host = "a" }, Peer { ($0.host, $0.limit) = ("b", 7) },
        ]
        @Setting("The routes by level") var routes: [Level: Route] = [.info: Route()]
        @Setting("The last server") var last: Peer? = Peer { $0.host = "c" }
        @Setting("The accounts") var accounts = [TLS()]

        struct Peer: Settings {
            @Setting("Its name") var host: String
            @Setting("The most requests") var limit: Int?
            var retries = Retries { $0.count = 3 }
            struct Retries: Settings {
                @Setting(in: 0...9) var count = 1
            }
        }
    }

    @Test("Defaults that contain tables of settings are shown as a file would have them, but not secret ones")
    func nestedDefaults() throws {
        let store = PropertyStore()
        store.declare(Cluster.self)
        let template = store.template().split(separator: "\n").filter { !$0.hasPrefix("#   ") }
        #expect(
            template.dropFirst().joined(separator: "\n") == """
                # The accounts.
                # accounts = …  (optional)
                # The last server.
                #last = { host = "c", retries = { count = 3 } }
                # The routes by level.
                #routes = { info = { path = "/", next = [] } }
                # The servers behind it.
                #servers = [{ host = "a", retries = { count = 3 } }, { host = "b", limit = 7, retries = { count = 3 } }]
                # For example:
                # For example:
                # For example:
                # For example:
                """)
        let help = store.help().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains(#"The routes by level. (default: {"info": {"path": "/", "next": []}})"#), "\(help)")
        #expect(!(help + store.jsonSchema(refusesUnknownKeys: true)).contains("hunter2"))
        let explanation = try store.explain("servers")
        #expect(explanation.defaultText?.hasPrefix(#"[{"host": "a", "retries": {"count": 3}}, {"host""#) == true)
        // The assignments set the defaults.
        let loaded = PropertyStore()
        loaded.declare(Cluster.self)
        let text = template.filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") }.map { $0.dropFirst() }
        try loaded.apply(TomlPropertyLoader(string: text.joined(separator: "\n"), name: "template"))
        try loaded.verify(unknownKeys: .refused)
        let cluster = try loaded.settings(Cluster.self)
        #expect(cluster.servers.map(\.host) == ["a", "b"] && cluster.servers.map(\.limit) == [nil, 7])
        #expect(cluster.servers.map(\.retries.count) == [3, 3] && cluster.routes[.info]?.path == "/")
        #expect(cluster.last?.host == "c" && cluster.last?.retries.count == 3)
        #expect(try loaded.explain("routes.info.path").value?.fullText == "\"/\" (template:2:28)")
    }

    @Test("A store without declared keys has an empty template, which loads")
    func empty() throws {
        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(string: store.template(), name: "template"))
        #expect(store.entries.isEmpty)
    }
}
