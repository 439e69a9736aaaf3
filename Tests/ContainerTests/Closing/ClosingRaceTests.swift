import Container
import Dispatch
import Foundation
import TestSupport
import Testing

@Suite("Closing while other threads resolve")
struct ClosingRaceTests {
    /// Counts how often an instance is made and closed.
    final class Tally: Sendable {
        let (made, closed) = (Counter(), Counter())
        /// Whether the test checks that an instance is closed before the one that it was built from. A reset may close
        /// the latter while the former is under construction.
        let isOrdered: Bool
        init(isOrdered: Bool = true) { self.isOrdered = isOrdered }
    }

    final class Resource: Sendable {
        let tally: Tally
        let closings = Counter()
        let base: Resource?
        init(_ tally: Tally, on base: Resource? = nil) {
            (self.tally, self.base) = (tally, base)
            tally.made.increment()
        }
        func shutDown() {
            #expect(closings.increment() == 1)
            if tally.isOrdered { #expect(base?.closings.count ?? 0 == 0) }
            tally.closed.increment()
        }
    }

    /// Registers a chain of services that need the previous service. Every other service is closed asynchronously.
    private static func register(_ count: Int, in container: Container, _ scope: SharedScope, _ tally: Tally) {
        for number in 0..<count {
            let entry = container.register(Resource.self, name: "\(number)") { r in
                Resource(tally, on: number == 0 ? nil : try r.require(Resource.self, name: "\(number - 1)"))
            }.inObjectScope(scope)
            if number % 3 == 0 { entry.initCompleted { _, _ in } }
            if number % 2 == 0 {
                entry.onClose { $0.shutDown() }
            } else {
                entry.onClose { resource in
                    await Task.yield()
                    resource.shutDown()
                }
            }
        }
    }

    /// Closes a container and blocks the calling thread meanwhile. The timeout is long, because other tests may occupy
    /// the threads that run tasks.
    private static func close(_ container: Container, timeout: Duration = .seconds(600)) -> [ResolutionError] {
        let (ended, results) = (DispatchSemaphore(value: 0), Results<[ResolutionError]>())
        Task {
            let errors = await container.close(timeout: timeout)
            results.add(errors)
            ended.signal()
        }
        ended.wait()
        return results.all.first ?? []
    }

    fileprivate static let rounds = LongRun.rounds(60)

    @Test("Each instance is closed exactly once, whatever threads resolve when close begins, and later resolves throw")
    func resolving() async {
        await offPool {
            for round in 0..<Self.rounds { Self.resolve(round) }
        }
    }

    private static func resolve(_ round: Int) {
        let (container, tally) = (Container(), Tally())
        register(8, in: container, .container, tally)
        container.onFailure { _ in }
        let outcomes = onThreads(4) { thread -> Bool in
            if thread == 0 {
                for _ in 0..<round % 7 { sched_yield() }
                return close(container).isEmpty
            }
            return (0..<40).allSatisfy { number in
                let error = failure { _ = try container.require(Resource.self, name: "\((number * thread) % 8)") }
                return error == nil || error?.reason == .closed
            }
        }
        #expect(outcomes == [true, true, true, true])
        #expect(tally.made.count == tally.closed.count)
        #expect(failure { _ = try container.require(Resource.self, name: "0") }?.reason == .closed)
    }

    @Test("Resets, resolves and close may run at the same time")
    func resetting() async {
        // In a process of its own, because the hooks of a reset have ten seconds, and other tests may occupy the
        // threads that run tasks for longer.
        await #expect(processExitsWith: .success) {
            await offPool {
                for _ in 0..<ClosingRaceTests.rounds { ClosingRaceTests.reset() }
            }
        }
    }

    fileprivate static func reset() {
        let (container, tally) = (Container(), Tally(isOrdered: false))
        register(4, in: container, .session, tally)
        container.onFailure { _ in }
        _ = onThreads(4) { thread in
            for number in 0..<30 {
                switch thread {
                case 0: container.resetSession()
                case 1 where number == 20: #expect(close(container).isEmpty)
                default: _ = container.resolve(Resource.self, name: "\(number % 4)")
                }
            }
        }
        #expect(tally.made.count == tally.closed.count)
    }

    @Test("close waits for a construction in progress, closes its instance, and the caller of resolve gets .closed")
    func construction() async {
        await offPool {
            let (container, tally) = (Container(), Tally())
            let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            container.register(Resource.self, name: "base") { _ in Resource(tally) }.inObjectScope(.container)
                .onClose { $0.shutDown() }
            container.register(Resource.self, name: "later") { _ in Resource(tally) }.inObjectScope(.container)
            container.register(Resource.self) { r in
                let base = try r.require(Resource.self, name: "base")
                begun.signal()
                go.wait()
                #expect(failure { _ = try r.require(Resource.self, name: "later") }?.reason == .closed)
                #expect(failure { _ = try r.require(Resource.self, name: "base") } == nil)
                return Resource(tally, on: base)
            }.inObjectScope(.container).onClose { $0.shutDown() }
            let asking = Running { failure { _ = try container.require(Resource.self) }?.reason }
            begun.wait()
            let closing = Running { Self.close(container) }
            while container.hasRegistration(of: Resource.self) { usleep(1_000) }
            #expect(tally.closed.count == 0)
            go.signal()
            #expect(asking.result() == .closed)
            #expect(closing.result(within: 600)?.isEmpty == true)
            #expect(tally.made.count == 2 && tally.closed.count == 2)
        }
    }

    @Test("Instances that become complete together after the deadline of close are closed in order")
    func completeAfterDeadline() async {
        let (container, log) = (Container(), Log())
        let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        container.onFailure { _ in }
        container.register(Int.self) { _ in 1 }.inObjectScope(.container)
            .initCompleted { _, _ in }.onClose { _ in log.write("base") }
        container.register(String.self) { r in "on \(try r.require(Int.self))" }.inObjectScope(.container)
            .initCompleted { _, _ in
                begun.signal()
                go.wait()
            }
            .onClose { _ in log.write("user") }
        let thread = Running { failure { _ = try container.require(String.self) }?.reason }
        await offPool { begun.wait() }
        #expect(await container.close(timeout: .zero).map(\.path) == [["Int"], ["String"]])
        go.signal()
        #expect(await offPool { thread.result() } == .closed)
        #expect(log.lines == ["user", "base"])
    }
}
