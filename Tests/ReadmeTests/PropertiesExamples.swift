import Container
import Foundation
import PropertyLoaders
import Testing

// The Swift blocks about properties in the README and the articles, copied verbatim.

extension TypedKey<Int> {
    static let port = TypedKey("server.port", default: 8080, in: 1...65535, expected: "a port")
}

extension TypedKey<String> {
    static let password = TypedKey("db.password", isSecret: true)
}

struct Percentage: PropertyConvertible {
    var value: Int

    static var propertyTypeName: String { "a percentage such as \"80%\"" }

    init(property node: PropertyNode) throws(PropertyError) {
        guard let text = try? String(property: node), text.hasSuffix("%"), let number = Int(text.dropLast()) else {
            throw PropertyError(.wrongType, node, expected: Self.propertyTypeName)
        }
        value = number
    }
}

enum Keys {
    static let port = TypedKey("server.port", default: 8080, in: 1...65535, expected: "a port")
    static let password = TypedKey<String>("db.password", isSecret: true)
    static let pollInterval = TypedKey(
        "poll.interval", default: Duration.seconds(5), in: .milliseconds(100)..., summary: "The pause between polls")
}

struct ServerConfig: Decodable {
    var host: String
    var port: UInt16
    var timeout: Duration
    var tags: [String]?
}

struct Defaults: PropertyLoader {
    func load() throws -> PropertyLayer { ["api": ["timeout": 30, "retries": 3]] }
}

struct Overrides: PropertyLoader {
    func load() throws -> PropertyLayer { ["api": ["timeout": 5]] }
}

struct Vault: PropertyLoader {
    func load() throws -> PropertyLayer {
        var layer: PropertyLayer = ["db.password": "hunter2"]
        layer.isSecret = true
        return layer
    }
}

@propertyWrapper
struct Clamped: Sendable, CustomReflectable {
    private let number: Int
    init(wrappedValue: Int) { number = wrappedValue }
    var wrappedValue: Int { min(max(number, 1), 100) }
    var customMirror: Mirror { Mirror(self, children: ["wrappedValue": wrappedValue]) }
}

@Suite("The examples on properties")
struct PropertiesExamples {
    let store = PropertyStore()

    private func apply(_ text: String, name: String = "config.toml") throws {
        try store.apply(TomlPropertyLoader(string: text, name: name))
    }

    private func article(_ name: String) throws -> String {
        try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/\(name).md")
    }

    @Test("Reading: a store alone")
    func alone() throws {
        let store = PropertyStore()
        try store.apply(BuildInfoLoader())
        let number = try store.require("build.number", as: Int.self)
        #expect(number == 4711)
    }

    @Test("Reading: nil, a default, an error")
    func reading() throws {
        try apply("api.timeout = 5\napi.url = \"https://example.com\"\nload = \"80%\"")
        let timeout: Int? = store.property("api.timeout")
        let retries = try store.property("api.retries", default: 3)
        let url = try store.require("api.url", as: URL.self)
        #expect((timeout, retries, url.host()) == (5, 3, "example.com"))
        store.onWrongValue { error in print("warning: \(error)") }
        #expect(try store.require("load", as: Percentage.self).value == 80)
        #expect(throws: PropertyError.self) { try store.require("api.url", as: Percentage.self) }
        try store.apply(CommandLinePropertyLoader(arguments: ["--load=90%"]))
        #expect(try store.require("load", as: Percentage.self).value == 90)
    }

    @Test("Reading: typed keys")
    func typedKeys() throws {
        try apply("db.password = \"hunter2\"")
        let port = store.property(Keys.port)
        let password = try store.require(Keys.password)
        #expect(port == 8080)
        #expect(password == "hunter2")
    }

    @Test("Reading: a typed key by its name")
    func namedKey() throws {
        let port = store.property(.port)
        #expect(port == 8080)
    }

