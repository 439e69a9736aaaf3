import Container
import Synchronization
import Testing

/// A service that is opened asynchronously.
final class Database: Sendable {
    let number: Int
    init(_ number: Int = 0) { self.number = number }
    static func open(_ number: Int = 0) async throws -> Database {
        await Task.yield()
        return Database(number)
    }
}

/// A service that needs a `Database`.
final class Api: Sendable {
    let database: Database
    init(_ database: Database) { self.database = database }
}

@Suite("Services that are built asynchronously", .timeLimit(.minutes(1)))
struct AsyncResolvingTests {
    @Test("An asynchronous factory builds a service, and its resolver resolves synchronous and asynchronous ones")
    func builds() async throws {
        let container = Container()
        container.register(Shared.self) { _ in Shared(7) }
        container.register(Database.self) { r in try await .open(r.require(Shared.self).number) }
        container.register(Api.self) { r in Api(try await r.require(Database.self)) }
        let api = try await container.require(async: Api.self)
        #expect(api.database.number == 7)
        #expect(await container.resolve(async: Shared.self)?.number == 7)
        #expect(await container.resolve(async: Cat.self) == nil)
    }

    @Test("Tasks that ask for a shared service at the same time get one instance, built once")
    func once() async throws {
        let (container, made, gate) = (Container(), Counter(), Gate())
        container.register(Database.self) { _ in
            await gate.pass()
            return Database(made.increment())
        }.inObjectScope(.container)
        let tasks = (0..<20).map { _ in Task { try await container.require(async: Database.self) } }
        await until { gate.waiting > 0 }
        gate.open()
        for task in tasks { #expect(try await task.value.number == 1) }
        #expect(made.count == 1)
        #expect(container.resolve(Database.self)?.number == 1)
    }

    @Test("A synchronous resolve of a service that does not exist yet throws, and says what to do")
    func synchronous() async throws {
        let container = Container()
        container.register(Database.self) { _ in try await .open() }.inObjectScope(.container)
        container.register(Api.self) { r in Api(try r.require(Database.self)) }
        container.register(Cat.self) { _ in await Cat.found() }
        let early = failure { _ = try container.require(Api.self) }
        #expect(early?.reason == .asynchronous)
        #expect(
            early?.description
                == "Api → Database: Database is built asynchronously and does not exist yet. Resolve it with 'await container.require(async:)' first, or mark it .eager() and call start()"
        )
        #expect(
            failure { _ = try container.require(Cat.self) }?.description
                == "Cat: Cat is built asynchronously. Resolve it with 'await container.require(async:)'")
        let database = try await container.require(async: Database.self)
        #expect(try container.require(Api.self).database === database)
    }

    @Test("An asynchronous resolve builds what synchronous factories need")
    func builtForSynchronous() async throws {
        let (container, runs) = (Container(), Counter())
        container.register(Database.self) { _ in try await .open() }.inObjectScope(.container)
        container.register(Api.self) { r in
            runs.increment()
            return Api(try r.require(Database.self))
        }.inObjectScope(.container)
        let api = try await container.require(async: Api.self)
        #expect(runs.count == 2)
        #expect(try container.require(Api.self) === api)
        #expect(try container.require(Database.self) === api.database)
    }

    @Test("A circle across tasks is an error with the whole path")
    func circle() async throws {
        let container = Container()
        container.register(Database.self) { r in
            _ = try await r.require(Api.self)
            return Database()
        }.inObjectScope(.container)
        container.register(Api.self) { r in Api(try await r.require(Database.self)) }.inObjectScope(.container)
        await #expect(throws: ResolutionError.self) { try await container.require(async: Api.self) }
        do { _ = try await container.require(async: Api.self) } catch {
            #expect(
                error.description
                    == "Api → Database → Api: Api needs itself. Let one of them take the other in initCompleted(_:)")
        }
    }
}

extension Cat {
    static func found() async -> Cat {
        await Task.yield()
        return Cat()
    }
}
