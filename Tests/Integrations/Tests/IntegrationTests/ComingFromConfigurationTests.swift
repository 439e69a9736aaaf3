import Configuration
import Container
import PropertyLoaders
import Testing

// The Swift blocks of the article "Coming from swift-configuration", copied verbatim.

@Suite("Coming from swift-configuration", .timeLimit(.minutes(60)))
struct ComingFromConfigurationTests {
    struct Server: Equatable {
        let host: String
        let port: Int
        let token: String
    }

    func makeServer(_ config: ConfigReader) throws -> Server {
        let http = config.scoped(to: "http")
        return Server(
            host: http.string(forKey: "host", default: "127.0.0.1"),
            port: http.int(forKey: "port", default: 8080),
            token: try http.requiredString(forKey: "token", isSecret: true))
    }

    struct HTTPSettings: Settings {
        @Setting("The address to listen on") var host = "127.0.0.1"
        @Setting("Where clients connect", in: 1...65535) var port = 8080
        @Setting("Signs the tokens", isSecret: true) var token: String
    }

    @Test(
        "Both read the same variables and defaults",
        arguments: [
            ["HTTP_TOKEN": "t"], ["HTTP_TOKEN": "t", "HTTP_PORT": "80"], ["HTTP_TOKEN": "t", "HTTP_HOST": "h"],
        ])
    func sameValues(environment: [String: String]) async throws {
        let config = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: environment),
            InMemoryProvider(values: ["http.port": 8081]),
        ])
        let before = try makeServer(config)

        let container = Container()
        container.declare(HTTPSettings.self, at: "http")
        container.register(Server.self) { r in
            let http = try r.settings(HTTPSettings.self)
            return Server(host: http.host, port: http.port, token: http.token)
        }
        try await container.start([
            StructPropertyLoader(["http.port": 8081]),
            EnvironmentPropertyLoader(prefix: "", environment: environment),
        ])
        let after = try container.require(Server.self)
        #expect(before == after)
        #expect(before.token == "t")
    }
}
