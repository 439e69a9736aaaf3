import Container
import Dispatch
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

@Suite("Services that are built asynchronously", .hangLimit)
struct AsyncResolvingTests {
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
                == "Api → Database: Database is built asynchronously and does not exist yet. Let an asynchronous factory take it, or await container.start() first"
        )
        #expect(
            failure { _ = try container.require(Cat.self) }?.description
                == "Cat: Cat is built asynchronously. Resolve it with 'await container.require(async:)'")
        #expect(
            failure { _ = try container.require(Database.self) }?.description
                == "Database: Database is built asynchronously and does not exist yet. "
                + "Resolve it with 'await container.require(async:)', or await container.start() first")
        // A start builds nothing for a child.
        container.register(Database.self, name: "request") { _ in try await .open() }.inObjectScope(.child)
        #expect(
            failure { _ = try Container(parent: container).require(Database.self, name: "request") }?.description
                == #"Database "request": Database "request" is built asynchronously. "#
                + "Resolve it with 'await container.require(async:)'")
        let database = try await container.require(async: Database.self)
        #expect(try container.require(Api.self).database === database)
    }

    @Test("The error of a service that is not registered names the asynchronous factory whose container was asked")
    func pathInTask() async throws {
        let container = Container()
        container.register(Api.self) { r async throws in
            Api(try await r.require(Container.self).require(async: Database.self))
        }.inObjectScope(.container)
        let error = await #expect(throws: ResolutionError.self) { try await container.require(async: Api.self) }
        #expect(error?.path == ["Api", "Database"])
        #expect(error?.reason == .notRegistered)
        await container.close()
    }

    @Test("A circle across tasks is an error with the whole path")
    func circle() async throws {
        let container = Container()
        container.register(Database.self) { r in
            _ = try await r.require(Api.self)
            return Database()
        }.inObjectScope(.container)
        container.register(Api.self) { r in Api(try await r.require(Database.self)) }.inObjectScope(.container)
        for _ in 0..<2 {
            #expect(
                await failure(async: Api.self, in: container)?.description
                    == "Api → Database → Api: Api needs itself. Let one of them take the other as a Lazy or a Provider"
            )
        }
    }

    @Test(
        "A factory that awaits its own service from a captured container gets a circular error",
        arguments: [true, false])
    func awaitsItself(isShared: Bool) async {
        let container = Container()
        let entry = container.register(Database.self) { _ in
            _ = try await container.require(async: Database.self)
            return Database()
        }
        if isShared { entry.inObjectScope(.container) }
        for _ in 0..<2 {
            #expect(await failure(async: Database.self, in: container)?.path == ["Database", "Database"])
        }
    }

    @Test("An asynchronous graph joins the graph of the task across await, and is not shared with other resolves")
    func graph() async throws {
        let container = Container()
        container.register(Cat.self) { _ in await Cat.found() }
        container.register((any Animal).self) { r in try r.require(Cat.self) }
        container.register(Person.self) { r in
            let cat = try await r.require(Cat.self)
            cat.owner = Person(pet: nil)
            return Person(pet: try await r.require((any Animal).self))
        }
        let person = try await container.require(async: Person.self)
        #expect((person.pet as? Cat)?.owner != nil)
        let other = try await container.require(async: Person.self)
        #expect(person.pet !== other.pet)
    }

    @Test("An asynchronous factory can pass arguments to a synchronous one")
    func arguments() async throws {
        let container = Container()
        container.register(Shared.self) { (_, number: Int, factor: Int) in Shared(number * factor) }
        container.register(Database.self) { r in Database(try await r.require(Shared.self, arguments: 6, 7).number) }
        #expect(try await container.require(async: Database.self).number == 42)
    }

    @Test("The error of a missing dependency contains the path to it")
    func missing() async {
        let container = Container()
        container.register(Api.self) { r in Api(try await r.require(Database.self)) }
        #expect(
            await failure(async: Api.self, in: container)?.description
                == "Api → Database: nothing is registered for Database. Register it in this container or a parent")
        #expect(await failure(async: Database.self, in: container)?.reason == .notRegistered)
    }

    @Test("A circle through synchronous and asynchronous services is an error with its path")
    func mixedCircle() async {
        let container = Container()
        container.register(Database.self) { r in
            _ = try await r.require(Shared.self)
            return Database()
        }.inObjectScope(.container)
        container.register(Shared.self, needs: Database.self) { Shared() }.inObjectScope(.container)
        for _ in 0..<2 {
            #expect(
                await failure(async: Database.self, in: container)?.description
                    == "Database → Shared → Database: Database needs itself. Let one of them take the other as a Lazy or a Provider"
            )
            #expect(await failure(async: Shared.self, in: container)?.reason == .asynchronous)
        }
    }

    @Test("A factory that is isolated to an actor is awaited, and a synchronous one runs on the actor of the caller")
    @MainActor
    func mainActor() async throws {
        let container = Container()
        container.register(Screen.self) { _ in await Screen() }.inObjectScope(.container)
        container.register(Screen.self, name: "isolated") { r async throws in
            _ = try await r.require(Screen.self)
            return await Screen()
        }
        container.register(Screen.self, name: "assumed") { _ in MainActor.assumeIsolated { Screen() } }
            .initCompleted { _, _ in MainActor.assumeIsolated {} }
        let screen = try await container.require(async: Screen.self)
        #expect(container.resolve(Screen.self) === screen)
        _ = try await container.require(async: Screen.self, name: "isolated")
        _ = try await container.require(async: Screen.self, name: "assumed")
    }

    @Test("If the scope is reset during a construction, the tasks that wait get its instance, and it is not kept")
    func reset() async throws {
        let (container, gate, made) = (Container(), Gate(), Counter())
        container.register(Database.self) { _ in
            let number = made.increment()
            await gate.pass()
            return Database(number)
        }.inObjectScope(.session)
        let task = Task { try await container.require(async: Database.self) }
        await until { gate.waiting == 1 }
        container.resetSession()
        gate.open()
        #expect(try await task.value.number == 1)
        #expect(try await container.require(async: Database.self).number == 2)
    }

    @Test("Tasks that wait for a thread block no thread of the pool")
    func suspends() async throws {
        let (container, end, started, ready) = (Container(), DispatchSemaphore(value: 0), Counter(), Counter())
        container.register(Shared.self) { _ in
            started.increment()
            end.wait()
            return Shared()
        }.inObjectScope(.container)
        let thread = Running { container.resolve(Shared.self) }
        await until { started.count == 1 }
        let tasks = (0..<100).map { _ in
            Task {
                ready.increment()
                return try await container.require(async: Shared.self)
            }
        }
        // A blocked pool would never run all of them.
        await until { ready.count == 100 }
        end.signal()
        let shared = thread.result() ?? nil
        for task in tasks { #expect(try await task.value === shared) }
    }

    @Test("Weak, child and forwarded services can be built asynchronously")
    func otherScopes() async throws {
        let container = Container()
        container.register(Database.self) { _ in try await .open(1) }.inObjectScope(.weak)
        var database: Database? = try await container.require(async: Database.self)
        #expect(container.resolve(Database.self) === database)
        weak let released = database
        database = nil
        // The task of the construction may still hold it for a moment.
        await until { released == nil }
        #expect(released == nil)
        container.register(Api.self) { _ in Api(try await .open(2)) }.inObjectScope(.child)
        let child = Container(parent: container)
        let api = try await child.require(async: Api.self)
        #expect(child.resolve(Api.self) === api)
        #expect(try await container.require(async: Api.self) !== api)
        container.register(Shared.self) { _ async in Shared(3) }.inObjectScope(.container).implements(
            (any Sendable).self)
        #expect((try await container.require(async: (any Sendable).self) as? Shared)?.number == 3)
    }
}

@MainActor
private final class Screen {
    init() {}
}

extension Cat {
    static func found() async -> Cat {
        await Task.yield()
        return Cat()
    }
}
