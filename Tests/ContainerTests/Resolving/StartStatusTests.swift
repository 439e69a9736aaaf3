import Container
import Foundation
import SharedState
import Testing

@Suite("The status of a start", .hangLimit)
struct StartStatusTests {
    private struct Database: Sendable {}
    private struct Server: Sendable {}
    private struct Cache: Sendable {}

    /// A clock that only the test moves.
    private final class Clock: Sendable {
        private let time = Guarded(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func advance(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private let container = Container(), clock = Clock()

    /// Starts the container in another task.
    private func start(_ sources: [any AsyncPropertyLoader] = []) -> Task<Void, any Error> {
        Task {
            try await StartProgress.$clock.withValue(.init { clock.now }) { try await container.start(sources) }
        }
    }

    private var lines: [String] {
        guard let status = container.status.start else { return [] }
        let state = !status.isInProgress ? "ended" : status.isLoaded ? "building" : "loading"
        return ["\(state) \(status.duration)"]
            + status.building.map { "\($0.service) \($0.duration) \($0.waitsFor.joined(separator: ", "))" }
            + status.built.map { "built \($0.service) \($0.duration)" }
    }

    @Test("It has the services under construction and what they wait for, and then their times")
    func asynchronous() async throws {
        let gate = Gate(), clock = clock
        container.register(Database.self) { _ async in
            await gate.pass()
            return Database()
        }.inObjectScope(.container).onDemand()
        container.register(Server.self) { (r: AsyncResolver) async throws in
            clock.advance(.seconds(1))
            _ = try await r.require(Database.self)
            clock.advance(.milliseconds(500))
            return Server()
        }.inObjectScope(.container)
        #expect(lines == [])
        let start = start()
        await until { gate.waiting == 1 }
        clock.advance(.seconds(2))
        #expect(lines == ["building 3.0 seconds", "Server 3.0 seconds Database", "Database 2.0 seconds "])
        gate.open()
        try await start.value
        let all = ["ended 3.5 seconds", "built Server 3.5 seconds", "built Database 2.0 seconds"]
        #expect(lines == all)
        // What is built later is not a part of the start.
        container.register(Cache.self) { _ in Cache() }.inObjectScope(.container)
        _ = try container.require(Cache.self)
        clock.advance(.seconds(9))
        #expect(lines == all)
        await container.close()
    }

    @Test("A thread that builds a service inside another, and a thread that waits for it, both wait")
    func threads() async throws {
        let gate = Gate(), isAsked = DispatchSemaphore(value: 0), canGo = DispatchSemaphore(value: 0)
        // The start goes on as long as the gate is closed. The threads are not those that run tasks.
        container.register(Int.self) { _ async in
            await gate.pass()
            return 1
        }.inObjectScope(.container)
        container.register(Database.self) { _ in
            isAsked.signal()
            canGo.wait()
            return Database()
        }.inObjectScope(.container).onDemand()
        container.register(Cache.self, needs: Database.self) { Cache() }.inObjectScope(.container).onDemand()
        container.register(Server.self, needs: Database.self) { Server() }.inObjectScope(.container).onDemand()
        let start = start(), ended = Counter()
        await until { gate.waiting == 1 }
        clock.advance(.seconds(1))
        Thread.detachNewThread { [container] in
            if container.resolve(Cache.self) != nil { ended.increment() }
        }
        Thread.detachNewThread { [container] in
            isAsked.wait()
            if container.resolve(Server.self) != nil { ended.increment() }
        }
        await until { container.status.start?.building.last?.waitsFor == ["Database"] && lines.count == 5 }
        clock.advance(.seconds(2))
        #expect(
            lines == [
                "building 3.0 seconds", "Int 3.0 seconds ", "Cache 2.0 seconds Database", "Database 2.0 seconds ",
                "Server 2.0 seconds Database",
            ])
        canGo.signal()
        await until { ended.count == 2 }
        gate.open()
        try await start.value
        #expect(
            lines == [
                "ended 3.0 seconds", "built Int 3.0 seconds", "built Cache 2.0 seconds", "built Database 2.0 seconds",
                "built Server 2.0 seconds",
            ])
        await container.close()
    }

    @Test("It says that the sources are being loaded, and ends with a start that fails")
    func loading() async throws {
        let gate = Gate()
        struct Source: AsyncPropertyLoader {
            let gate: Gate
            func load() async throws -> PropertyLayer {
                await gate.pass()
                return [:]
            }
        }
        container.register(Cache.self) { [clock] _ in
            clock.advance(.seconds(1))
            throw Failure("no memory")
        }.inObjectScope(.container)
        let start = start([Source(gate: gate)])
        await until { gate.waiting == 1 }
        clock.advance(.seconds(2))
        #expect(lines == ["loading 2.0 seconds"])
        gate.open()
        await #expect(throws: ConfigurationErrors.self) { try await start.value }
        #expect(lines == ["ended 3.0 seconds", "built Cache 1.0 seconds"])
    }
}
