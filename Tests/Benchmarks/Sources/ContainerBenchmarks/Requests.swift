import Container
import Dispatch
import Measuring
import Synchronization

/// Measures child containers with five services of their own, as for a request.
///
/// The same five services are once in `.child`, and once in `.graph`, where nothing is shared.
struct Requests {
    private let childScope = Requests.parent { $0.inObjectScope(.child) }
    private let graphScope = Requests.parent { $0.inObjectScope(.graph) }
    private let mixed = Requests.mixedParent { _ in }
    private let hooked = Requests.mixedParent { $0.onClose { _ in } }

    private var graph = Measure("child with five services in .graph")
    private var child = Measure("child with five services in .child")
    private var closed = Measure("the same, with close()")
    private var made = Measure("empty child made and dropped")
    private var emptyClosed = Measure("empty child made, closed and dropped")
    private var graphTwo = Measure("five in .graph, two threads")
    private var childTwo = Measure("five in .child, two threads")
    private var wallClock: [Double] = []
    private var wallClockHooked: [Double] = []

    private static func parent(
        _ inScope: (RegistrationEntry<Visit>) -> RegistrationEntry<Visit>
    ) -> Container {
        let container = Container()
        container.register(Single.self) { _ in Single() }.inObjectScope(.container)
        for name in names {
            _ = inScope(container.register(Visit.self, name: name) { r in Visit(try r.require(Single.self)) })
        }
        return container
    }

    private static func mixedParent(_ setUp: (RegistrationEntry<Visit>) -> Void) -> Container {
        let container = Container()
        container.register(Single.self) { _ in Single() }.inObjectScope(.container)
        for name in names.prefix(3) {
            setUp(
                container.register(Visit.self, name: name) { r async throws in Visit(try await r.require(Single.self)) }
                    .inObjectScope(.child))
        }
        for name in names.suffix(2) {
            container.register(Visit.self, name: name) { r in Visit(try r.require(Single.self)) }.inObjectScope(.child)
        }
        return container
    }

    private static let names = (0..<5).map { "\($0)" }

    private static func use(_ parent: Container) {
        let child = Container(parent: parent)
        for name in names { consume(child.resolve(Visit.self, name: name)) }
    }

    private static func useAndClose(_ parent: Container) async {
        let child = Container(parent: parent)
        for name in names { consume(child.resolve(Visit.self, name: name)) }
        await child.close()
    }

    private static func awaitAndClose(_ parent: Container) async {
        let child = Container(parent: parent)
        for name in names { consume(try? await child.require(async: Visit.self, name: name)) }
        await child.close()
    }
}

extension Requests {
    mutating func sample() {
        let (childScope, graphScope) = (childScope, graphScope)
        graph.sample(2_000) { times(2_000) { Self.use(graphScope) } }
        child.sample(2_000) { times(2_000) { Self.use(childScope) } }
        closed.sample(
            2_000,
            async: {
                for _ in 0..<2_000 { await Self.useAndClose(childScope) }
                return 2_000
            })
        made.sample(2_000) { times(2_000) { consume(Container(parent: childScope)) } }
        emptyClosed.sample(
            2_000,
            async: {
                for _ in 0..<2_000 { await Container(parent: childScope).close() }
                return 2_000
            })
        graphTwo.sample(2_000, threads: 2) { _ in times(2_000) { Self.use(graphScope) } }
        childTwo.sample(2_000, threads: 2) { _ in times(2_000) { Self.use(childScope) } }
        wallClock.append(asynchronous(mixed))
        wallClockHooked.append(asynchronous(hooked))
    }

    /// Returns the microseconds of a request with three asynchronous and two synchronous services, by the clock, because
    /// several threads take part.
    private func asynchronous(_ parent: Container) -> Double {
        let (ended, result) = (DispatchSemaphore(value: 0), Result())
        Task.detached {
            let clock = ContinuousClock()
            let time = await clock.measure { for _ in 0..<1_000 { await Self.awaitAndClose(parent) } }
            result.microseconds.withLock { $0 = time / .microseconds(1_000) }
            ended.signal()
        }
        ended.wait()
        return result.microseconds.withLock { $0 }
    }

    private final class Result: Sendable {
        let microseconds = Mutex(0.0)
    }

    func report() {
        print("\nChildren with services of their own, as ratios to the same services in .graph")
        print(line(graph, to: graph))
        print(line(child, to: graph, atMost: 2.5))
        print(line(closed, to: graph, atMost: 3.5))
        print(line(made, to: made))
        print(line(emptyClosed, to: made, atMost: 1.5))
        let speedUp = (graph: 2 * graph.median / graphTwo.median, child: 2 * child.median / childTwo.median)
        let verdict = speedUp.child >= 0.9 * speedUp.graph ? "ok" : "MISSED"
        print(
            "two threads: \(hundredths(speedUp.child)) times as fast as one, in .graph \(hundredths(speedUp.graph)) "
                + "(limit 0.9 of it: \(verdict))")
        // 12 would need factories that run on the caller's task. Each has a task of its own, because several callers may wait
        // for it, of which some are cancelled.
        let median = wallClock.sorted()[wallClock.count / 2]
        print(
            "three asynchronous and two synchronous services, closed\(tenths(median)) µs  "
                + "(limit 22: \(median <= 22 ? "ok" : "MISSED"))")
        let hooked = wallClockHooked.sorted()[wallClockHooked.count / 2]
        print("the same with a synchronous hook for each of the three\(tenths(hooked)) µs")
    }
}
