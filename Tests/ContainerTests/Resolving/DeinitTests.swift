import Container
import Testing

/// A deinit is user code, so it may use the container, whatever released the object.
@Suite("Services that resolve in their deinit", .hangLimit)
struct DeinitTests {
    let container = Container()

    /// Resolves a service, with a completion of its own, when it is released.
    final class Last {
        let container: Container
        let found: Counter
        init(_ container: Container, _ found: Counter) { (self.container, self.found) = (container, found) }
        deinit { if container.resolve(Cat.self)?.owner != nil { found.increment() } }
    }

    /// Registers `Last`, whose instances count in the returned counter that their deinit has resolved a service.
    private func register(in scope: UnsharedScope) -> Counter {
        let found = Counter()
        container.register(Cat.self) { _ in Cat() }.initCompleted { _, cat in cat.owner = Person(pet: nil) }
        container.register(Last.self) { [unowned container] _ in Last(container, found) }
            .inObjectScope(scope).initCompleted { _, _ in }
        return found
    }

    @Test(
        "If a factory throws, the instances that it has taken are released, and can resolve meanwhile",
        arguments: [UnsharedScope.transient, .graph])
    func afterFailure(scope: UnsharedScope) {
        let found = register(in: scope)
        container.register(Int.self, needs: Last.self) { throw Failure("after") }
        #expect(failure { _ = try container.require(Int.self) }?.cause as? Failure == Failure("after"))
        #expect(found.count == 1)
    }

    @Test(
        "When a resolve ends, the instances of its graph are released, and can resolve meanwhile",
        arguments: [UnsharedScope.transient, .graph])
    func afterResolve(scope: UnsharedScope) {
        let found = register(in: scope)
        container.register(Int.self, needs: Last.self) { 1 }
        #expect(container.resolve(Int.self) == 1)
        #expect(found.count == 1)
    }

    @Test("verify() releases its instances, which can resolve meanwhile")
    func afterVerification() async throws {
        let found = register(in: .graph)
        container.register(Last.self, name: "shared") { [unowned container] _ in Last(container, found) }
            .inObjectScope(unchecked: .container)
        try await container.verify()
        #expect(found.count == 1)
        container.reset(.container)
        #expect(found.count == 2)
        for _ in 0..<2 {
            container.register(Last.self, name: "shared") { [unowned container] _ in Last(container, found) }
                .inObjectScope(unchecked: .container)
            _ = try container.require(Last.self, name: "shared")
        }
        #expect(found.count == 3)
    }

    @Test("A task releases the instances that a failed factory has taken, and they can resolve meanwhile")
    func inTask() async {
        let found = register(in: .transient)
        container.register(Int.self) { r async throws in
            _ = try await r.require(Last.self)
            throw Failure("after")
        }
        #expect(await failure(async: Int.self, in: container)?.reason == .factoryFailed)
        #expect(found.count == 1)
    }

    /// Resets a scope when it is released, which would be a deadlock if the monitor were held.
    private final class Resetting: Sendable {
        let container: Container
        let count: Counter
        init(_ container: Container, _ count: Counter) { (self.container, self.count) = (container, count) }
        deinit {
            container.resetSession()
            count.increment()
        }
    }

    @Test("A container that only a cancelled task has used is released outside the lock")
    func cancelled() async throws {
        let (container, gate, made, released) = (container, Gate(), Counter(), Counter())
        container.register(Database.self) { _ in
            await gate.pass()
            return Database()
        }.inObjectScope(.container)
        let first = Task { try await container.require(async: Database.self) }
        await until { gate.waiting == 1 }
        let child = Task {
            let child = Container(parent: container)
            child.onFailure { _ in }
            child.register(Resetting.self) { _ in
                made.increment()
                return Resetting(container, released)
            }.inObjectScope(.container)
            child.register(Api.self) { r in Api(try await r.require(Database.self)) }.inObjectScope(.container)
            // Goes on without the service that it would have to await.
            child.register(Int.self) { r in r.resolve(Api.self) == nil ? 0 : 1 }.inObjectScope(.transient)
            child.register(Person.self) { r in
                _ = try await (r.require(Int.self), r.require(Resetting.self), r.require(Database.self))
                return Person(pet: nil)
            }
            await #expect(throws: ResolutionError.self) { try await child.require(async: Person.self) }
        }
        await until { made.count == 1 }
        // Now the child waits for the database.
        await untilMainActorIsFree()
        child.cancel()
        await child.value
        gate.open()
        _ = try await first.value
        // The construction releases the cancelled task's last reference after it has resumed the first task.
        await until { released.count > 0 }
        #expect(released.count == 1)
    }
}
