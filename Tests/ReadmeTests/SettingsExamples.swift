import Container
import Foundation
import PropertyLoaders
import Testing

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
        try await container.start(sources, unknownKeys: .refused)
        let settings = try container.require(Server.self).settings
        #expect((settings.port, settings.signingKey, settings.upstreams.first?.weight) == (8080, "k", 1))
    }

    @Test("The reference")
    func reference() throws {
        let store = PropertyStore()
        store.declare(ServerSettings.self, at: "server")
        print(store.reference(as: .markdown))
        let article = try ReadmeBlocks.text(of: "Sources/Properties/Properties.docc/SettingsTypes.md")
        #expect(article.contains("\n\(store.reference(as: .markdown))"), "\(store.reference(as: .markdown))")
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
