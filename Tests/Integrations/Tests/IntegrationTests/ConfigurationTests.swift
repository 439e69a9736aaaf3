import Configuration
import ConfigurationTesting
import Container
import Foundation
import PropertyLoaders
import Testing

@Suite("swift-configuration", .timeLimit(.minutes(60)))
struct ConfigurationTests {
    let container = Container()
    var config: ConfigReader { ConfigReader(provider: PropertyProvider(properties: container.properties)) }

    private func load(_ toml: String) throws {
        try container.applyPropertyLoader(TomlPropertyLoader(string: toml, name: "config.toml"))
    }

    // The values that the test kit documents.
    private struct KitValues: Sendable {
        struct Values: Sendable {
            var string = "Other Hello", int = 24, double = 2.72, bool = false
            var bytes = [UInt8]("magic2".utf8)
        }
        let string = "Hello", int = 42, double = 3.14, bool = true
        let bytes = [UInt8]("magic".utf8)
        let other = Values()
    }
    private static let kitArrays = """
        stringy.array = ["Hello", "World"]
        other.stringy.array = ["Hello", "Swift"]
        inty.array = [42, 24]
        other.inty.array = [16, 32]
        doubly.array = [3.14, 2.72]
        other.doubly.array = [0.9, 1.8]
        booly.array = [true, false]
        other.booly.array = [false, true, true]
        """

