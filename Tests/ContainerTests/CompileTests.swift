import TestSupport
import Testing

/// A snippet that must not compile, a text that the compiler's error must contain, and a similar snippet that must
/// compile.
struct Twins: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let wrong: String
    let says: String
    let right: String
}

private let types = """
    final class Loose { var number = 0 }
    final class Firm: Sendable {}
    @MainActor final class Screen { init() {} }
    actor Keeper {
        let loose: Loose
        init(_ loose: sending Loose) { self.loose = loose }
    }

    """

let twins: [Twins] = [
    Twins(
        testDescription: "A shared scope requires a Sendable service, or unchecked:, and .graph does not",
        wrong: """
            extension SharedScope { static let mine = SharedScope("mine") }
            func f(_ c: Container) { c.register(Loose.self) { _ in Loose() }.inObjectScope(.mine) }
            """,
        says: "Sendable",
        right: """
            func f(_ c: Container) {
                c.register(Firm.self) { _ in Firm() }.inObjectScope(.container)
                c.register(Loose.self) { _ in Loose() }.inObjectScope(unchecked: .weak)
                c.register(Loose.self) { _ in Loose() }.inObjectScope(.graph)
            }
            """),
    Twins(
        testDescription: "Singleton requires Sendable services",
        wrong: """
            import DeclarativeContainer
            func f() -> Container { Container { Singleton { Service { _ in Loose() } } } }
            """,
        says: "Sendable",
        right: """
            import DeclarativeContainer
            func f() -> Container {
                Container {
                    Prototype { Service { _ in Loose() } }
                    Session { Service(unchecked: Loose.self) { _ in Loose() } }
                }
            }
            """),
    Twins(
        testDescription: "Singleton refuses a list that was made for Prototype",
        wrong: """
            import DeclarativeContainer
            @ServiceBuilder<Prototype> func list() -> ServiceList<Prototype> { Service { _ in Loose() } }
            func f() -> Singleton { Singleton { return list() } }
            """,
        says: "cannot use explicit 'return'",
        right: """
            import DeclarativeContainer
            @ServiceBuilder<SharedScope> func list() -> ServiceList<SharedScope> { Service { _ in Firm() } }
            func f() -> Singleton { Singleton { return list() } }
            """),
    Twins(
        testDescription: "Session refuses a function that was made for Prototype",
        wrong: """
            import DeclarativeContainer
            @ServiceBuilder<Prototype> func list() -> ServiceList<Prototype> { Service { _ in Loose() } }
            func f() -> [Any] { [Singleton(list), Session(list)] }
            """,
        says: "expected argument type '() -> ServiceList<SharedScope>'",
        right: """
            import DeclarativeContainer
            @ServiceBuilder<SharedScope> func list() -> ServiceList<SharedScope> { Service { _ in Firm() } }
            func f() -> [Any] { [Singleton(list), Session(list)] }
            """),
    Twins(
        testDescription: "A handler of failures cannot throw, but it can resolve",
        wrong: "func f(_ c: Container) { c.onFailure { _ in _ = try c.require(Firm.self) } }",
        says: "throwing function",
        right: "func f(_ c: Container) { c.onFailure { _ in _ = c.resolve(Firm.self) } }"),
    Twins(
        testDescription: "A closure of onReplace cannot throw, but it can resolve",
        wrong:
            "func f(_ e: RegistrationEntry<Firm>, _ c: Container) { e.onReplace { _ in _ = try c.require(Firm.self) } }",
        says: "throwing function",
        right: "func f(_ e: RegistrationEntry<Firm>, _ c: Container) { e.onReplace { _ in _ = c.resolve(Firm.self) } }"),
    Twins(
        testDescription: "A deinit cannot throw, but it can resolve",
        wrong: "final class Last { let c = Container(); deinit { _ = try c.require(Firm.self) } }",
        says: "errors thrown from here are not handled",
        right: "final class Last { let c = Container(); deinit { _ = c.resolve(Firm.self) } }"),
    Twins(
        testDescription: "A task cannot capture a resolver, but it can capture the container",
        wrong:
            "func f(_ c: Container) { c.register(Firm.self) { r in Task { _ = r.resolve(Loose.self) }; return Firm() } }",
        says: "data race",
        right:
            "func f(_ c: Container) { c.register(Firm.self) { _ in Task { _ = c.resolve(Loose.self) }; return Firm() } }"
    ),
    Twins(
        testDescription: "An instance from a resolver cannot be sent to an actor, but one from a container can",
        wrong: """
            func f(_ c: Container) {
                c.register(Keeper.self) { r in Keeper(try r.require(Loose.self)) }
            }
            """,
        says: "sending",
        right: """
            func f(_ c: Container) {
                c.register(Keeper.self) { _ in Keeper(try c.require(Loose.self)) }
            }
            """),
    Twins(
        testDescription: "Arguments of a container's resolve must be Sendable",
        wrong: "func f(_ c: Container, _ loose: Loose) -> Loose? { c.resolve(Loose.self, arguments: loose) }",
        says: "Sendable",
        right: "func f(_ c: Container, _ loose: Int) -> Loose? { c.resolve(Loose.self, arguments: loose) }"),
    Twins(
        testDescription: "A factory can capture only Sendable values",
        wrong: "func f(_ c: Container) { let loose = Loose(); c.register(Loose.self) { _ in loose } }",
        says: "@Sendable",
        right: "func f(_ c: Container) { let firm = Firm(); c.register(Firm.self) { _ in firm } }"),
    Twins(
        testDescription: "A class with an injected property cannot be Sendable",
        wrong: """
            import DeclarativeContainer
            final class Controller: Sendable { @Inject var firm: Firm }
            """,
        says: "Sendable",
        right: """
            import DeclarativeContainer
            final class Controller { @Inject var firm: Firm }
            """),
    Twins(
        testDescription: "A factory can create a main-actor service only inside MainActor.assumeIsolated",
        wrong: "func f(_ c: Container) { c.register(Screen.self) { _ in Screen() }.inObjectScope(.container) }",
        says: "main actor",
        right: """
            func f(_ c: Container) {
                c.register(Screen.self) { _ in MainActor.assumeIsolated { Screen() } }.inObjectScope(.container)
            }
            """),
]

