import Container
import Testing

extension SharedScope {
    fileprivate static let tenant = SharedScope("tenant")
}

@Suite("Scopes")
struct ScopeTests {
    let container = Container()

    /// Two persons, each with a pet, that one resolve has built.
    final class Pair {
        let one: Person
        let other: Person
        init(_ one: Person, _ other: Person) { (self.one, self.other) = (one, other) }
    }

    private func pair(_ scope: UnsharedScope) throws -> (Pair, Pair) {
        container.register((any Animal).self) { _ in Cat() }.inObjectScope(scope)
        container.register(Person.self) { r in Person(pet: try r.require((any Animal).self)) }.inObjectScope(.transient)
        container.register(Pair.self) { r in Pair(try r.require(Person.self), try r.require(Person.self)) }
        return (try container.require(Pair.self), try container.require(Pair.self))
    }

    @Test("Transient: a new instance for each resolve")
    func transient() throws {
        let (first, _) = try pair(.transient)
        #expect(first.one.pet !== first.other.pet)
    }

    @Test("Graph: one instance for each outermost resolve")
    func graph() throws {
        let (first, second) = try pair(.graph)
        #expect(first.one !== first.other)
        #expect(first.one.pet === first.other.pet)
        #expect(first.one.pet !== second.one.pet)
    }

    @Test("Container: a value type is also built only once")
    func sharedValue() {
        let counter = Counter()
        container.register(Int.self) { _ in counter.increment() }.inObjectScope(.container)
        #expect((0..<3).map { _ in container.resolve(Int.self) } == [1, 1, 1])
    }

    @Test("Weak: one instance as long as a caller keeps it alive")
    func weakly() {
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.weak)
        var held = container.resolve(Shared.self)
        #expect(held != nil && held === container.resolve(Shared.self))
        weak let gone = held
        held = nil
        #expect(gone == nil)
        #expect(container.resolve(Shared.self) != nil)
    }

    protocol Reading: AnyObject, Sendable {}
    final class Gauge: Reading {}

    @Test("Weak: an object that is registered for a protocol is also shared")
    func weakProtocol() {
        container.register((any Reading).self) { _ in Gauge() }.inObjectScope(.weak)
        let held = container.resolve((any Reading).self)
        #expect(held != nil && held === container.resolve((any Reading).self))
    }

    @Test("Weak: a value type is built for each resolve")
    func weakValue() {
        let counter = Counter()
        container.register(Int.self) { _ in counter.increment() }.inObjectScope(.weak)
        #expect((0..<3).map { _ in container.resolve(Int.self) } == [1, 2, 3])
    }

    @Test("A reset of a user's scope affects only that scope, and a child can reset it")
    func customScope() {
        container.register(Shared.self) { _ in Shared() }.inObjectScope(.tenant)
        container.register(Shared.self, name: "other") { _ in Shared() }.inObjectScope(.container)
        let (mine, other) = (container.resolve(Shared.self), container.resolve(Shared.self, name: "other"))
        #expect(mine === container.resolve(Shared.self))
        container.reset(.session)
        #expect(mine === container.resolve(Shared.self))
        Container(parent: container).reset(.tenant)
        #expect(mine !== container.resolve(Shared.self))
        #expect(other === container.resolve(Shared.self, name: "other"))
    }
}
