import Dispatch
import Foundation
import Synchronization

/// Runs a closure on several new threads, which start it at the same time, and waits for all of them. The results are
/// in the order in which the threads finished.
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

/// Runs a closure on a new thread. A test that blocks must not take one of the few threads that run tasks.
func offPool<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

/// A closure that runs on a new thread.
final class Running<Result: Sendable>: Sendable {
    private let (ended, results) = (DispatchSemaphore(value: 0), Results<Result>())

    init(_ body: @escaping @Sendable () -> Result) {
        Thread { [self] in
            let result = body()
            results.add(result)
            ended.signal()
        }.start()
    }

    /// Waits for the result, and returns nil if it does not arrive in time.
    func result(within seconds: Double = 600) -> Result? {
        defer { if !results.all.isEmpty { ended.signal() } }
        return ended.wait(timeout: .now() + seconds) == .success ? results.all.first : nil
    }
}

final class Results<Result: Sendable>: @unchecked Sendable {
    // @unchecked: the lock guards the results. It is not a `Mutex`, because that causes false reports of
    // ThreadSanitizer.
    private let lock = NSLock()
    private var results: [Result] = []
    var all: [Result] { lock.withLock { results } }
    func add(_ result: Result) { lock.withLock { results.append(result) } }
}
