import Container
import Testing

@Suite("Differences to Swinject that compile")
struct SwinjectDifferenceTests {
    private struct Stamp: Equatable { let number: Int }
    private final class Store: Sendable {}

    private let container = Container()

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