private let asyncTwins: [Twins] = [
    Twins(
        testDescription: "An asynchronous factory cannot be isolated to an actor, but it can await what is",
        wrong: "func f(_ c: Container) { c.register(Screen.self) { @MainActor r async throws in Screen() } }",
        says: "crossing of an isolation boundary",
        right: "func f(_ c: Container) { c.register(Screen.self) { r async throws in await Screen() } }"),
    Twins(
        testDescription: "Arguments of a resolver's resolve must be Sendable, because a shared service may keep them",
        wrong: "func f(_ c: Container) { c.register(Firm.self) { r in r.resolve(Firm.self, arguments: Loose())! } }",
        says: "'Loose' does not conform to the 'Sendable' protocol",
        right: "func f(_ c: Container) { c.register(Firm.self) { r in r.resolve(Firm.self, arguments: 1)! } }"),
    Twins(
        testDescription: "Two child tasks cannot use an asynchronous resolver at once, but they can use the container",
        wrong: """
            func f(_ c: Container) {
                c.register(Firm.self) { r async throws in
                    async let one = r.require(Firm.self, name: "1")
                    async let other = r.require(Firm.self, name: "2")
                    return try await [one, other][0]
                }
            }
            """,
        says: "data race",
        right: """
            func f(_ c: Container) {
                c.register(Firm.self) { r async throws in
                    async let one = c.require(async: Firm.self, name: "1")
                    async let other = c.require(async: Firm.self, name: "2")
                    return try await [one, other][0]
                }
            }
            """),
    Twins(
        testDescription:
            "An instance from an asynchronous resolver cannot be sent to an actor, but one from a container can",
        wrong: "func f(_ c: Container) { c.register(Keeper.self) { r in Keeper(try await r.require(Loose.self)) } }",
        says: "sending",
        right:
            "func f(_ c: Container) { c.register(Keeper.self) { r in Keeper(try await c.require(async: Loose.self)) } }"
    ),
]

