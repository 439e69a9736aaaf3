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

    /// The captures that `verify()` reports.
    private func problems() -> [ResolutionError] {
        do { try container.verify() } catch { return error.problems }
        return []
    }

    /// Checks that the failure handler has got one report in a debug build, and none in a release build.
    private func expectReport(from path: [String]) {
        #expect(failures.all.map(\.reason) == choose(inDebug: [.capturedContainer], inRelease: []))
        #expect(failures.all.map(\.path) == choose(inDebug: [path], inRelease: []))
    }

    @Test("A factory that resolves from a captured container is reported once, and its resolve succeeds")
    func factory() throws {
        container.register(A.self) { [container] _ in
            _ = try container.require(B.self)
            return A()
        }.inObjectScope(.transient)
        container.register(Int.self) { r in
            _ = try (r.require(A.self), r.require(A.self))
            return 1
        }
        for _ in 0..<2 { _ = try container.require(Int.self) }
        expectReport(from: ["Int", "A", "B"])
        let problems = problems()
        #expect(problems.map(\.reason) == [.capturedContainer])
        #expect(
            problems.map(\.description) == [
                "A → B: the factory of A resolves B from a captured container, which begins another graph. Resolve it with the resolver r of that closure"
            ])
        #expect(failures.all.count == choose(inDebug: 1, inRelease: 0))
    }

    @Test("A completion that resolves from a captured container is reported too")
    func completion() throws {
        container.register(A.self) { _ in A() }
            .initCompleted { [container] _, _ in _ = try container.require(B.self) }
        _ = try container.require(A.self)
        expectReport(from: ["A", "B"])
        #expect(
            problems().map(\.description) == [
                "A → B: the completion of A resolves B from a captured container, which begins another graph. Resolve it with the resolver r of that closure"
            ])
    }

    @Test("The container that a factory gets from its resolver counts as captured, and so do those of the parents")
    func others() throws {
        let child = Container(parent: container)
        child.register(A.self) { [container] _ in
            _ = try container.require(B.self)
            return A()
        }
        child.register(A.self, name: "2") { r in
            _ = try r.require(Container.self).require(B.self)
            return A()
        }
        let error = #expect(throws: VerificationError.self) { try child.verify() }
        #expect(error?.problems.map(\.path) == [["A", "B"], ["A \"2\"", "B"]])
        #expect(error?.problems.allSatisfy { $0.reason == .capturedContainer } == true)
    }

    @Test("If a transient service needs one of the graph, its resolve from a captured container is reported")
    func indirect() throws {
        container.register([B].self) { r in [try r.require(B.self)] }.inObjectScope(.transient)
        container.register(A.self) { [container] _ in
            _ = try container.require([B].self)
            return A()
        }
        #expect(problems().map(\.path) == [["A", "Array<B>"]])
    }

    @Test("A resolve from a captured container is not reported if the graph makes no difference")
    func unreported() throws {
        container.register(Shared.self) { r in
            _ = try r.require(B.self)
            return Shared()
        }.inObjectScope(.container)
        container.register(Cat.self) { _ in Cat() }.inObjectScope(.transient)
        container.register(A.self) { [container] r in
            // A shared instance, a transient one, one of another container, and one that another thread builds.
            _ = try (container.require(Shared.self), container.require(Cat.self))
            _ = try Container(parent: container).require(B.self)
            _ = onThreads(1) { _ in container.resolve(B.self) != nil }
            return A()
        }
        _ = try container.require(A.self)
        try container.verify()
        #expect(failures.all.isEmpty)
    }

    @Test("A factory that reads a Lazy or a Provider of another graph is not reported")
    func deferred() throws {
        container.register(Shared.self) { _ in Shared() }
        let (lazy, provider) = (try container.require(Lazy<Shared>.self), try container.require(Provider<Shared>.self))
        container.register(A.self) { _ in
            _ = try (lazy.get(), provider.get())
            return A()
        }
        _ = try container.require(A.self)
        try container.verify()
        #expect(failures.all.isEmpty)
    }

    @Test("The copies of a registration for several children are reported as one")
    func children() throws {
        container.register(Shared.self) { r in
            _ = try r.require(Container.self).require(B.self)
            return Shared()
        }.inObjectScope(.child)
        for _ in 0..<3 { _ = try Container(parent: container).require(Shared.self) }
        expectReport(from: ["Shared", "B"])
    }

    @Test("The error of a circle says if it comes from a captured container, and how to resolve instead")
    func circle() throws {
        container.register(Parent.self) { r in Parent(child: try r.require(Child.self)) }
        container.register(Child.self) { _ in Child() }
            .initCompleted { [container] _, child in child.parent = try container.require(Parent.self) }
        let message =
            "Child needs itself: the completion of Child resolves Parent from a captured container, which begins another graph. Resolve it with the resolver r of that closure"
        #expect(
            failure { _ = try container.require(Child.self) }?.description == "Child → Parent → Child: \(message)")
        #expect(
            failure { _ = try container.require(Parent.self) }?.description
                == "Parent → Child → Parent → Child: \(message)")
        #expect(problems().map(\.description) == ["Child → Parent → Child: \(message)"])
        container.register(Child.self) { _ in Child() }
            .initCompleted { r, child in child.parent = try r.require(Parent.self) }
        let parent = try container.require(Parent.self)
        #expect(parent.child?.parent === parent)
    }

    @Test("The error of a circle does not say so if the resolver would find the same circle")
    func otherCircles() {
        container.register(A.self) { _ in A() }.inObjectScope(.transient)
            .initCompleted { [container] _, _ in _ = try container.require(Int.self) }
        container.register(Int.self) { r in
            _ = try r.require(A.self)
            return 1
        }
        let completions = failure { _ = try container.require(A.self) }
        #expect(completions?.path == ["A", "Int", "A"])
        #expect(completions?.description.contains("captured") == false)
        container.register(String.self) { [container] _ in try container.require(String.self) }
        #expect(failure { _ = try container.require(String.self) }?.description.contains("captured") == false)
    }

    @Test("A factory that awaits a service from a captured container is reported, unless a child task does that")
    func awaits() async throws {
        container.register(Shared.self) { r async throws in
            _ = try await r.require(B.self)
            return Shared()
        }
        container.register(A.self) { [container] _ async throws in
            async let shared = container.require(async: Shared.self)
            _ = try await shared
            return A()
        }
        _ = try await container.require(async: A.self)
        #expect(failures.all.isEmpty)
        container.register(A.self) { [container] _ in
            _ = try await container.require(async: Shared.self)
            return A()
        }
        for _ in 0..<2 { _ = try await container.require(async: A.self) }
        expectReport(from: ["A", "Shared"])
    }

    @Test(
        "A factory that awaits its own service from a captured container gets a circular error",
        arguments: [true, false])
    func awaitsItself(isShared: Bool) async {
        let entry = container.register(Database.self) { [container] _ in
            _ = try await container.require(async: Database.self)
            return Database()
        }
        let other = container.register(Database.self, name: "other") { [container] _ in
            Database(try await container.require(async: Api.self).database.number)
        }
        container.register(Api.self) { r in Api(try await r.require(Database.self, name: "other")) }
        if isShared {
            entry.inObjectScope(.container)
            other.inObjectScope(.container)
        }
        for _ in 0..<2 {
            #expect(await failure(async: Database.self, in: container)?.path == ["Database", "Database"])
            let error = await failure(async: Api.self, in: container)
            #expect(error?.reason == .circular)
            #expect(error?.path.suffix(2) == ["Api", "Database \"other\""] || error?.path.last == "Api")
        }
    }

    @Test("A completion that awaits a service from a captured container gets one that is made of its own instance")
    func completionAwaits() async throws {
        container.register(Database.self) { _ in try await .open() }.inObjectScope(.container)
            .initCompleted { [container] _, database async throws in
                #expect(try await container.require(async: Api.self).database === database)
            }
        container.register(Api.self) { r in Api(try await r.require(Database.self)) }.inObjectScope(.container)
        let database = try await container.require(async: Database.self)
        #expect(try await container.require(async: Api.self).database === database)
    }
}
