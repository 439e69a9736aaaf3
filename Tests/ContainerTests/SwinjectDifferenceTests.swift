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

    #if DEBUG
        @Test("verify reports an object that a shared service and the service that takes both have got twice")
        func builtAgain() async throws {
            final class Clock {}
            final class Window {}
            let failures = Failures()
            failures.listen(to: container)
            container.register(Clock.self) { _ in Clock() }
            container.register(Stamp.self) { _ in Stamp(number: 1) }
            container.register(Store.self) { r in
                _ = try (r.require(Clock.self), r.require(Stamp.self))
                return Store()
            }.inObjectScope(.container).initCompleted { r, _ in _ = try r.require(Window.self) }
            container.register(Window.self, needs: Store.self) { Window() }
            container.register(Int.self) { r in
                _ = try (r.require(Store.self), r.require(Clock.self), r.require(Stamp.self))
                return 1
            }
            try await container.verify()
            let reason = "because a shared service begins a graph of its own"
            let remedy = "If both need the same one, as in Swinject, share it: inObjectScope(.container)"
            #expect(
                failures.all.map(\.description) == [
                    "Int → Store → Clock: Clock is another instance than that of Int → Clock, \(reason). \(remedy)",
                    "Window → Store → Window: Window is another instance than that of Window, \(reason). \(remedy)",
                ])
            failures.clear()
            container.register(Clock.self) { _ in Clock() }.inObjectScope(.transient)
            container.register(Window.self) { _ in Window() }
            try await container.verify()
            #expect(failures.all.isEmpty)
        }
    #endif

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
