import Container
import Foundation
import PropertyLoaders
import Testing

struct APISettings: Settings {
    @Setting("Where requests go") var baseURL = URL(string: "https://api.example.com")!
    @Setting("How long a request may take", in: .milliseconds(10)...) var timeout = Duration.seconds(30)
    @Setting("Signs the requests", isSecret: true) var token: String  // required
    @Setting("The most requests a second", in: 1...) var limit: Int?  // may be missing
    var retries = RetrySettings()  // a table of its own
}

struct RetrySettings: Settings {
    @Setting("How often to try again", in: 0...10) var count = 3
    @Setting("The pause between two tries") var pause = Duration.milliseconds(500)
}

@Suite("The settings type of the README, and its help")
struct ReadmeSettingsExamples {
    struct APIClient { let settings: APISettings }

    @Test("Declaring it, reading it, and its help")
    func reading() throws {
        let container = Container()
        container.declare(APISettings.self, at: "api")
        container.register(APIClient.self) { r in APIClient(settings: try r.settings(APISettings.self)) }
        print(container.properties.help())
        let help = container.properties.help()
        #expect(
            try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/SettingsTypes.md")
                .contains("```text\n\(help)```\n"), "\(help)")
        try container.properties.set(["api.token": "t", "api.retries.count": 0])
        let settings = try container.require(APIClient.self).settings
        #expect((settings.token, settings.retries.count, settings.limit) == ("t", 0, nil))
        #expect(APISettings { $0.token = "test" }.token == "test")
    }
}

@Suite("The examples of the article on settings types")
struct SettingsExamples {
    struct ServerSettings: Settings {
        @Setting("Where clients connect", in: 1...65535) var port = 8080
        @Setting("The address to listen on") var host = "0.0.0.0"
        @Setting("How long a request may take", in: .milliseconds(10)...) var timeout = Duration.seconds(30)
        @Setting("Signs the tokens", isSecret: true) var signingKey: String
        @Setting("How to store orders") var mode: Mode?
        var tls = TLSSettings()
        var upstreams: [Upstream] = []
    }

    struct TLSSettings: Settings {
        @Setting("The file of the certificate") var certificate = "/etc/tls/server.pem"
    }

    struct Upstream: Settings {
        @Setting("Where requests go") var url: URL
        @Setting("Its share of the requests", in: 0...100) var weight = 1
    }

    enum Mode: String, CaseIterable, Decodable { case fast, safe }

    struct Server {
        let settings: ServerSettings
        init(_ settings: ServerSettings) { self.settings = settings }
    }

    @Test("Declaring a type, and reading it in a registration")
    func reading() async throws {
        let text = "[server]\nsigningKey = \"k\"\n[[server.upstreams]]\nurl = \"https://a.example\""
        let sources = [TomlPropertyLoader(string: text, name: "config.toml")]
        let container = Container()
        container.declare(ServerSettings.self, at: "server")
        container.register(Server.self) { r in Server(try r.settings(ServerSettings.self)) }
        try await container.start(sources)
        let settings = try container.require(Server.self).settings
        #expect((settings.port, settings.signingKey, settings.upstreams.first?.weight) == (8080, "k", 1))
    }

    @Test("The values in force")
    func values() throws {
        let store = PropertyStore()
        store.declare(ServerSettings.self, at: "server")
        let text = "[server]\nport = 8081\nsigningKey = \"k\""
        try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
        for entry in store.values { print(entry) }
        let article = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/SettingsTypes.md")
        let lines = store.values.filter { ["server.host", "server.port"].contains($0.name) }.map(\.description)
        #expect(article.contains("\n\(lines.joined(separator: "\n"))\n"))
    }

    struct UploadSettings: Settings {
        @Setting("How long it may take", in: .seconds(1)..., unit: .milliseconds) var timeout = Duration.seconds(30)
        @Setting("The largest body", in: .bytes(1)...(.gigabytes(1))) var bodyLimit = ByteSize.megabytes(10)
    }

    @Test("A duration with a unit and a size, and what is said if they are wrong")
    func units() throws {
        let article = try ReadmeBlocks.guide("SettingsTypes")
        let store = PropertyStore()
        store.declare(UploadSettings.self, at: "uploads")
        let text = "[uploads]\ntimeout = 1500\nbodyLimit = \"64KiB\"\n"
        #expect(article.contains("\n```toml\n\(text)```\n"))
        try store.apply(TomlPropertyLoader(string: text, name: "config.toml"))
        let settings = try store.settings(UploadSettings.self)
        #expect((settings.timeout, settings.bodyLimit.bytes) == (.milliseconds(1500), 65_536))
        let wrong = text.replacing("1500", with: "500").replacing("64KiB", with: "2GB")
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([TomlPropertyLoader(string: wrong, name: "config.toml")])
        }
        let lines = "\(error.map(String.init(describing:)) ?? "")".split(separator: "\n").map(String.init)
        #expect(lines.count >= 2)
        let isShown = article.contains("\n```text\n\(lines.joined(separator: "\n"))\n```\n")
        #expect(isShown, "\(lines)")
    }

    @Test("The settings of a test")
    func inTests() {
        let settings = ServerSettings {
            $0.port = 0
            $0.signingKey = "test"
        }
        #expect((settings.port, settings.host, settings.signingKey) == (0, "0.0.0.0", "test"))
    }
}

@Suite("Rules of several tables")
struct TableRuleExamples {
    struct ListenSettings: Settings {
        @Setting("How long a request may take") var timeout = Duration.seconds(30)
    }

    struct UpstreamSettings: Settings {
        @Setting("How long the upstream may take") var timeout = Duration.seconds(10)
    }

    struct RouteSettings: Settings {
        @Setting("The name of the route") var name: String
        @Setting("The share of the requests in percent", in: 0...100) var share: Int
    }

    struct GatewaySettings: Settings {
        var server = ListenSettings()
        var upstream = UpstreamSettings()
        @Setting("The routes") var routes: [RouteSettings] = []

        static let rules: [SettingsRule<Self>] = [
            SettingsRule(\.server.$timeout, \.upstream.$timeout, expected: "the upstream has less time") { $1 < $0 },
            SettingsRule(\.$routes, expected: "the names of the routes differ") { routes in
                Set(routes.map(\.name)).count == routes.count
            },
            SettingsRule(\.$routes, expected: "the shares of the routes are 100 in sum") { routes in
                routes.isEmpty || routes.map(\.share).reduce(0, +) == 100
            },
        ]
    }

    @Test("A rule can be about two tables, and about all elements of an array")
    func rules() throws {
        let container = Container()
        container.declare(GatewaySettings.self)
        let text = """
            server.timeout = "5s"
            [[routes]]
            name = "blue"
            share = 60
            [[routes]]
            name = "blue"
            share = 60
            """
        let error = #expect(throws: ConfigurationErrors.self) {
            try container.properties.start([TomlPropertyLoader(string: text, name: "config.toml")])
        }
        let article = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/SettingsTypes.md")
        #expect(article.contains("\n```text\n\(error?.description ?? "?")\n```\n"), "\(error?.description ?? "?")")
        let right = text.replacing("5s", with: "20s").replacing("60\n[[", with: "40\n[[").replacing(
            "\"blue\"\nshare = 60", with: "\"green\"\nshare = 60")
        try container.properties.start([TomlPropertyLoader(string: right, name: "config.toml")])
        let upstream = try container.settings(GatewaySettings.self).upstream
        #expect(upstream.timeout == .seconds(10))
    }
}
