import Dispatch
import Foundation
import Synchronization

/// The measured times of one operation, in nanoseconds per call.
package struct Measure {
    package let name: String
    private var samples: [Double] = []

    package init(_ name: String) {
        self.name = name
    }

    /// The median of all samples.
    package var median: Double {
        samples.isEmpty ? 0 : samples.sorted()[samples.count / 2]
    }

    package mutating func sample(_ count: Int, _ body: () -> Int) {
        let start = threadTime()
        let sum = body()
        let end = threadTime()
        consume(sum)
        samples.append(Double(end - start) / Double(count))
    }

    /// Runs an asynchronous body in a task. The body must not suspend, because the sample is the time of one thread.
    package mutating func sample(_ count: Int, async body: @escaping @Sendable () async -> Int) {
        let (total, ended) = (Total(), DispatchSemaphore(value: 0))
        Task.detached {
            let start = threadTime()
            let sum = await body()
            let end = threadTime()
            consume(sum)
            total.time.add(end - start, ordering: .relaxed)
            ended.signal()
        }
        ended.wait()
        samples.append(Double(total.time.load(ordering: .relaxed)) / Double(count))
    }

    /// Runs the body on several threads at the same time. The sample is the mean of their processor times.
    ///
    /// Processor time includes the waits for a cache line that another thread uses, but not the run of other programs.
    package mutating func sample(_ count: Int, threads: Int, _ body: @escaping @Sendable (_ thread: Int) -> Int) {
        let (total, ready, ended) = (Total(), Total(), DispatchSemaphore(value: 0))
        for thread in 0..<threads {
            Thread {
                // The threads start together, because a thread that runs alone does not compete with the others.
                ready.time.add(1, ordering: .relaxed)
                while ready.time.load(ordering: .relaxed) < threads {}
                let start = threadTime()
                let sum = body(thread)
                let end = threadTime()
                consume(sum)
                total.time.add(end - start, ordering: .relaxed)
                ended.signal()
            }.start()
        }
        for _ in 0..<threads { ended.wait() }
        samples.append(Double(total.time.load(ordering: .relaxed)) / Double(count * threads))
    }
}

private final class Total: Sendable {
    let time = Atomic(0)
}

/// Returns the processor time of this thread, which other programs on the machine affect only a little.
private func threadTime() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Keeps the optimizer from removing the measured work.
@inline(never) package func consume<Value>(_ value: Value) {}

package func line(_ measure: Measure, to base: Measure, atMost limit: Double? = nil) -> String {
    let ratio = measure.median / base.median
    let name = measure.name + String(repeating: " ", count: max(0, 44 - measure.name.count))
    let verdict = limit.map { ratio <= $0 ? "  (limit \($0): ok)" : "  (limit \($0): MISSED)" } ?? ""
    return "\(name)\(tenths(measure.median)) ns  \(hundredths(ratio))\(verdict)"
}

package func tenths(_ number: Double) -> String {
    let text = "\((number * 10).rounded() / 10)"
    return String(repeating: " ", count: max(0, 8 - text.count)) + text
}

package func hundredths(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
