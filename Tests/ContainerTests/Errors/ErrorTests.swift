import Container
import Testing

@Suite("Errors")
struct ErrorTests {
    let container = Container()

    final class Alpha {}
    final class Beta {}
    protocol Store {}
    final class MemoryStore: Store {}

    @Test("The error of a missing dependency contains the path to it")
    func path() {
        container.register(Alpha.self) { r in
            _ = try r.require(Beta.self, name: "b")
            return Alpha()
        }
        container.register(Beta.self, name: "b", needs: (any Store).self) { Beta() }
        let error = failure { _ = try container.require(Alpha.self) }
        #expect(error?.reason == .notRegistered)
        #expect(error?.path == ["Alpha", "Beta \"b\"", "Store"])
        #expect(
            error?.description
                == "Alpha → Beta \"b\" → Store: nothing is registered for Store. Register it in this container or a parent"
        )
    }

    @Test("An error suggests registrations of the same type with other names, or else types with similar names")
    func nearMisses() {
        container.register((any Store).self, name: "disk") { _ in MemoryStore() }
        let other = failure { _ = try container.require((any Store).self) }
        #expect(other?.description.contains("Registered is Store \"disk\"") == true)
        let similar = failure { _ = try container.require(MemoryStore.self) }
        #expect(similar?.description.contains("Registered is Store \"disk\"") == true)
        let none = failure { _ = try container.require(Int.self) }
        #expect(none?.description.contains("Registered") == false)
    }

    @Test(
        "If the factory of a shared service throws, nothing is kept, and the next resolve calls the factory again",
        arguments: [SharedScope.container, .session, .weak])
    func retry(scope: SharedScope) throws {
        let counter = Counter()
        container.register(Shared.self) { _ in
            guard counter.increment() > 1 else { throw Failure("first") }
            return Shared(counter.count)
        }.inObjectScope(scope)
        #expect(failure { _ = try container.require(Shared.self) }?.cause as? Failure == Failure("first"))
        #expect(try container.require(Shared.self).number == 2)
    }

    @Test("The failure handler gets the errors of dependencies, but no error if the resolved service is not registered")
    func handler() {
        let failures = Failures()
        failures.listen(to: container)
        #expect(container.resolve(Alpha.self) == nil)
        #expect(failures.all.isEmpty)
        container.register(Alpha.self, needs: Beta.self) { Alpha() }
        #expect(Container(parent: container).resolve(Alpha.self) == nil)
        #expect(failures.all.map(\.path) == [["Alpha", "Beta"]])
        container.register([Alpha?].self) { r in [r.resolve(Alpha.self)] }
        #expect(container.resolve([Alpha?].self)?.count == 1)
        #expect(failures.all.map(\.path).last == ["Array<Optional<Alpha>>", "Alpha", "Beta"])
    }

    @Test("The description of a container has numbers, and a line for each registration without the values of settings")
    func summary() throws {
        #expect(container.description == "Container with 0 registrations and 0 properties")
        try container.properties.set("key", to: "hunter2")
        let line = #line + 1
        container.register(Alpha.self) { _ in Alpha() }
        container.register(Shared.self, name: "b") { r in
            _ = r.property("key") as String?
            return Shared()
        }.inObjectScope(.container).followsSettings()
        _ = container.resolve(Shared.self, name: "b")
        #expect(
            container.description == """
                Container with 2 registrations and 1 property:
                  Alpha: graph, ErrorTests.swift:\(line)
                  Shared "b": container, ErrorTests.swift:\(line + 1), follows its settings, has an instance; reads key
                """)
    }

    @Test("A dump of a container shows neither a secret setting nor what its instances hold")
    func dumped() throws {
        final class Account: Sendable { let password = "hunter2" }
        container.properties.declareSecret("db.password")
        try container.properties.set("db.password", to: "hunter3")
        container.register(Account.self) { _ in Account() }.inObjectScope(.container)
        _ = try Container(parent: container).require(Account.self)
        var text = ""
        dump(Container(parent: container), to: &text)
        #expect(!text.contains("hunter"))
    }
}

@Suite("verify")
struct VerifyTests {
    let container = Container()

    final class Alpha {}
    final class Beta {}
    final class Gamma {}

    @Test("verify() throws all problems with their paths, and reports each cause once")
    func problems() async {
        container.register(Alpha.self, needs: Beta.self) { Alpha() }
        container.register(Beta.self, needs: Gamma.self) { Beta() }
        container.register(Int.self) { r in try r.require(Int.self, name: "x") }
        container.register(Int.self, name: "x") { r in try r.require(Int.self) }
        container.register(String.self) { _ in throw Failure("no") }
        container.register(Bool.self) { _ in true }
        let error = await #expect(throws: ConfigurationErrors.self) { try await container.verify() }
        #expect(
            error?.services.map(\.path) == [["Beta", "Gamma"], ["Int", "Int \"x\"", "Int"], ["String"]])
        #expect(
            error?.description == """
                The configuration has 3 problems:
                  Beta → Gamma         nothing is registered for Gamma. Register it in this container or a parent
                  Int → Int "x" → Int  Int needs itself. Let one of them take the other in initCompleted(_:), as a weak reference
                  String               the factory of String threw: no
                """)
    }

    @Test("verify() does not resolve registrations with runtime arguments")
    func arguments() async throws {
        container.register(Int.self) { (_, _: Int) in throw Failure("no") }
        try await container.verify()
    }

    @Test("verify() builds a service that is on demand only for others")
    func leftOut() async throws {
        let counter = Counter()
        container.register(Shared.self) { _ in Shared(counter.increment()) }.inObjectScope(.container)
            .onDemand()
        try await container.verify()
        #expect(counter.count == 0)
        container.register(Alpha.self, needs: Shared.self) { Alpha() }
        try await container.verify()
        #expect(counter.count == 1)
    }

    @Test("Neither start() nor verify() builds a service that is on demand by a type that it implements")
    func leftOutByAnotherType() async throws {
        let counter = Counter()
        let entries = ["first", "second"].map { name in
            container.register(Shared.self, name: name) { _ in Shared(counter.increment()) }.inObjectScope(.container)
        }
        entries[0].onDemand().implements((any Sendable).self)
        entries[1].implements((any Sendable).self).onDemand()
        try await container.verify()
        try await container.start()
        #expect(counter.count == 0)
        #expect(container.resolve((any Sendable).self) is Shared)
    }

    @Test("verify() reports two problems of one service if their reasons differ, sorted by their paths")
    func reasons() async {
        container.register(Shared.self) { _ in Shared() }.onClose { _ in }
        container.register(Alpha.self) { r in
            _ = try r.require(Shared.self, arguments: 1)
            return Alpha()
        }
        container.register(Beta.self) { _ in Beta() }.onClose { _ in }
        let problems = await serviceProblems(of: container)
        #expect(problems.map(\.reason) == [.wrongArguments, .neverClosed, .neverClosed])
        #expect(problems.map(\.path) == [["Alpha", "Shared"], ["Beta"], ["Shared"]])
    }

    @Test("verify() also runs completions and resolves the types of implements")
    func completions() async {
        container.register(Alpha.self) { _ in Alpha() }.initCompleted { r, _ in _ = try r.require(Gamma.self) }
        container.register(Cat.self) { _ in Cat() }.implements((any Animal).self, Beta.self)
        let problems = await serviceProblems(of: container)
        #expect(problems.map(\.reason) == [.notRegistered, .wrongType])
        #expect(problems.first?.path == ["Alpha", "Gamma"])
        #expect(problems.last?.description.contains("the instance of Cat does not have the type Beta") == true)
    }
}
