import Container
import Foundation
import Measuring

/// Measures how long it takes to free or reset a container, and to use a child, in a process that has had many threads.
struct Endings {
    /// The number of threads that `live` runs at the same time.
    static let threads = 5_000

    /// Creates a container whose 20 singletons exist already.
    private static func filled() throws -> Container {
        let container = Container()
        for number in 0..<20 {
            container.register(Single.self, name: "\(number)") { _ in Single() }.inObjectScope(.container)
            _ = try container.require(Single.self, name: "\(number)")
        }
        return container
    }

    /// Resolves a service on each of many threads, all of which live at the same time.
    static func live() {
        let container = Container.benchmark()
        let (ready, end, ended) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        for _ in 0..<threads {
            let thread = Thread {
                consume(container.resolve(Branch.self))
                ready.signal()
                end.wait()
                ended.signal()
            }
            thread.stackSize = 64 << 10
            thread.start()
        }
        for _ in 0..<threads { ready.wait() }
        for _ in 0..<threads { end.signal() }
        for _ in 0..<threads { ended.wait() }
    }

    /// Returns the median times in microseconds.
    static func measure() throws -> (deinit: Double, reset: Double, child: Double) {
        var times: [[Double]] = [[], [], []]
        let parent = Container.benchmark()
        for _ in 0..<101 {
            var ending: Container? = try filled()
            times[0].append(time { ending = nil })
            let reset = try filled()
            times[1].append(time { reset.reset(.container) })
            times[2].append(
                time {
                    let child = Container(parent: parent)
                    child.register(Leaf.self) { _ in Leaf() }.inObjectScope(.transient)
                    child.register(Single.self) { _ in Single() }.inObjectScope(.container)
                    consume(child.resolve(Branch.self))
                    consume(child.resolve(Single.self))
                })
            consume(ending)
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        return (medians[0], medians[1], medians[2])
    }

    private static func time(_ body: () -> Void) -> Double {
        let start = Stopwatch.now()
        body()
        return (Stopwatch.now() - start) * 1e6
    }
}
