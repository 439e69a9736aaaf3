import PropertyLoadersEssentials
import Synchronization
import Testing

@Suite("Changes in a Swift value that is loaded again")
struct StructChangeTests {
    typealias Transform = @Sendable (Int) -> Int

    struct Server: Sendable {
        var host = "a"
        var ports = [1, 2]
        var transform: Transform = { $0 }
        var tags: [String: [Transform]] = ["t": [{ $0 }]]
        var backup: Backup? = Backup()
        var mode = Mode.custom(limit: 1) { $0 }
        var type: Any.Type = Int.self
    }

    struct Backup: Sendable { var host = "b", transform: Transform = { $0 } }

    enum Mode: Sendable {
        case off, on
        case custom(limit: Int, Transform)
        case other(limit: Int, Transform)
    }

    final class Node {
        let name: String
        var next: Node?
        init(_ name: String, next: Node? = nil) { (self.name, self.next) = (name, next) }
    }

    class Base { var inherited = 1 }
    final class Derived: Base { var own = 1 }

    struct Shown: CustomReflectable {
        var password = "a"
        var customMirror: Mirror { Mirror(self, children: ["password": "masked"]) }
    }

    actor Worker {}

    /// Returns the layer of the next value at each load.
    private final class Rounds: PropertyLoader {
        private let layers: Mutex<ArraySlice<PropertyLayer>>

        init(_ values: [Any]) throws {
            layers = Mutex(
                try values.map { try StructPropertyLoader(unchecked: ["x": $0] as [String: Any], name: "x").load() }[
                    ...])
        }

        func load() throws -> PropertyLayer { layers.withLock { $0.removeFirst() } }
    }

    /// Returns whether a reload from the first value to the second is reported as a change.
    private func isChange(_ old: Any, _ new: Any) async throws -> Bool {
        let store = PropertyStore()
        try store.apply(Rounds([old, new]))
        var changes = store.changes().makeAsyncIterator()
        try store.reload()
        // This change is always reported, so that the test never waits for a change that does not come.
        try store.apply(StructPropertyLoader(["end": 1]))
        return try #require(await changes.next()).contains { $0.name.hasPrefix("x") }
    }

    @Test("Closures never count as a change, not even in arrays, dictionaries, optionals and enums")
    func closures() async throws {
        let transform: Transform = { $0 }
        #expect(try await !isChange(Server(), Server()))
        #expect(try await !isChange([Server()], [Server()]))
        #expect(try await !isChange([transform], [transform]))
        #expect(try await !isChange(["a": transform], ["a": transform]))
        #expect(try await !isChange([1: Server(), 2: Server()], [2: Server(), 1: Server()]))
        #expect(try await !isChange([Server?.none, Server()], [Server?.none, Server()]))
        #expect(try await !isChange(Mode.custom(limit: 1, transform), Mode.custom(limit: 1, transform)))
        #expect(try await !isChange([Mode.off, .on], [Mode.off, .on]))
    }

    @Test("A value that is not Equatable has changed if any leaf of it differs")
    func leaves() async throws {
        let changes: [(inout Server) -> Void] = [
            { $0.host = "b" }, { $0.ports = [1] }, { $0.tags = [:] }, { $0.tags = ["u": [{ $0 }]] },
            { $0.backup = nil }, { $0.backup?.host = "c" }, { $0.mode = .off }, { $0.type = String.self },
            { $0.mode = .custom(limit: 2) { $0 } }, { $0.mode = .other(limit: 1) { $0 } },
        ]
        for (index, change) in changes.enumerated() {
            var server = Server()
            change(&server)
            #expect(try await isChange([Server()], [server]), "\(index)")
        }
        #expect(try await isChange([Mode.off], [Mode.on]))
        #expect(try await isChange([Server()], [Server(), Server()]))
        #expect(try await isChange([Server()], [Backup()]))
        #expect(try await isChange([1: Server()], [2: Server()]))
    }

    @Test("Instances of classes are compared by their properties, including inherited ones")
    func classes() async throws {
        let other = Derived(), inherited = Derived(), worker = Worker()
        other.own = 2
        inherited.inherited = 2
        #expect(try await !isChange([Derived()], [Derived()]))
        #expect(try await isChange([Derived()], [other]))
        #expect(try await isChange([Derived()], [inherited]))
        #expect(try await !isChange([worker], [worker]))
        #expect(try await isChange([worker], [Worker()]))
    }

    @Test("A type with a custom mirror is compared if it is Equatable; otherwise it always counts as a change")
    func customMirrors() async throws {
        #expect(try await isChange([Shown()], [Shown()]))
        #expect(try await isChange([Shown()], [Shown(password: "b")]))
    }

    @Test("Comparisons of cyclic instances, and of values that are shared at each level, come to an end")
    func endless() async throws {
        let one = Node("a"), other = Node("a")
        one.next = Node("b", next: one)
        other.next = Node("b", next: other)
        defer { (one.next, other.next) = (nil, nil) }
        #expect(try await !isChange([one], [other]))
        other.next?.next = Node("c")
        #expect(try await isChange([one], [other]))
        struct Level: Sendable { var inner: [Level] = [], transform: Transform = { $0 } }
        var shared = Level()
        for _ in 0..<20 { shared = Level(inner: [shared, shared]) }
        #expect(try await isChange([shared], [shared]))
    }

    @Test("A sequence of changes of a type that is not Equatable leaves out equal values")
    func typed() async throws {
        let store = PropertyStore()
        try store.apply(Rounds([[Server()], [Server()], [Server(host: "b")]]))
        var changes = store.changes(of: "x", as: [Server].self).makeAsyncIterator()
        try store.reload()
        try store.reload()
        let change = try #require(await changes.next())
        #expect(change.old?.map(\.host) == ["a"])
        #expect(change.new?.map(\.host) == ["b"])
    }
}
