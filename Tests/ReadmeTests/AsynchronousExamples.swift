import Container
import PropertyLoaders
import Testing

// The Swift blocks about asynchronous services in the README and the articles, copied verbatim.

@Suite("The examples on asynchronous services")
struct AsynchronousExamples {
    final class Database: Sendable {
        let path: String
        private init(path: String) { self.path = path }

        static func open(_ path: String) async throws -> Database {
            await Task.yield()
            return Database(path: path)
        }
    }

    final class Accounts {
        let database: Database
        init(_ database: Database) { self.database = database }
    }

    actor Cache {
        private(set) var path: String?
        func warm(from database: Database) throws { path = database.path }
    }

    final class Theme: Sendable {}

    @MainActor final class Screen {
        let theme: Theme?
        init() { theme = nil }
        init(theme: Theme) { self.theme = theme }
    }

    final class Ledger: Sendable {}
    final class Audit: Sendable {}
    final class Dashboard: Sendable {
        let ledger: Ledger
        init(_ ledger: Ledger, _ audit: Audit) { self.ledger = ledger }
    }

    final class Words { let all = ["a", "b"] }
    actor Index {
        private let words: Words
        init(words: sending Words) { self.words = words }
        var count: Int { words.all.count }
    }

    let container = Container()

    init() throws {
        try container.applyPropertyLoader(JsonPropertyLoader(string: #"{"db": {"path": "/var/db"}}"#, name: "db.json"))
        container.register(Database.self) { r in try await Database.open(r.require("db.path")) }
            .inObjectScope(.container)
        container.register(Accounts.self) { r in Accounts(try r.require(Database.self)) }
    }

    @Test("Services that are built at the start")
    func start() async throws {
        #expect(throws: ResolutionError.self) { try container.require(Accounts.self) }
        try await container.start()
        let accounts = try container.require(Accounts.self)
        #expect(accounts.database.path == "/var/db")
    }

    @Test("Services that are built when they are needed")
    func lazy() async throws {
        let database = try await container.require(async: Database.self)
        #expect(try container.require(Accounts.self).database === database)
        container.register(Cache.self) { _ in Cache() }
            .inObjectScope(.container)
            .initCompleted { r, cache in try await cache.warm(from: r.require(Database.self)) }
        #expect(try await container.require(async: Cache.self).path == "/var/db")
    }

    @Test("A factory awaits what must run on the main actor, and passes it services")
    func mainActorWithServices() async throws {
        container.register(Theme.self) { _ in Theme() }.inObjectScope(.container)
        container.register(Screen.self) { r async throws in try await Screen(theme: r.require(Theme.self)) }
            .inObjectScope(.container)
        #expect(try await container.require(async: Screen.self).theme === container.resolve(Theme.self))
    }

    @Test("Dependencies that are built at the same time")
    func concurrently() async throws {
        container.register(Ledger.self) { _ async throws in Ledger() }.inObjectScope(.container)
        container.register(Audit.self) { _ async throws in Audit() }.inObjectScope(.container)
        container.register(Dashboard.self) { r async throws in
            let container = try await r.require(Container.self)
            async let ledger = container.require(async: Ledger.self)
            async let audit = container.require(async: Audit.self)
            return try await Dashboard(ledger, audit)
        }
        .inObjectScope(.container)
        #expect(try await container.require(async: Dashboard.self).ledger === container.resolve(Ledger.self))
    }

    @Test("An asynchronous factory takes an asynchronous service")
    func asynchronousFactories() async throws {
        container.register(Accounts.self) { r async throws in Accounts(try await r.require(Database.self)) }
        let accounts = try await container.require(async: Accounts.self)
        #expect(accounts.database.path == "/var/db")
    }

    @Test("An actor takes an instance of its own of a service that is not Sendable")
    func actorServices() async throws {
        let container = Container()
        container.register(Words.self) { _ in Words() }
        container.register(Index.self) { r in Index(words: try r.require(Container.self).require(Words.self)) }
            .inObjectScope(.container)
        try await container.start()
        #expect(try await container.require(Index.self).count == 2)
        try await container.verify()
    }

    @Test("The message of a synchronous resolve is the one that the article shows")
    func message() throws {
        let error = #expect(throws: ResolutionError.self) { try container.require(Accounts.self) }
        let text = try ReadmeBlocks.text(of: "Sources/ServiceHost/ServiceHost.docc/AsynchronousServices.md")
        #expect(text.contains("\n\(error?.description ?? "?")\n"))
    }

    @Test("A main-actor service is awaited")
    func mainActor() async throws {
        container.register(Screen.self) { _ in await Screen() }
            .inObjectScope(.container)
        let screen = try await container.require(async: Screen.self)
        #expect(container.resolve(Screen.self) === screen)
    }
}
