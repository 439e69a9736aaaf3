import Container
import Testing

@Suite("Factories and completions that resolve from a captured container", .hangLimit)
struct CapturedContainerTests {
    let container = Container()
    let failures = Failures()

    final class A {}
    final class B {}

    init() {
        failures.listen(to: container)
        container.register(B.self) { _ in B() }
    }

    @Test("A factory that resolves from a captured container is reported once, and its resolve succeeds")
    func factory() async throws {
        container.register(A.self) { [container] _ in
            _ = try container.require(B.self)
            return A()
        }.inObjectScope(.transient)
        container.register(Int.self) { r in
            _ = try (r.require(A.self), r.require(A.self))
            return 1
        }
        _ = try container.require(Int.self)
        let problems = await serviceProblems(of: container)
        #expect(problems.map(\.reason) == [.capturedContainer])
        #expect(
            problems.map(\.description) == [
                "A → B: the factory of A resolves B from a captured container, which begins another graph. Resolve it with the resolver r of that closure"
            ])
        #expect(failures.all.isEmpty)
    }

    @Test("A completion that resolves from a captured container is reported too")
    func completion() async throws {
        container.register(A.self) { _ in A() }
            .initCompleted { [container] _, _ in _ = try container.require(B.self) }
        #expect(
            await serviceProblems(of: container).map(\.description) == [
                "A → B: the completion of A resolves B from a captured container, which begins another graph. Resolve it with the resolver r of that closure"
            ])
    }

    @Test("The container that a factory gets from its resolver counts as captured, and so do those of the parents")
    func others() async throws {
        let child = Container(parent: container)
        child.register(A.self) { [container] _ in
            _ = try container.require(B.self)
            return A()
        }
        child.register(A.self, name: "2") { r in
            _ = try r.require(Container.self).require(B.self)
            return A()
        }
        let problems = await serviceProblems(of: child)
        #expect(problems.map(\.path) == [["A \"2\"", "B"], ["A", "B"]])
        #expect(problems.allSatisfy { $0.reason == .capturedContainer })
    }

    @Test("If a transient service needs one of the graph, its resolve from a captured container is reported")
    func indirect() async throws {
        container.register([B].self) { r in [try r.require(B.self)] }.inObjectScope(.transient)
        container.register(A.self) { [container] _ in
            _ = try container.require([B].self)
            return A()
        }
        #expect(await serviceProblems(of: container).map(\.path) == [["A", "Array<B>"]])
    }

    @Test("A resolve from a captured container is not reported if the graph makes no difference")
    func unreported() async throws {
        container.register(Shared.self, needs: B.self) { Shared() }.inObjectScope(.container)
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.transient)
        container.register(A.self) { [container] r in
            // A shared instance, a transient one, one of another container, and one that another thread builds.
            _ = try (container.require(Shared.self), container.require(Cat.self))
            _ = try Container(parent: container).require(B.self)
            _ = onThreads(1) { _ in container.resolve(B.self) != nil }
            return A()
        }
        _ = try container.require(A.self)
        try await container.verify()
        #expect(failures.all.isEmpty)
    }

    @Test("A factory that reads a Lazy or a Provider of another graph is not reported")
    func deferred() async throws {
        container.register(Shared.self) { _ in Shared() }
        let (lazy, provider) = (try container.require(Lazy<Shared>.self), try container.require(Provider<Shared>.self))
        container.register(A.self) { _ in
            _ = try (lazy.get(), provider.get())
            return A()
        }
        _ = try container.require(A.self)
        try await container.verify()
        #expect(failures.all.isEmpty)
    }

    @Test("A circle through a captured container is an error")
    func circle() {
        container.register(String.self) { [container] _ in try container.require(String.self) }
        #expect(failure { _ = try container.require(String.self) }?.path == ["String", "String"])
    }

    @Test("A factory that awaits an unshared service from a captured container is reported")
    func awaits() async throws {
        container.register(Shared.self) { r async throws in
            _ = try await r.require(B.self)
            return Shared()
        }
        let container = container
        container.register(A.self) { _ in
            _ = try await container.require(async: Shared.self)
            return A()
        }
        #expect(await serviceProblems(of: container).map(\.path) == [["A", "Shared"]])
    }

    @Test(
        "A factory that awaits its own service from a captured container gets a circular error",
        arguments: [true, false])
    func awaitsItself(isShared: Bool) async {
        let container = container
        let entry = container.register(Database.self) { _ in
            _ = try await container.require(async: Database.self)
            return Database()
        }
        if isShared { entry.inObjectScope(.container) }
        for _ in 0..<2 {
            #expect(await failure(async: Database.self, in: container)?.path == ["Database", "Database"])
        }
    }
}