/// What the compiler says about mistakes that are common, above all in code for Swinject.
private let mistakes: [Twins] = [
    Twins(
        testDescription: "A Lazy is Sendable only if its service is",
        wrong: "final class Owner: Sendable { let it: Lazy<Loose>; init(_ it: Lazy<Loose>) { self.it = it } }",
        says: "contains non-Sendable type 'Loose'",
        right: """
            final class Owner: Sendable { let it: Lazy<Firm>; init(_ it: Lazy<Firm>) { self.it = it } }
            func f(_ c: Container) -> Firm? { c.resolve(Lazy<Firm>.self)?.instance }
            """),
    Twins(
        testDescription: "A Provider is Sendable only if its service is",
        wrong: "final class Owner: Sendable { let it: Provider<Loose>; init(_ it: Provider<Loose>) { self.it = it } }",
        says: "contains non-Sendable type 'Loose'",
        right: "final class Owner: Sendable { let it: Provider<Firm>; init(_ it: Provider<Firm>) { self.it = it } }"),
    Twins(
        testDescription: "A container is set up after its creation",
        wrong: "func f() -> Container { Container { $0.register(Firm.self) { _ in Firm() } } }",
        says: "'init(_:)' is unavailable: Create the container with Container(), and then register its services",
        right: "func f(_ c: Container = Container()) { c.register(Firm.self) { _ in Firm() } }"),
    Twins(
        testDescription: "An initializer that is isolated to the main actor needs a factory",
        wrong: "func f(_ c: Container) { c.register(using: Screen.init, as: Screen.self) }",
        says: "loses global actor 'MainActor'",
        right: "func f(_ c: Container) { c.register(Screen.self) { _ in await Screen() } }"),
]

@Suite("Code that must not compile, and similar code that must")
struct CompileTests {
    @Test("The tables have 21 pairs and 8 typos")
    func count() {
        #expect(twins.count + asyncTwins.count + mistakes.count == 21)
        #expect(typos.count == 8)
    }

    /// An import on the first line of the snippet changes the number of no line.
    @Test(
        "The first error about a typo in a factory names it, at its line, also beside the names of Swinject",
        arguments: typos, ["", "import ContainerMigration; "])
    func typo(_ typo: Typo, _ imports: String) async throws {
        let outcome = try await Compiler.compile(imports + Typo.types + typo.factory)
        let first = try #require(outcome.lines("error").first)
        #expect(first.contains("Snippet.swift:\(typo.line):") && first.contains(typo.says), "\(outcome.messages)")
    }

    @Test("The compiler rejects the wrong code and accepts the right code", arguments: twins + asyncTwins + mistakes)
    func compiles(_ twins: Twins) async throws {
        let wrong = try await Compiler.compile(types + twins.wrong)
        #expect(!wrong.compiles && wrong.messages.contains(twins.says), "\(wrong.messages)")
        #expect(!wrong.messages.contains("failed to produce diagnostic") && !wrong.messages.contains("each Rest"))
        let right = try await Compiler.compile(types + twins.right)
        #expect(right.compiles, "\(right.messages)")
    }

    @Test("A cast of a resolver to Container, as in code for Swinject, compiles with a warning that it always fails")
    func cast() async throws {
        let cast = try await Compiler.compile(
            types + "func f(_ c: Container) { c.register(Loose.self) { r in (r as! Container).resolve(Loose.self)! } }")
        #expect(cast.compiles)
        #expect(cast.messages.contains("cast from 'Resolver' to unrelated type 'Container' always fails"))
    }
}
