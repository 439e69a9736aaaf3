import Container
import Foundation
import Synchronization
import TestSupport
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
        for _ in 0..<LongRun.rounds(300) {
            let (container, madeA, madeB) = (Container(), Counter(), Counter())
            container.onFailure { _ in }
            container.register(A.self) { r in
                madeA.increment()
                return A(r.resolve(B.self))
            }.inObjectScope(.container)
            container.register(B.self) { r in
                madeB.increment()
                return B(r.resolve(A.self))
            }.inObjectScope(.container)
            let found = onThreads(2) { $0 == 0 ? container.resolve(A.self) != nil : container.resolve(B.self) != nil }
            #expect(found == [true, true] && (madeA.count, madeB.count) == (1, 1))
        }
    }

    /// Detects a use after its deinit.
    final class Canary: Sendable {
        private let life = Atomic(1)
        var isAlive: Bool { life.load(ordering: .sequentiallyConsistent) == 1 }
        deinit { life.store(0, ordering: .sequentiallyConsistent) }
    }

    @Test(
        "No thread gets a released instance, while another one resets the scope or nobody else keeps the instance",
        arguments: [SharedScope.session, .weak])
    func releaseRace(scope: SharedScope) {
        let (container, made) = (Container(), Counter())
        container.register(Canary.self) { _ in
            made.increment()
            return Canary()
        }.inObjectScope(scope).implements(AnyObject.self)
        let alive = onThreads(4) { index in
            (0..<LongRun.rounds(5_000)).allSatisfy { _ in
                if index == 0 { container.reset(scope) }
                let canary = index == 1 ? container.resolve(AnyObject.self) as? Canary : container.resolve(Canary.self)
                return canary?.isAlive == true
            }
        }
        #expect(alive == [true, true, true, true])
        #expect(made.count > 1)
    }
}
