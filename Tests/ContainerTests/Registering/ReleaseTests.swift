import Container
import Synchronization
import Testing

@Suite("Release of replaced and removed registrations")
struct ReleaseTests {
    /// Counts the instances that are alive.
    private final class Captured: Sendable {
        let alive: Count
        init(_ alive: Count) {
            self.alive = alive
            alive.number.add(1, ordering: .relaxed)
        }
        deinit { alive.number.subtract(1, ordering: .relaxed) }
    }

    private final class Count: Sendable {
        let number = Atomic(0)
        var now: Int { number.load(ordering: .relaxed) }
    }

    private func register(_ container: Container, _ alive: Count) {
        let captured = Captured(alive)
        container.register(Shared.self) { _ in withExtendedLifetime(captured) { Shared() } }.inObjectScope(.container)
    }

    @Test("A replaced registration is released at once")
    func registerAgain() {
        let container = Container(), alive = Count()
        for number in 0..<5_000 {
            register(container, alive)
            if number % 1_000 == 0 { #expect(alive.now <= 1) }
        }
        #expect(container.resolve(Shared.self) != nil)
        #expect(alive.now <= 1)
        container.removeAll()
        #expect(alive.now == 0)
    }

    @Test("removeAll() releases the objects that factories captured, even if that is the container itself")
    func removeAll() {
        let alive = Count()
        weak var former: Container?
        do {
            let container = Container()
            former = container
            register(container, alive)
            container.register(Captured.self) { _ in
                withExtendedLifetime(container) { Captured(alive) }
            }.inObjectScope(.container)
            #expect(container.resolve(Captured.self) != nil)
            #expect(alive.now == 2)
            container.removeAll()
            #expect(alive.now == 0)
        }
        #expect(former == nil)
    }

    @Test("Registrations can be replaced and removed while threads resolve them")
    func race() {
        let container = Container(), alive = Count()
        container.onFailure { _ in }
        let found = onThreads(4) { thread in
            (0..<2_000).allSatisfy { number in
                if thread == 0 {
                    register(container, alive)
                    if number % 50 == 0 { container.removeAll() }
                }
                let shared = container.resolve(Shared.self)
                return shared == nil || shared?.number == 0
            }
        }
        #expect(found == [true, true, true, true])
        container.removeAll()
        #expect(alive.now == 0)
    }
}
