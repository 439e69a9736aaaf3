import Foundation
import Testing

/// A door at which tasks wait until it is opened. It stays open.
final class Gate: @unchecked Sendable {
    // @unchecked: the lock guards the state. It is not a `Mutex`, because that causes false reports of ThreadSanitizer.
    private let lock = NSLock()
    private var state: (isOpen: Bool, waiting: [CheckedContinuation<Void, Never>]) = (false, [])

    /// The number of tasks that wait.
    var waiting: Int { lock.withLock { state.waiting.count } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = lock.withLock {
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = lock.withLock {
            defer { state = (true, []) }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Lets other tasks run until a condition holds, or until the time limit of the test cancels its task.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}

/// Lets other tasks run until a condition holds.
///
/// - Parameters:
///   - seconds: the time after which it never will. It is long, because other tests may occupy the threads that run tasks.
///   - condition: the condition.
/// - Returns: whether it holds.
func holds(within seconds: Double = 60, _ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + .seconds(seconds)
    while !condition() {
        if ContinuousClock.now > end { return false }
        await Task.yield()
    }
    return true
}

/// Waits until the task that runs on the main actor suspends, if there is one.
func untilMainActorIsFree() async { await MainActor.run {} }

extension Trait where Self == TimeLimitTrait {
    /// Ends a test that hangs. The limit is long, because the time includes the waits for the threads that run tasks,
    /// and on a loaded machine other tests occupy these threads for minutes.
    static var hangLimit: Self { .timeLimit(.minutes(60)) }
}

/// A timer whose times end when the test says so.
final class ManualTimer: @unchecked Sendable {
    // @unchecked: the lock guards the state. It is not a `Mutex`, because that causes false reports of ThreadSanitizer.
    private let lock = NSLock()
    private var times: [(time: Duration, action: (@Sendable () -> Void)?)] = []

    /// The times that began, in order.
    var all: [Duration] { lock.withLock { times.map(\.time) } }

    func add(_ time: Duration, _ action: @escaping @Sendable () -> Void) {
        lock.withLock { times.append((time, action)) }
    }

    /// Ends one of the times.
    func fire(_ index: Int) {
        lock.withLock { times[index].action.take() }?()
    }

    /// Ends the times that have not ended.
    func fire() { for index in all.indices { fire(index) } }
}
