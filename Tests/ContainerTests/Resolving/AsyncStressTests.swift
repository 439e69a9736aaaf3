import Container
import Foundation
import Testing

@Suite("Many tasks that resolve at once", .hangLimit)
struct AsyncStressTests {
    /// One of many services that need each other.
    final class Piece: Sendable {
        let index: Int
        let needs: [Piece]
        init(_ index: Int, _ needs: [Piece]) { (self.index, self.needs) = (index, needs) }
    }

    static let services = 64
    static let tasks = 1_000

    /// For each service, the services with lower numbers that it needs.
    static func needs(_ random: inout some RandomNumberGenerator) -> [[Int]] {
        (0..<services).map { index in
            // A synchronous service needs only synchronous ones.
            let others = (0..<index).filter { index % 3 != 0 || $0 % 3 == 0 }
            return Set((0..<3).compactMap { _ in others.randomElement(using: &random) }).sorted()
        }
    }

    /// A container of shared services, two of three asynchronous. One of four calls of a factory throws.
    func container(_ needs: [[Int]], _ made: [Counter]) -> Container {
        let container = Container()
        for (index, needs) in needs.enumerated() {
            let entry =
                index % 3 == 0
                ? container.register(Piece.self, name: "\(index)") { r in
                    let pieces = try needs.map { try r.require(Piece.self, name: "\($0)") }
                    if Int.random(in: 0..<4) == 0 { throw Failure("injected") }
                    made[index].increment()
                    return Piece(index, pieces)
                }
                : container.register(Piece.self, name: "\(index)") { r in
                    var pieces: [Piece] = []
                    for need in needs { pieces.append(try await r.require(Piece.self, name: "\(need)")) }
                    await Task.yield()
                    if Int.random(in: 0..<4) == 0 { throw Failure("injected") }
                    made[index].increment()
                    return Piece(index, pieces)
                }
            entry.inObjectScope(.container)
        }
        return container
    }

    /// Resolves a service until it succeeds, or until the task is cancelled.
    func resolve(_ index: Int, in container: Container) async -> Piece? {
        while true {
            do {
                return try await container.require(async: Piece.self, name: "\(index)")
            } catch {
                if Task.isCancelled { return nil }
                if error.reason != .factoryFailed || error.cause as? Failure != Failure("injected") {
                    Issue.record("\(error)")
                    return nil
                }
            }
        }
    }

    @Test("1,000 tasks, with failures and cancellations, build each of 64 services exactly once")
    func exactlyOnce() async {
        var random = SystemRandomNumberGenerator()
        let made = (0..<Self.services).map { _ in Counter() }
        let container = container(Self.needs(&random), made)
        let tasks = (0..<Self.tasks).map { number in
            let index = Int.random(in: 0..<Self.services, using: &random)
            let task = Task { (index, await resolve(index, in: container)) }
            return (task, isCancelled: number % 3 == 0)
        }
        for (task, isCancelled) in tasks where isCancelled {
            await Task.yield()
            task.cancel()
        }
        var pieces: [Int: Piece] = [:]
        for (task, isCancelled) in tasks {
            let (index, piece) = await task.value
            #expect(isCancelled || piece != nil)
            for piece in [piece].compactMap({ $0 }) + (piece?.needs ?? []) {
                #expect(pieces[piece.index, default: piece] === piece, "two instances of \(index)")
                pieces[piece.index] = piece
            }
        }
        for index in 0..<Self.services { #expect(await resolve(index, in: container)?.index == index) }
        #expect(made.map(\.count) == made.map { _ in 1 })
    }

    /// Registers a shared service and builds it on a new thread, which waits for a signal meanwhile. Returns the
    /// thread.
    func build(in container: Container, until end: DispatchSemaphore) async -> Running<Shared?> {
        let started = Counter()
        container.register(Shared.self) { _ in
            started.increment()
            end.wait()
            return Shared()
        }.inObjectScope(.container)
        let thread = Running { container.resolve(Shared.self) }
        await until { started.count == 1 }
        return thread
    }

    @Test("Tasks that wait for a thread block no thread of the pool")
    func suspends() async throws {
        let (container, end, ready) = (Container(), DispatchSemaphore(value: 0), Counter())
        let thread = await build(in: container, until: end)
        let tasks = (0..<100).map { _ in
            Task {
                ready.increment()
                return try await container.require(async: Shared.self)
            }
        }
        // A blocked pool would never run all of them.
        await until { ready.count == 100 }
        end.signal()
        let shared = thread.result() ?? nil
        for task in tasks { #expect(try await task.value === shared) }
    }
}
