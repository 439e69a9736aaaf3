import Container
import Foundation
import PropertyLoaders
import Synchronization
import Testing

// The Swift blocks of the guides about assemblies and tests, copied verbatim.

struct ServerSettings: Settings {
    @Setting("Where clients connect", in: 1...65535) var port = 8080
}

struct DatabaseSettings: Settings {
    @Setting("The database, with its password", isSecret: true) var url: String
    @Setting("How long connecting may take", in: .milliseconds(10)...) var timeout = Duration.seconds(5)
}

final class Database: Sendable {
    let url: String

    private init(_ url: String) { self.url = url }

    static func connect(to url: String, timeout: Duration = .seconds(5)) async throws -> Database {
        await Task.yield()
        return Database(url)
    }

    func close() async throws {}
}

final class Orders: Sendable {
    private let database: Database
    init(database: Database) { self.database = database }
    func summary(of user: User) -> String { "\(user.name): 3" }
}

struct User { let name: String }

struct OrderList {
    let orders: Orders
    let user: User
    var text: String { orders.summary(of: user) }
}

struct DatabaseAssembly: Assembly {
    func assemble(container: Container) {
        container.declare(DatabaseSettings.self, at: "database")
        container.register(Database.self) { r in
            let settings = try r.settings(DatabaseSettings.self)
            return try await Database.connect(to: settings.url, timeout: settings.timeout)
        }
        .inObjectScope(.container)
    }
}

struct OrderAssembly: Assembly {
    func assemble(container: Container) {
        container.register(using: Orders.init).inObjectScope(.container)
        container.register(OrderList.self) { r in
            OrderList(orders: try r.require(Orders.self), user: try r.require(User.self))
        }
        .onDemand()  // only a request has a user
    }
}

func makeContainer() -> Container {
    let container = Container()
    container.declare(ServerSettings.self, at: "server")
    let assembler = Assembler(container: container)
    assembler.apply(assemblies: [DatabaseAssembly(), OrderAssembly()])
    return container
}

struct MetricsAssembly: Assembly {
    func assemble(container: Container) {
        if container.property("metrics.enabled") == false { return }
        container.register(Metrics.self) { _ in Metrics() }.inObjectScope(.container)
    }

    func loaded(resolver: Resolver) {
        resolver.resolve(Metrics.self)?.begin()
    }
}

final class Metrics: Sendable {
    private let begun = Atomic(false)
    var hasBegun: Bool { begun.load(ordering: .relaxed) }
    func begin() { begun.store(true, ordering: .relaxed) }
}

func makeTestContainer() -> Container {
    let container = makeContainer()
    container.register(Database.self) { _ in try await Database.connect(to: "memory:") }.inObjectScope(.container)
    return container
}

@Suite("The examples of the guides")
struct GuideExamples {
    private let source = JsonPropertyLoader(string: #"{"database": {"url": "db://shop"}}"#, name: "config.json")

    @Test("Assemblies: properties come first, then registrations, then loaded(resolver:)")
    func assemblies() throws {
        let assembler = try Assembler(
            assemblies: [DatabaseAssembly(), OrderAssembly(), MetricsAssembly()],
            propertyLoaders: [source])
        #expect(assembler.resolver.resolve(Metrics.self)?.hasBegun == true)
        let off = try Assembler(
            assemblies: [MetricsAssembly()],
            propertyLoaders: [TomlPropertyLoader(string: "metrics.enabled = false", name: "off.toml")])
        #expect(off.resolver.resolve(Metrics.self) == nil)

        let tenant = try Assembler(
            assemblies: [], parentAssembler: assembler,
            propertyLoaders: [TomlPropertyLoader(string: "database.timeout = \"1s\"", name: "tenant.toml")])
        #expect(try tenant.resolver.settings(DatabaseSettings.self).timeout == .seconds(1))
        #expect(tenant.resolver.resolve(Metrics.self) != nil)
    }

    @Test("The configuration files of every environment are valid", arguments: ["staging", "production"])
    func configuration(profile: String) async throws {
        let folder = try folderWithFiles()
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = makeTestContainer()
        try await container.start(
            .profileFiles(url: folder.appending(path: "config.toml"), profile: profile))
        #expect(try container.settings(ServerSettings.self).port == (profile == "staging" ? 8081 : 80))
        await container.close()
    }

    @Test("Every registration can be resolved")
    func registrations() async throws {
        let container = makeTestContainer()
        try await container.verify()
        await container.close()
    }

    private func folderWithFiles() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("config.toml", "database.url = \"db://shop\"\n"), ("config.staging.toml", "server.port = 8081\n"),
            ("config.production.toml", "server.port = 80\n"),
        ] {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        return folder
    }

    @Test("A single property of a test, and the way back")
    func setting() throws {
        let container = makeContainer()
        try container.applyPropertyLoader(source)
        try container.properties.set("server.port", to: 8081)
        #expect(try container.settings(ServerSettings.self).port == 8081)
        try container.properties.unset("server.port")
        #expect(try container.settings(ServerSettings.self).port == 8080)
    }
}
