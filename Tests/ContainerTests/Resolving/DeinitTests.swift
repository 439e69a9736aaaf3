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
        "When a resolve ends or fails, the instances that it has taken are released, and can resolve meanwhile",
        arguments: [UnsharedScope.transient, .graph], [true, false])
    func afterResolve(scope: UnsharedScope, fails: Bool) {
        let found = register(in: scope)
        container.register(Int.self, needs: Last.self) { if fails { throw Failure("after") } else { 1 } }
        let error = failure { _ = try container.require(Int.self) }
        #expect(error?.cause as? Failure == (fails ? Failure("after") : nil))
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
}
