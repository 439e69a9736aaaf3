import Container
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("What outlives a construction, and who counts as waiting for it", .hangLimit)
struct TaskLifeTests {
    /// Runs a task as long as it lives.
    final class Poller: Sendable {
        private let task: Task<Void, Never>
        private let released: Counter
        init(_ released: Counter, _ gate: Gate) {
            (task, self.released) = (Task { await gate.pass() }, released)
        }
        deinit { released.increment() }
    }

    @Test("A task that an asynchronous factory has started keeps neither the instance nor the container alive")
    func task() async throws {
        let (released, gate) = (Counter(), Gate())
        weak var left: Container?
        do {
            let container = Container()
            left = container
            container.register(Poller.self) { _ async in Poller(released, gate) }.inObjectScope(.session)
            _ = try await container.require(async: Poller.self)
            container.reset(.session)
            await container.closeSlowly()
        }
        #expect(await holds { released.count == 1 && left == nil })
        gate.open()
    }

    /// Stores the resolver that its factory gets.
    final class Keeper {
        let resolver: Any
        private let released: Counter
        init(_ resolver: Any, _ released: Counter) { (self.resolver, self.released) = (resolver, released) }
        deinit { released.increment() }
    }

    @Test("A service that stores its resolver is released", arguments: ["graph", "transient", "session", "async"])
    func resolver(_ kind: String) async throws {
        let released = Counter()
        weak var left: Container?
        do {
            let container = Container()
            left = container
            let entry =
                kind == "async"
                ? container.register(Keeper.self) { r async in Keeper(r, released) }
                : container.register(Keeper.self) { r in Keeper(r, released) }
            switch kind {
            case "transient": entry.inObjectScope(.transient)
            case "session", "async": entry.inObjectScope(unchecked: .session)
            default: break
            }
            _ = try await container.require(async: Keeper.self)
            container.resetSession()
            await container.closeSlowly()
        }
        #expect(released.count == 1)
        #expect(await holds { left == nil })
    }

    #if os(Linux)
        /// The memory of this process in pages.
        private static var pages: Int {
            let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
            let fields = text.split(separator: " ")
            return fields.count > 1 ? Int(fields[1]) ?? 0 : 0
        }

        @Test("What a shared factory takes or reads many times is recorded once")
        func recordedOnce() async {
            // AddressSanitizer keeps released memory, to find its use.
            if isSanitized { return }
            // In a process of its own, because other tests use memory meanwhile.
            await #expect(processExitsWith: .success) {
                let container = Container()
                container.register(Shared.self, name: "part") { _ in Shared() }.inObjectScope(.container)
                container.register(Shared.self) { r in
                    for _ in 0..<1000 { _ = try r.require(Shared.self, name: "part") }
                    let before = TaskLifeTests.pages
                    for _ in 0..<200_000 {
                        _ = try r.require(Shared.self, name: "part")
                        _ = r.property("number") as Int?
                    }
                    #expect(TaskLifeTests.pages - before < 500)
                    return Shared()
                }.inObjectScope(.container).followsSettings()
                _ = try container.require(Shared.self)
            }
        }
    #endif

    @Test("A task gets an asynchronous service that only its callers keep alive")
    func weak() async throws {
        let (container, calls) = (Container(), Counter())
        container.register(Shared.self) { _ async in Shared(calls.increment()) }.inObjectScope(.weak)
        #expect(try await container.require(async: Shared.self).number == 1)
        #expect(try await container.require(async: Shared.self).number == 2)
    }

    @Test("The first caller counts as waiting while the synchronous part of the factory runs")
    func firstCaller() async throws {
        let (container, calls, go) = (Container(), Counter(), DispatchSemaphore(value: 0))
        container.register(Shared.self) { _ async throws in
            calls.increment()
            Self.wait(go)
            await Task.yield()
            try Task.checkCancellation()
            return Shared()
        }.inObjectScope(.container)
        let first = Task.detached { try await container.require(async: Shared.self).number }
        await until { calls.count == 1 }
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        // It runs on this thread until it waits for the instance.
        let second = Task.immediate { try await container.require(async: Shared.self).number }
        second.cancel()
        await #expect(throws: ResolutionError.self) { try await second.value }
        go.signal()
        #expect(try await first.value == 0)
        #expect(calls.count == 1)
        await container.closeSlowly()
    }

    /// Blocks the thread of a task, as synchronous user code may.
    private static func wait(_ gate: DispatchSemaphore) { gate.wait() }

    @Test("Whatever is built while removeAll() runs is closed with the container")
    func removeAll() async {
        for _ in 0..<300 {
            let (container, made, closed) = (Container(), Counter(), Counter())
            container.onFailure { _ in }
            container.register(Shared.self) { _ in Shared(made.increment()) }.inObjectScope(.container)
                .onClose { _ in closed.increment() }
            _ = await offPool {
                onThreads(2) { thread in
                    if thread == 0 { container.removeAll() } else { _ = container.resolve(Shared.self) }
                }
            }
            await container.closeSlowly()
            #expect(made.count == closed.count)
        }
    }
}
