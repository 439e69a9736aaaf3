import Container
import Foundation
import PropertyLoaders
import ServiceHost
import Testing

// The Swift blocks of the how-to guides, copied verbatim, except the programs of the guides, which are a package of their
// own: Fixtures/Guides.

@Suite("The services of the guide on tests")
struct TestingExamples {
    struct ServerSettings: Settings {
        @Setting("Where clients connect", in: 1...65535) var port = 8080
        @Setting("What the server says") var greeting = "Hello"
    }

    struct Database: Sendable {
        static func connect(to url: String) async throws -> Database { Database() }
        func orders(of user: String) async throws -> Int { 3 }
    }

    struct Orders: Sendable {
        let database: Database
        func summary(of user: String) async throws -> String {
            "\(user): \(try await database.orders(of: user)) orders"
        }
    }

    /// Registers what the program of the README registers, which is a package of its own: Fixtures/Example.
    func makeContainer() -> Container {
        let container = Container()
        container.declare(ServerSettings.self, at: "server")
        container.register(using: Orders.init).inObjectScope(.container)
        return container
    }

    func makeTestContainer() -> Container {
        let container = makeContainer()
        container.register(Database.self) { _ in try await Database.connect(to: "memory:") }
            .inObjectScope(.container)
        return container
    }

    @Test("A user has three orders", arguments: ["Ada", "Bob"])
    func ordersOfUser(name: String) async throws {
        let container = makeTestContainer()
        try container.properties.set(["server.port": 8081, "server.greeting": "Hi"])
        try await container.withStart { container in
            let summary = try await container.require(Orders.self).summary(of: name)
            #expect(summary == "\(name): 3 orders")
            let server = try container.settings(ServerSettings.self)
            #expect(server.port == 8081)
        }
    }

    @Test("A wrong setting stops the start", arguments: [("8081", 0), ("http", 78)])
    func statusOfStart(port: String, status: Int32) async {
        let variables = ["APP_SERVER_PORT": port]
        let sources: PropertySources = .standardSources(environment: "APP", variables: variables, arguments: [])
        let found = await makeTestContainer().runUntilStopped(sources, log: { _ in }) { container in
            _ = try container.require(Orders.self)
        }
        #expect(found == status)
    }

    @Test("A missing database is an error with its path")
    func missing() async throws {
        let container = Container()
        container.register(using: Orders.init).inObjectScope(.container)
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.start() }
        let message = "Orders → Database: nothing is registered for Database."
        #expect(error?.description.hasPrefix(message) == true)
        #expect(try ReadmeBlocks.text(of: "README.md").contains("`\(message)`"))
    }
}

@Suite("The how-to guides")
struct HowToExamples {
    struct PlatformSettings: Settings {
        @Setting("Where clients connect", in: 1...65535, environment: "PORT") var port = 8080
        @Setting("The database", environment: "DATABASE_URL", isSecret: true) var databaseURL: URL?
    }

    struct PoolSettings: Settings {
        @Setting("Connections", in: 2..., expected: "an even number", check: { $0.isMultiple(of: 2) }) var size = 10
        @Setting("Threads", in: 1...64, expecting: { $0.nonzeroBitCount == 1 ? nil : "a power of two" }) var threads = 8
    }

    enum Mode: String, Decodable, CaseInsensitiveValue { case fast, safe }

    struct TLSSettings: Settings {
        @Setting("Whether clients use TLS") var enabled = false
        @Setting("The file of the certificate") var certificate: String?

        static let rules: [SettingsRule<Self>] = [
            SettingsRule(\.$enabled, \.$certificate, expected: "a certificate is set if TLS is enabled") {
                !$0 || $1 != nil
            }
        ]
    }

