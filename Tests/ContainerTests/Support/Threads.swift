import Dispatch
import Foundation

/// Runs some code on threads of their own, which start together, and waits for all.
func onThreads<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) -> Result) -> [Result] {
    let (ready, ended, results) = (Counter(), DispatchSemaphore(value: 0), Results<Result>())
    for index in 0..<count {
        Thread {
            ready.increment()
            while ready.count < count { sched_yield() }
            let result = body(index)
            results.add(result)
            ended.signal()
        }.start()
    }
    for _ in 0..<count { ended.wait() }
    return results.all
}

/// Some code that runs on a thread of its own.
final class Running<Result: Sendable>: Sendable {
    private let (ended, results) = (DispatchSemaphore(value: 0), Results<Result>())

    init(_ body: @escaping @Sendable () -> Result) {
        Thread { [ended, results] in
            let result = body()
            results.add(result)
            ended.signal()
        }.start()
    }

    /// Waits for the result; `nil` where there is none in time.
    func result(within seconds: Double = 20) -> Result? {
        defer { if !results.all.isEmpty { ended.signal() } }
        return ended.wait(timeout: .now() + seconds) == .success ? results.all.first : nil
    }
}

final class Results<Result: Sendable>: @unchecked Sendable {
    // @unchecked: the lock guards the results. No `Mutex`: ThreadSanitizer takes its closures for races.
    private let lock = NSLock()
    private var results: [Result] = []
    var all: [Result] { lock.withLock { results } }
    func add(_ result: Result) { lock.withLock { results.append(result) } }
}

/// Lets threads go through round after round together.
final class Rounds: Sendable {
    private let arrived = Counter()
    private let threads: Int
    init(threads: Int) { self.threads = threads }
    func meet(_ round: Int) {
        arrived.increment()
        while arrived.count < threads * (round + 1) { sched_yield() }
    }
}
