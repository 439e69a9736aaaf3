import Container
import Foundation
import Measuring

/// How long containers take to end in a process in which many threads have lived.
struct Endings {
    /// The threads that live at the same time before the measurement.
    static let threads = 5_000

    /// A container whose 20 singletons have been made.
    private static func filled() throws -> Container {
        let container = Container()
        for number in 0..<20 {
            container.register(Single.self, name: "\(number)") { _ in Single() }.inObjectScope(.container)
            _ = try container.require(Single.self, name: "\(number)")
        }
        return container
    }

    /// Lets each thread resolve a service, while all the others live.
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

    /// The median times, in microseconds.
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
