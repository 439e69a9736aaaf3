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

    @MainActor final class Screen {
        init() {}
    }

    let container = Container()

    init() throws {
        try container.applyPropertyLoader(JsonPropertyLoader(string: #"{"db": {"path": "/var/db"}}"#, name: "db.json"))
        container.register(Database.self) { r in try await Database.open(r.require("db.path")) }
            .inObjectScope(.container)
            .eager()
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

    @Test("A main-actor service is awaited")
    func mainActor() async throws {
        container.register(Screen.self) { _ in await Screen() }
            .inObjectScope(.container)
        let screen = try await container.require(async: Screen.self)
        #expect(container.resolve(Screen.self) === screen)
    }
}
