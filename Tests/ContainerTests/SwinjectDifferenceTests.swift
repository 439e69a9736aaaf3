import Container
import Synchronization
import Testing

@Suite("Differences to Swinject that compile")
struct SwinjectDifferenceTests {
    private struct Stamp: Equatable { let number: Int }
    private struct Pair { let one: Stamp, other: Stamp }
    private final class Store: Sendable {}

    private let container = Container()

    @Test("A value type in the default scope is built once in a graph")
    func values() throws {
        let built = Mutex(0)
        container.register(Stamp.self) { _ in
            Stamp(
                number: built.withLock {
                    $0 += 1; return $0
                })
        }
        container.register(Pair.self) { r in Pair(one: try r.require(Stamp.self), other: try r.require(Stamp.self)) }
        let pair = try container.require(Pair.self)
        #expect(pair.one == pair.other)
        #expect(built.withLock { $0 } == 1)
    }

    @Test("A change of the scope of an entry drops the instance that exists")
    func entries() throws {
        let entry = container.register(Store.self) { _ in Store() }
        entry.inObjectScope(.container)
        let former = try container.require(Store.self)
        #expect(try container.require(Store.self) === former)
        entry.inObjectScope(.container)
        #expect(try container.require(Store.self) !== former)
    }
}