    @Test("Reading: several reads of one state")
    func snapshot() throws {
        try apply("db.host = \"h\"\ndb.user = \"u\"")
        let settings = store.snapshot
        let host = try settings.require("db.host", as: String.self)
        let user = try settings.require("db.user", as: String.self)
        #expect((host, user) == ("h", "u"))
    }

    @Test("Keys: a key of a library, and its changes")
    func keys() async throws {
        store.declare(Keys.pollInterval)
        let interval = try store.require(Keys.pollInterval)
        for entry in store.history(of: Keys.pollInterval) { print(entry) }
        #expect(interval == .seconds(5))
        let task = Task { [changes = store.changes(of: Keys.pollInterval)] in await changes.first { _ in true } }
        try store.set(Keys.pollInterval, to: .seconds(1))
        #expect(await task.value?.new == .seconds(1))
        let watching = Task {
            for await change in store.changes(of: Keys.pollInterval) {
                print(change.new.map { "the interval is \($0)" } ?? change.error.map { "not used: \($0)" } ?? "")
            }
        }
        watching.cancel()
        await watching.value
    }

    @Test("Merging: values that the program sets")
    func setting() throws {
        try store.set("checkout.new", to: true)
        try store.set(.port, to: 8081)
        try store.set(["checkout.limit": 20, "checkout.retries": 3])
        try store.unset("checkout.new")
        #expect(store.entries.map(\.name) == ["checkout.limit", "checkout.retries", "server.port"])
        let container = Container()
        try container.properties.set("server.port", to: 8081)
        #expect(container.property(.port) == 8081)
    }

    @Test("Ask a service: where a value came from")
    func origins() throws {
        try apply(String(repeating: "\n", count: 10) + "[api]\ntimeout = 30")
        try store.apply(
            JsonPropertyLoader(string: "{\n  \"api\": {\n    \"timeout\": 5\n  }\n}", name: "local.json"))
        for entry in store.history(of: "api.timeout") { print(entry) }
        let lines = store.history(of: "api.timeout").map(\.description).joined(separator: "\n")
        #expect(try article("Answers").contains("\n\(lines)\n"))
    }