    @Test("A rule of two settings, and an enum whose case does not matter")
    func rules() throws {
        let store = PropertyStore()
        store.declare(TLSSettings.self, at: "tls")
        store.declare(TypedKey<Mode>("mode"))
        let text = "tls.enabled = true\nmode = 'FAST'"
        let error = #expect(throws: ConfigurationErrors.self) {
            try store.start([TomlPropertyLoader(string: text, name: "config.toml")])
        }
        #expect(try ReadmeBlocks.guide("Checks").contains("```text\n\(error?.description ?? "?")\n```"))
        try store.start([TomlPropertyLoader(string: text + "\ntls.certificate = 'c'", name: "config.toml")])
        #expect(try store.require("mode", as: Mode.self) == .fast)
    }

    @Test("A factory reads a value by its name")
    func byName() throws {
        struct API { let url: String?, timeout: Duration }
        let container = Container()
        try container.properties.set(["api.url": "https://api.example.com", "api.timeout": "10s"])
        container.register(API.self) { r in
            let url: String? = r.property("api.url")
            let timeout = try r.require("api.timeout", as: Duration.self)
            return API(url: url, timeout: timeout)
        }
        #expect(try container.require(API.self).timeout == .seconds(10))
        #expect(try container.require(API.self).url == "https://api.example.com")
    }

    @Test("A setting reads a variable that has its own name")
    func platform() throws {
        let store = PropertyStore()
        store.declare(PlatformSettings.self, at: "server")
        let environment = ["PORT": "9090", "DATABASE_URL": "postgres://app:hunter2@db/app"]
        try store.apply(EnvironmentPropertyLoader(prefix: "APP", environment: environment))
        #expect(try store.settings(PlatformSettings.self).port == 9090)
        #expect(try store.settings(PlatformSettings.self).databaseURL?.host() == "db")
    }

    @Test("A check refuses a value")
    func check() throws {
        let store = PropertyStore()
        store.declare(PoolSettings.self, at: "pool")
        #expect(throws: ConfigurationErrors.self) { try store.set("pool.size", to: 5) }
        try store.set("pool.size", to: 6)
        #expect(try store.settings(PoolSettings.self).size == 6)
    }

    @Test("The program of the guide on reloading reads its settings at each use")
    func reading() async throws {
        struct ServerSettings: Settings {
            @Setting var host = "127.0.0.1"
            @Setting var port = 8080
            @Setting var greeting = "Hello"
        }
        let container = Container()
        container.declare(ServerSettings.self, at: "server")
        let task = Task {
            while true {
                let server = try container.settings(ServerSettings.self)
                print("\(server.greeting) from \(server.host):\(server.port)")
                try await Task.sleep(for: .seconds(1))
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("The sources in Kubernetes are two folders, the environment and the arguments")
    func kubernetes() {
        let sources: PropertySources = .standardSources(
            file: "settings/config.toml", secrets: "secrets", environment: "APP")
        #expect(sources.loaders.count == 4)
    }

    @Test("A test starts with the sources of the service, and without the arguments of the test runner")
    func sourcesInTest() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sources-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "config.toml").path
        try Data("[api]\ntimeout = \"10s\"\n".utf8).write(to: URL(filePath: path))
        let container = Container()
        container.declare(SettingsOfTest.self, at: "api")
        try await container.start(.standardSources(file: path, environment: "APP", arguments: []))
        #expect(try container.settings(SettingsOfTest.self).timeout == .seconds(10))
        await container.close()
        // With the arguments of the process, the message says what to do.
        let other = Container()
        other.declare(SettingsOfTest.self, at: "api")
        let arguments = ["--testing-library", "swift-testing"]
        let error = await #expect(throws: ConfigurationErrors.self) {
            try await other.start(.standardSources(file: path, environment: "APP", arguments: arguments))
        }
        #expect(
            error?.description
                == "command line --testing-library: 'testing-library' is neither declared nor read by a service. "
                + "In a test, give the sources no arguments: these are those of the test runner.")
    }

    @Test("Secrets: the credentials of systemd")
    func credentials() {
        let sources: PropertySources = .standardSources(
            file: "config.toml",
            secrets: ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"],
            environment: "APP")
        #expect(sources.loaders.count >= 3)
    }

    struct DatabaseSettings: Settings {
        @Setting("The whole address, in place of the parts", isSecret: true) var url: URL?
        @Setting("The host") var host = "localhost"
        @Setting("The user") var username = "app"
        @Setting("The name of the database") var name = "app"
    }

    @Test("Coming from Vapor: variables with other names")
    func otherNames() throws {
        let container = Container()
        container.declare(
            DatabaseSettings.self, at: "db",
            environment: ["url": "DATABASE_URL", "username": "DB_USER", "name": "DB_DATABASE"])
        let variables = [
            "DATABASE_URL": "postgres://app:secret@example.com/app", "DB_HOST": "db", "DB_USER": "shop",
            "DB_DATABASE": "orders",
        ]
        try container.properties.apply(EnvironmentPropertyLoader(prefix: "", environment: variables))
        let settings = try container.settings(DatabaseSettings.self)
        #expect(settings.url?.absoluteString == "postgres://app:secret@example.com/app")
        #expect((settings.host, settings.username, settings.name) == ("db", "shop", "orders"))
        #expect(!container.properties.values.map(\.description).joined().contains("secret@"))
    }

    private struct SettingsOfTest: Settings { @Setting var timeout = Duration.seconds(1) }

    @Test(
        "A guide shows its program, its configuration and the session that the gate replays",
        arguments: try FileManager.default.contentsOfDirectory(
            atPath: ReadmeBlocks.root.appendingPathComponent("Fixtures/Guides/Sources").path
        ).sorted())
    func programs(name: String) throws {
        let others = [
            "Billing": "Assemblies", "BuildAndClose": "AsynchronousServices", "KeepASecret": "Secrets",
            "OnlyServices": "UseOnlyOneHalf", "OnlySettings": "UseOnlyOneHalf", "ReadAList": "SettingsTypes",
            "ReadByName": "Reading", "RenameASetting": "SettingsTypes", "RequireASetting": "Checks",
            "RotateAPassword": "FollowingSettings", "ServeRequests": "Lifetime", "SeveralTargets": "Assemblies",
            "TwoServices": "Scopes",
        ]
        let guide = try ReadmeBlocks.guide(others[name] ?? name)
        let sources = ReadmeBlocks.files(in: "Fixtures/Guides/Sources/\(name)", ending: ".swift")
        #expect(sources.count == 1)
        for file in sources { #expect(guide.contains("\n```swift\n\(try ReadmeBlocks.text(of: file))```\n")) }
        for file in ReadmeBlocks.files(in: "Fixtures/Guides/Files/\(name)", ending: "") {
            if let language = Self.language(of: file, in: guide) {
                #expect(guide.contains("\n```\(language)\n\(try ReadmeBlocks.text(of: file))```\n"), "\(file)")
            }
            if file.hasSuffix("/session.txt"), name != "OnlyServices" {
                let session = try ReadmeBlocks.text(of: file)
                // The runbook has its commands under the symptoms that they belong to.
                let parts =
                    name == "Runbook"
                    ? session.split(separator: /^(?=\$ )/.anchorsMatchLineEndings()).map { "\n\($0)" }
                    : ["\n```text\n\(session)```\n"]
                #expect(parts.count == (name == "Runbook" ? 11 : 1))
                for part in parts { #expect(guide.contains(part), "\(part)") }
            }
        }
    }

    /// The language of the block that shows a file, or nil if the guide need not show it.
    private static func language(of file: String, in guide: String) -> String? {
        // Some guides write their configuration by a command.
        if file.hasSuffix("/config.toml"), !guide.contains("```toml") { return nil }
        if file.contains("/.env") || file.hasSuffix(".json") { return "text" }
        return ["toml", "yaml"].first { file.hasSuffix(".\($0)") }
    }

    @Test("There are eighteen programs of guides and a library, and each how-to has at most 400 words")
    func counts() throws {
        #expect(ReadmeBlocks.files(in: "Fixtures/Guides/Sources", ending: ".swift").count == 19)
        let names = [
            "ReadASetting", "Testing", "RunInKubernetes", "UseOnlyOneHalf", "Profiles", "RunWithCompose",
        ]
        for name in names {
            let prose = try ReadmeBlocks.guide(name).components(separatedBy: "```").enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
            #expect(prose.split(whereSeparator: \.isWhitespace).count <= 400, "\(name)")
            #expect(prose.contains("### Read on"), "\(name)")
        }
    }
}
