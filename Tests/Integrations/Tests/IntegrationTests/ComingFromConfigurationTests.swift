import Configuration
import Container
import Foundation
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

    private let store = PropertyStore()

    @Test("prefixKeys maps names of the program to names of the source; prefixed maps the other way")
    func prefixes() throws {
        store.declare(HTTPSettings.self, at: "http")
        let mapped = EnvironmentVariablesProvider(environmentVariables: ["SHOP_HTTP_PORT": "80"])
            .prefixKeys(with: "shop")
        #expect(ConfigReader(provider: mapped).int(forKey: "http.port") == 80)

        try store.apply(EnvironmentPropertyLoader(prefix: "SHOP", environment: ["SHOP_HTTP_PORT": "80"]))
        #expect(store.property("http.port") == 80)

        try store.apply(TomlPropertyLoader(string: "port = 81", name: "http.toml").prefixed("http"))
        #expect(store.property("http.port") == 81)
    }

    @Test("A watch delivers the current value first; a sequence of changes has it apart", .timeLimit(.minutes(10)))
    func watching() async throws {
        let provider = MutableInMemoryProvider(initialValues: [["http", "port"]: 80])
        let watched = try await ConfigReader(provider: provider).watchInt(forKey: "http.port") { updates in
            var values: [Int?] = []
            for await port in updates {
                values.append(port)
                if values.count == 2 { break }
                provider.setValue(81, forKey: ["http", "port"])
            }
            return values
        }
        #expect(watched == [80, 81])

        let store = PropertyStore()
        try store.apply(TomlPropertyLoader(string: "http.port = 80", name: "http.toml"))
        let (served, continuation) = AsyncStream<Int>.makeStream()
        @Sendable func serve(on port: Int) { continuation.yield(port) }
        let watching = Task {
            let ports = store.changes(of: "http.port", as: Int.self)
            serve(on: ports.current ?? 8080)
            for await change in ports { serve(on: change.new ?? 8080) }
        }
        var ports = served.makeAsyncIterator()
        #expect(await ports.next() == 80)
        try store.apply(TomlPropertyLoader(string: "http.port = 81", name: "http.toml"))
        #expect(await ports.next() == 81)
        watching.cancel()
    }

    private struct Names: Settings {
        @Setting("The address of the server") var serverName = "none"
        @Setting("The ports") var ports: [Int] = []
        @Setting("The time for a request") var timeout = Duration.seconds(1)
        @Setting("The key") var key: Data?
        @Setting("A flag") var isOpen = false
    }

    private func names(_ loader: some PropertyLoader) throws -> Names {
        let store = PropertyStore()
        store.declare(Names.self, at: "http")
        try store.apply(loader)
        return try store.settings(Names.self)
    }

    @Test("Both read the same names of variables and arguments, but for an array of several arguments")
    func spelling() throws {
        let variables = [
            "HTTP_SERVER_NAME": "s", "HTTP_PORTS": "80,443", "HTTP_KEY": "YWJj", "HTTP_IS_OPEN": "yes",
        ]
        let config = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
            .scoped(to: "http")
        let settings = try names(EnvironmentPropertyLoader(prefix: "", environment: variables))
        #expect(config.string(forKey: "serverName") == "s" && settings.serverName == "s")
        #expect(config.intArray(forKey: "ports") == [80, 443] && settings.ports == [80, 443])
        #expect(config.bytes(forKey: "key") == Array("abc".utf8) && settings.key == Data("abc".utf8))
        #expect(config.bool(forKey: "isOpen") == true && settings.isOpen)

        func both(_ arguments: [String]) throws -> ([Int]?, [Int]) {
            let provider = CommandLineArgumentsProvider(arguments: ["shop"] + arguments)
            let ports = try names(CommandLinePropertyLoader(arguments: arguments)).ports
            return (ConfigReader(provider: provider).intArray(forKey: "http.ports"), ports)
        }
        #expect(try both(["--http-ports", "80,443"]) == ([80, 443], [80, 443]))
        #expect(try both(["--http-ports", "80", "--http-ports", "443"]) == ([80, 443], [80, 443]))
        #expect(try both(["--http-ports", "80", "443"]) == ([80, 443], [80]))
    }

    @Test("A number of seconds is a Duration there, and an error here")
    func durations() throws {
        let variables = ["HTTP_TIMEOUT": "30"]
        let config = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: variables))
        #expect(config.int(forKey: "http.timeout", as: Duration.self) == .seconds(30))
        #expect(throws: ConfigurationErrors.self) {
            _ = try names(EnvironmentPropertyLoader(prefix: "", environment: variables))
        }
        let units = EnvironmentPropertyLoader(prefix: "", environment: ["HTTP_TIMEOUT": "30s"])
        #expect(try names(units).timeout == .seconds(30))
    }

    @Test("A missing file is empty with allowMissing, and with optional")
    func missing() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json").path
        await #expect(throws: (any Error).self) { try await FileProvider<JSONSnapshot>(filePath: .init(path)) }
        _ = try await FileProvider<JSONSnapshot>(filePath: .init(path), allowMissing: true)
        let loader = JsonPropertyLoader(url: URL(filePath: path))
        #expect(throws: ConfigurationErrors.self) { try store.apply(loader) }
        try store.apply(loader.optional())
        #expect(store.entries.isEmpty)
    }

    @Test("A secrets specifier is isSecret of a setting, or secret of a loader")
    func secrets() throws {
        let variables = ["HTTP_TOKEN": "hunter2"]
        let provider = EnvironmentVariablesProvider(
            environmentVariables: variables, secretsSpecifier: .specific(["HTTP_TOKEN"]))
        #expect(!"\(provider.debugDescription)".contains("hunter2"))
        store.declare(HTTPSettings.self, at: "http")
        try store.apply(EnvironmentPropertyLoader(prefix: "", environment: variables))
        #expect(store.entries.map(\.description) == ["http.token = ******** (environment HTTP_TOKEN)"])

        let whole = PropertyStore()
        try whole.apply(EnvironmentPropertyLoader(prefix: "HTTP", environment: variables).secret())
        #expect(whole.entries.allSatisfy(\.isSecret) && whole.entries.count == 1)
    }
}
