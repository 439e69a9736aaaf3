import Container
import Synchronization
import Testing

@Suite("Release of replaced and removed registrations")
struct ReleaseTests {
    /// Counts its living instances.
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

    @Test("200,000 registrations of one key keep at most 32 former ones alive")
    func registerAgain() {
        let container = Container(), alive = Count()
        for number in 0..<200_000 {
            register(container, alive)
            if number % 1_000 == 0 { #expect(alive.now <= 33) }
        }
        #expect(container.resolve(Shared.self) != nil)
        #expect(alive.now <= 33)
        container.removeAll()
        #expect(alive.now == 0)
    }

    @Test("removeAll() releases what factories have captured, even their own container")
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

    @Test("A container that ends releases its registrations and instances")
    func end() {
        let alive = Count()
        do {
            let container = Container()
            for _ in 0..<10 { register(container, alive) }
            container.register(Captured.self) { _ in Captured(alive) }.inObjectScope(.container)
            #expect(container.resolve(Captured.self) != nil)
        }
        #expect(alive.now == 0)
    }

    @Test("A registration that is replaced with its instance releases the instance at once")
    func instance() {
        let container = Container(), alive = Count()
        container.register(Captured.self) { _ in Captured(alive) }.inObjectScope(.container)
        #expect(container.resolve(Captured.self) != nil)
        container.register(Captured.self) { _ in Captured(alive) }.inObjectScope(.container)
        #expect(alive.now == 0)
    }

    @Test("A weak scope that makes its instance again and again does not grow")
    func weak() {
        let container = Container(), alive = Count()
        container.register(Captured.self) { _ in Captured(alive) }.inObjectScope(.weak)
        for _ in 0..<1_000 { #expect(container.resolve(Captured.self) != nil) }
        #expect(alive.now == 0)
    }

    @Test("Registrations are replaced and removed while threads resolve them")
    func race() {
        let container = Container(), alive = Count()
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

    /// A value with memory of its own.
    private struct Text: Sendable { let text: String }

    @Test("A boxed service of a temporary container is whole")
    func temporary() {
        for number in 0..<2_000 {
            let text = temporary(number).resolve(Text.self)?.text
            #expect(text == "long enough to have memory of its own: \(number)")
        }
    }

    /// A container that only its caller has, with the instance made.
    @inline(never)
    private func temporary(_ number: Int) -> Container {
        let container = Container()
        container.register(Text.self) { _ in Text(text: "long enough to have memory of its own: \(number)") }
            .inObjectScope(.container)
        _ = container.resolve(Text.self)
        return container
    }
}
