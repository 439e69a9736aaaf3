import Foundation

/// Decides which of several threads goes on, one at a time, at each point where they pass.
///
/// The schedule depends only on the random numbers, and not on the speed of the machine.
final class Turnstile: @unchecked Sendable {
    // @unchecked: the condition guards the state. It is not a `Mutex`, because that causes false reports of
    // ThreadSanitizer.
    private let condition = NSCondition()
    private var waiting: [Int] = []
    private var released: Int?
    private var ended = 0
    private var isOpen = false
    private static let current = "turnstile thread"

    /// Waits for the turn of this thread.
    func pass() {
        guard let thread = Thread.current.threadDictionary[Self.current] as? Int else { return }
        condition.withLock {
            waiting.append(thread)
            condition.broadcast()
            while released != thread, !isOpen { condition.wait() }
            released = nil
            waiting.removeAll { $0 == thread }
        }
    }

    /// Runs closures on threads of their own.
    ///
    /// - Parameters:
    ///   - bodies: the closures.
    ///   - random: chooses the thread that goes on.
    ///   - blocked: the number of threads that wait elsewhere.
    /// - Returns: whether all have ended. Otherwise all that are left wait for each other.
    func run(
        _ bodies: [@Sendable () -> Void], _ random: inout some RandomNumberGenerator, blocked: () -> Int
    ) -> Bool {
        for (index, body) in bodies.enumerated() {
            Thread {
                Thread.current.threadDictionary[Self.current] = index
                self.pass()
                body()
                self.condition.withLock {
                    self.ended += 1
                    self.condition.broadcast()
                }
            }.start()
        }
        var rests = 0
        while true {
            let (open, isDone, isAtRest) = condition.withLock {
                (waiting, ended == bodies.count, released == nil && waiting.count + ended + blocked() == bodies.count)
            }
            if isDone { return true }
            if isAtRest, open.isEmpty {
                // A thread that has just been woken may not have gone on yet.
                rests += 1
                if rests > 2_000 { return false }
                usleep(1_000)
            } else if isAtRest, let next = open.sorted().randomElement(using: &random) {
                rests = 0
                condition.withLock {
                    released = next
                    condition.broadcast()
                }
            } else {
                sched_yield()
            }
        }
    }

    /// Lets all threads go on.
    func open() {
        condition.withLock {
            isOpen = true
            condition.broadcast()
        }
    }
}