    @Test("Merging: several sources in one step")
    func merging() throws {
        try store.apply([Defaults(), Overrides()])
        #expect(try article("Merging").contains("\n\(listing(store))\n"))
        try store.apply(JsonPropertyLoader(string: #"{"api.timeout": 1}"#, name: "site.json"))
        #expect(try article("Merging").contains("\n\(listing(store))\n"))
        try store.apply(JsonPropertyLoader(string: #"{"api": {"timeout": 2}}"#, name: "local.json"))
        let error = #expect(throws: PropertyError.self) { _ = try store.require("api.retries", as: Int.self) }
        #expect(try article("Merging").contains("\n\(error?.description ?? "?")\n"))
    }

    @Test("Binding: a table, and what is wrong in several")
    func binding() throws {
        let text = "host = \"a\"\nport = 80\ntimeout = \"30s\""
        try apply(
            "[server]\n\(text)\n[servers.a]\nhost = \"a\"\nport = 99999\n[servers.b]\nport = 80\nhost = \"b\"\ntimeout = 30"
        )
        let config = try store.bind(ServerConfig.self, at: "server")
        #expect(config.timeout == .seconds(30))
        let errors = #expect(throws: ConfigurationErrors.self) {
            let servers = try store.bind([String: ServerConfig].self, at: "servers")
            _ = servers
        }
        #expect(try article("Checks").contains("\n\(errors?.description ?? "?")\n"))
    }

    @Test("Checks at start: what is missing and what nobody reads")
    func checks() async throws {
        try apply("[server]\nprot = 80")
        let errors = #expect(throws: ConfigurationErrors.self) {
            store.declare(ServerSettings.self, at: "server")
            store.declare(DatabaseSettings.self, at: "database")
            try store.verify()
        }
        #expect(try article("Checks").contains("\n\(errors?.description ?? "?")\n"))
        let container = Container()
        container.register(ServerConfig.self) { r in
            ServerConfig(host: try r.require("server.host"), port: try r.require("server.port"), timeout: .zero)
        }
        .inObjectScope(.container)
        let read = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        #expect(read?.problems.map { ($0.error as? PropertyError)?.name } == ["server.host"])
    }

    @Test("The start: all problems in one report")
    func start() async throws {
        struct Clock {}
        struct Report { let clock: Clock }
        func configured(_ text: String) async throws(ConfigurationErrors) {
            let container = Container()
            container.register(Report.self) { r in Report(clock: try r.require(Clock.self)) }
                .inObjectScope(.container)
            container.declare(ServerSettings.self, at: "server")
            let sources = [TomlPropertyLoader(string: text, name: "config.toml")]
            try await container.start(sources)
        }
        let report = await #expect(throws: ConfigurationErrors.self) {
            try await configured("[sever]\nport = 80")
        }
        let text = report?.description ?? "?"
        #expect(try article("Checks").contains("\n\(text)\n"), "\(text)")
    }

    @Test("The start: sources that pass all checks")
    func goodStart() async throws {
        let text = "server.port = 80\n"
        await startContainer(with: [TomlPropertyLoader(string: text, name: "config.toml")])
        startStore(with: [TomlPropertyLoader(string: text + "database.url = \"db://\"", name: "config.toml")])
    }

    private func startContainer(with sources: [any PropertyLoader]) async {
        let container = Container()
        container.declare(ServerSettings.self, at: "server")
        do {
            try await container.start(sources)
        } catch {
            error.reportAndExit()  // on the standard error stream, with the exit status 78 or 69
        }
        #expect(container.property("server.port") == 80)
    }

    private func startStore(with sources: [any PropertyLoader]) {
        store.declare(ServerSettings.self, at: "server")
        store.declare(DatabaseSettings.self, at: "database")
        do {
            try store.start(sources)
        } catch {
            error.reportAndExit()
        }
        #expect(store.property("server.port") == 80)
    }

    @Test("Secrets: by name, by key, by source")
    func secrets() throws {
        try store.apply(Vault())
        #expect(try article("Secrets").contains("\n\(listing(store))\n"))
        let other = try PropertyStore.with(Overrides())
        let store = other
        store.declareSecret("db.password", "tokens")
        try store.apply(TomlPropertyLoader(string: "tokens.a = \"hunter2\"", name: "c"))
        #expect(!listing(store).contains("hunter2"))
    }

    @Test("JSON and Swift values: options, wrappers")
    func loaders() throws {
        let limits = SyntaxLimits(depth: 16, bytes: 1 << 20)
        let loader = JsonPropertyLoader(url: URL(filePath: "config.json"), limits: limits)
        #expect(throws: ConfigurationErrors.self) { try store.apply(loader) }
        struct Config: Sendable { @Clamped var level = 400 }
        try store.apply(StructPropertyLoader(Config()))
        #expect(store.property("level") == 100)
    }

    @Test("Property lists: a file, and an error of one")
    func propertyLists() throws {
        let container = Container()
        #expect(throws: ConfigurationErrors.self) {
            try container.applyPropertyLoader(PlistPropertyLoader(url: URL(filePath: "/etc/app/config.plist")))
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0">
            <dict>
                <key>a</key>
                <integer>1</integer>
                <key>day</key>
                <date>2024-02-30T00:00:00Z</date>
            </dict>
            </plist>
            """
        let error = #expect(throws: ConfigurationErrors.self) {
            try container.applyPropertyLoader(PlistPropertyLoader(string: text, name: "app.plist"))
        }
        let document = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/Formats.md")
        #expect(document.contains("\n\(error?.description ?? "?")\n"))
    }
}

extension PropertyStore {
    fileprivate static func with(_ loader: some PropertyLoader) throws -> PropertyStore {
        let store = PropertyStore()
        try store.apply(loader)
        return store
    }
}

/// The properties of a store as an article shows them.
private func listing(_ store: PropertyStore) -> String { store.entries.map(\.description).joined(separator: "\n") }
