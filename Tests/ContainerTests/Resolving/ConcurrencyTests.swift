import Container
import Foundation
import Synchronization
import Testing

@Suite("Threads", .hangLimit)
struct ConcurrencyTests {
    final class A: Sendable {
        let b: B?
        init(_ b: B? = nil) { self.b = b }
    }
    final class B: Sendable {
        let a: A?
        init(_ a: A? = nil) { self.a = a }
    }

    @Test(
        "64 threads that resolve one shared service get the same instance, which is built once",
        arguments: [SharedScope.container, .session, .weak])
    func exactlyOnce(scope: SharedScope) {
        let (container, counter) = (Container(), Counter())
        container.register(Shared.self) { _ in
            usleep(2_000)
            return Shared(counter.increment())
        }.inObjectScope(scope)
        let instances = onThreads(64) { _ in container.resolve(Shared.self) }
        #expect(instances.count == 64)
        #expect(instances.allSatisfy { $0 != nil && $0 === instances[0] })
        #expect(counter.count == 1)
    }

    @Test("If both factories accept a nil, two threads in a cycle get their services, each built once")
    func raceThatGoesOn() {
        let rounds = Rounds(10_000, threads: 2)
        let (madeA, madeB) = (Counter(), Counter())
        let containers = (0..<10_000).map { _ in
            let container = Container()
            container.onFailure { _ in }
            container.register(A.self) { r in
                madeA.increment()
                return A(r.resolve(B.self))
            }.inObjectScope(.container)
            container.register(B.self) { r in
                madeB.increment()
                return B(r.resolve(A.self))
            }.inObjectScope(.container)
            return container
        }
        let results = onThreads(2) { index in
            rounds.map { round in
                return index == 0 ? containers[round].resolve(A.self) != nil : containers[round].resolve(B.self) != nil
            }
        }
        #expect(results.count == 2 && results.joined().allSatisfy { $0 })
        #expect((madeA.count, madeB.count) == (results[0].count, results[0].count))
    }

    /// Detects a use after its deinit.
    final class Canary: Sendable {
        private let life = Atomic(1)
        var isAlive: Bool { life.load(ordering: .sequentiallyConsistent) == 1 }
        deinit { life.store(0, ordering: .sequentiallyConsistent) }
    }

    @Test("No thread gets a released instance while another one resets the scope")
    func resetRace() {
        let container = Container()
        container.register(Canary.self) { _ in Canary() }.inObjectScope(.session).implements(AnyObject.self)
        let stop = Atomic(false)
        let alive = onThreads(4) { index in
            if index == 0 {
                for _ in 0..<20_000 { container.resetSession() }
                stop.store(true, ordering: .releasing)
                return true
            }
            var alive = true
            while !stop.load(ordering: .acquiring) {
                let canary = index == 1 ? container.resolve(AnyObject.self) as? Canary : container.resolve(Canary.self)
                alive = alive && canary?.isAlive == true
            }
            return alive
        }
        #expect(alive == [true, true, true, true])
    }

    @Test("No thread gets a released instance of the weak scope")
    func weakRace() {
        let (container, made) = (Container(), Counter())
        container.register(Canary.self) { _ in
            made.increment()
            return Canary()
        }.inObjectScope(.weak).implements(AnyObject.self)
        let alive = onThreads(4) { index in
            (0..<20_000).allSatisfy { _ in
                let canary = index == 1 ? container.resolve(AnyObject.self) as? Canary : container.resolve(Canary.self)
                return canary?.isAlive == true
            }
        }
        #expect(alive == [true, true, true, true])
        #expect(made.count > 1)
    }

    /// Resets a container in its deinit, which locks the monitor. This would be a deadlock if the monitor were held.
    private final class Resetting: Sendable {
        private let container = Container()
        deinit { container.reset(.session) }
    }

    @Test("When threads change an entry, objects that its closures captured are released outside the lock")
    func changeRace() {
        let rounds = Rounds(3_000, threads: 3)
        let entries = (0..<3_000).map { _ in
            let container = Container()
            defer { container.removeAll() }
            return container.register(Int.self) { _ in 1 }
        }
        let threads = Running {
            onThreads(3) { _ in
                rounds.map { round in
                    let captured = Resetting()
                    entries[round].initCompleted { _, _ in withExtendedLifetime(captured) {} }
                }.count
            }
        }
        #expect(threads.result(within: 600)?.allSatisfy { $0 >= Rounds.minimum } == true)
    }

    private class Base: @unchecked Sendable {
        // @unchecked: a class that is not final cannot be checked. All its properties are immutable and Sendable.
        private let gone: Counter
        private let mark = 0x1234_5678
        var isAlive: Bool { mark == 0x1234_5678 }
        init(_ made: Counter, _ gone: Counter) {
            self.gone = gone
            made.increment()
        }
        deinit { gone.increment() }
    }

    private final class Derived: Base, @unchecked Sendable {}
}