    @Test("For a value of the wrong type, swift-configuration returns the default, and this package throws")
    func wrongType() {
        let reader = ConfigReader(provider: InMemoryProvider(values: ["server.port": "30"]))
        #expect(reader.int(forKey: "server.port", default: 8080) == 8080)
        let port = TypedKey("server.port", default: 8080)
        #expect(throws: PropertyError.self) {
            try load("server.port = \"30\"")
            _ = try container.require(port)
        }
    }

    @Test("The provider passes the conformance test of swift-configuration")
    func conformance() async throws {
        let bytes = Data("magic".utf8), others = Data("magic2".utf8)
        try container.applyPropertyLoader(TomlPropertyLoader(string: Self.kitArrays, name: "arrays.toml"))
        try container.applyPropertyLoader(StructPropertyLoader(KitValues()))
        try container.applyPropertyLoader(
            StructPropertyLoader(["bytes": bytes, "other.bytes": others]))
        try container.applyPropertyLoader(
            StructPropertyLoader([
                "byteChunky.array": [bytes, others], "other.byteChunky.array": [bytes, others, bytes],
            ]))
        try await ProviderCompatTest(provider: PropertyProvider(properties: container.properties)).runTest()
    }

    @Test("A library that takes a ConfigReader reads the settings, by scopes and with defaults")
    func reading() throws {
        let config = ConfigReader(provider: PropertyProvider(properties: container.properties))
        try load("[http.server]\nport = 8080\nhosts = [\"a\", \"b\"]\ntimeout = \"5s\"")
        let server = config.scoped(to: "http").scoped(to: "server")
        #expect(server.int(forKey: "port") == 8080)
        #expect(server.stringArray(forKey: "hosts") == ["a", "b"])
        #expect(server.int(forKey: "backlog", default: 256) == 256)
        #expect(server.string(forKey: "port") == nil)
        #expect(throws: (any Error).self) { try server.requiredString(forKey: "port") }
    }

    @Test("Text of the environment converts to the type that is asked for")
    func environment() throws {
        try container.applyPropertyLoader(
            EnvironmentPropertyLoader(prefix: "APP", environment: ["APP_HTTP__PORT": "80", "APP_HTTP__TLS": "yes"]))
        #expect(config.int(forKey: "http.port") == 80)
        #expect(config.bool(forKey: "http.tls") == true)
    }

    @Test("A secret stays secret")
    func secrets() throws {
        container.properties.declareSecret("db.password")
        try load("db.password = \"hunter2\"\ndb.host = \"localhost\"")
        let provider = PropertyProvider(properties: container.properties)
        let password = try provider.value(forKey: AbsoluteConfigKey(["db", "password"]), type: .string)
        #expect(password.value == ConfigValue(.string("hunter2"), isSecret: true))
        #expect(!"\(password)".contains("hunter2"))
        #expect(try provider.value(forKey: AbsoluteConfigKey(["db", "host"]), type: .string).value?.isSecret == false)
    }

    @Test("watchInt delivers the value after each reload, and not the changes of other settings")
    func watch() async throws {
        try load("a = 1\nb = 1")
        let config = config
        let values = try await config.watchInt(forKey: "a") { updates in
            var values: [Int?] = []
            for await value in updates {
                values.append(value)
                switch values.count {
                case 1:
                    try load("a = 1\nb = 2")
                    try load("a = 2\nb = 2")
                case 2: try load("b = 2")
                default: return values
                }
            }
            return values
        }
        #expect(values == [1, 2, nil])
    }

    @Test("A snapshot is one state of the settings, and watchSnapshot delivers the later ones")
    func snapshots() async throws {
        try load("a = 1\nb = 1")
        let before = config.snapshot()
        let sums = try await config.watchSnapshot { updates in
            var sums: [Int] = []
            for await snapshot in updates {
                sums.append(snapshot.int(forKey: "a", default: 0) + snapshot.int(forKey: "b", default: 0))
                if sums.count == 3 { break }
                try load("a = \(sums.count * 10)\nb = \(sums.count * 10)")
            }
            return sums
        }
        #expect(sums == [2, 20, 40])
        #expect(before.int(forKey: "a") == 1)
    }

    private struct ServerSettings: Settings {
        @Setting("Where clients connect", in: 1...65535) var port = 8080
        @Setting("The hosts") var hosts = ["a", "b"]
        @Setting("The key") var key = Data("magic".utf8)
        @Setting("The name") var name: String?
        @Setting("The owner") var owner: String
        @Setting("Signs the tokens", isSecret: true) var token = "open"
    }

    @Test("A setting that no source has is the default of its declaration, not that of the library")
    func defaults() throws {
        container.declare(ServerSettings.self, at: "http.server")
        let server = config.scoped(to: "http.server")
        #expect(server.int(forKey: "port", default: 80) == 8080)
        #expect(server.stringArray(forKey: "hosts", default: []) == ["a", "b"])
        #expect(server.bytes(forKey: "key", default: []) == Array("magic".utf8))
        #expect(server.string(forKey: "name", default: "library") == "library")
        #expect(server.string(forKey: "owner", default: "library") == "library")
        #expect(server.string(forKey: "token", default: "library") == "library")
        #expect(server.int(forKey: "backlog", default: 256) == 256)
        #expect(throws: (any Error).self) { try server.requiredString(forKey: "port") }
        try load("[http.server]\nport = 81")
        #expect(server.int(forKey: "port", default: 80) == 81)
    }

    private struct DatabaseSettings: Settings {
        @Setting("The host") var host = "localhost"
        @Setting("The port") var port = 5432
        @Setting("The password", isSecret: false) var password: String
    }

    @Test("A store takes its values from a provider, with their types and secrecy, also after changes")
    func providerAsSource() async throws {
        let provider = MutableInMemoryProvider(
            name: "vault",
            initialValues: [
                ["db", "port"]: 15432, ["db", "password"]: ConfigValue(.string("hunter2"), isSecret: true),
                ["db", "ratio"]: 0.5, ["db", "tags"]: ConfigValue(.stringArray(["a", "b"]), isSecret: false),
                ["other"]: 1,
            ])
        container.declare(DatabaseSettings.self, at: "db")
        try await container.start([ProviderLoader(provider: provider, names: ["db.host", "db.port", "db.password"])])
        var settings = try container.settings(DatabaseSettings.self)
        #expect(settings.host == "localhost" && settings.port == 15432 && settings.password == "hunter2")
        let lines = container.properties.entries.map(\.description)
        #expect(
            lines == [
                "db.password = ******** (MutableInMemoryProvider[vault])",
                "db.port = 15432 (MutableInMemoryProvider[vault])",
            ])

        let all = ProviderLoader(provider: provider, names: ["db.ratio", "db.tags", "db.none"])
        let layer = try await all.load()
        #expect(layer.table.map(\.key) == ["db.ratio", "db.tags"])

        let changes = ProviderLoader(provider: provider, names: ["db.port"]).changes
        var steps = changes.makeAsyncIterator()
        _ = try await steps.next()
        provider.setValue(1, forKey: ["db", "port"])
        _ = try await steps.next()
        let loader = ProviderLoader(provider: provider, names: ["db.port", "db.password"])
        try await container.properties.apply(awaiting: [loader])
        settings = try container.settings(DatabaseSettings.self)
        #expect(settings.port == 1)
    }
}
