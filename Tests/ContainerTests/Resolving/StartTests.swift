import Container
import Testing

@Suite("Starting a container", .hangLimit)
struct StartTests {
    @Test("start() builds eager services concurrently, in the container and its parents, and no others")
    func concurrent() async throws {
        let (parent, gate, lazy) = (Container(), Gate(), Counter())
        let container = Container(parent: parent)
        parent.register(Database.self) { _ in
            await gate.pass()
            return Database(1)
        }.inObjectScope(.container).eager()
        container.register(Shared.self) { _ in
            await gate.pass()
            return Shared(2)
        }.eager().inObjectScope(.container)
        container.register(Api.self) { r in
            lazy.increment()
            return Api(try await r.require(Database.self))
        }.inObjectScope(.container)
        let task = Task { try await container.start() }
        await until { gate.waiting == 2 }
        gate.open()
        try await task.value
        #expect(container.resolve(Database.self)?.number == 1)
        #expect(container.resolve(Shared.self)?.number == 2)
        #expect(lazy.count == 0)
    }

    @Test("start() reports all failures at once, and keeps what could be built")
    func failures() async throws {
        let container = Container()
        container.register(Database.self) { _ async throws -> Database in throw Failure("no route") }
            .inObjectScope(.container).eager()
        container.register(Api.self) { r in Api(try await r.require(Database.self)) }.inObjectScope(.container).eager()
        container.register(Shared.self) { _ in Shared(1) }.inObjectScope(.container).eager()
        container.register(Cat.self) { _ in throw Failure("no cat") }.eager()
        container.register(Person.self) { (_, pet: String) async in Person(pet: nil) }.eager()
        do {
            try await container.start()
            Issue.record("started")
        } catch {
            #expect(
                error.description == """
                    The container has 3 problems:
                      Cat: the factory of Cat threw: no cat
                      Database: the factory of Database threw: no route
                      Person: Person is not registered for the arguments (). Registered is Person with (String). Give arguments of exactly the factory's static types
                    """)
        }
        #expect(container.resolve(Shared.self)?.number == 1)
    }

    @Test("verify() skips services that are built asynchronously, and those that need them")
    func verify() throws {
        let (container, built) = (Container(), Counter())
        container.register(Database.self) { _ in
            built.increment()
            return try await .open()
        }.inObjectScope(.container)
        container.register(Api.self) { r in Api(try r.require(Database.self)) }.inObjectScope(.container)
        container.register(Shared.self) { _ in
            built.increment()
            return Shared()
        }.initCompleted { _, _ async in }
        try container.verify()
        #expect(built.count == 0)
        container.register(Cat.self) { r in
            _ = try r.require(Person.self)
            return Cat()
        }
        #expect(throws: VerificationError.self) { try container.verify() }
    }
}
