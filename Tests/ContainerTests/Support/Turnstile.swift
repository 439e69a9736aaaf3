import Foundation

/// Decides which of several threads goes on, one at a time, at each point where they pass.
///
/// A thread that does not arrive for a while is taken to wait for another one. If it was only slow, the schedule is
/// another one, which the services must stand, too.
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
            condition.broadcast()
        }
    }

    /// Runs closures on threads of their own.
    ///
    /// - Parameters:
    ///   - bodies: the closures.
    ///   - random: chooses the thread that goes on.
    /// - Returns: whether all have ended. Otherwise all that are left wait for each other.
    func run(_ bodies: [@Sendable () -> Void], _ random: inout some RandomNumberGenerator) -> Bool {
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
        while true {
            let (open, isDone) = condition.withLock {
                rest(of: bodies.count)
                return (waiting, ended == bodies.count)
            }
            if isDone { return true }
            guard let next = open.sorted().randomElement(using: &random) else { return false }
            condition.withLock {
                released = next
                condition.broadcast()
            }
        }
    }

    /// Waits until each thread has arrived or ended, or until nothing has happened for a while: a short one if another
    /// thread can go on, and otherwise one that is long even on a loaded machine.
    private func rest(of count: Int) {
        while released != nil || waiting.count + ended < count {
            let patience = released == nil && !waiting.isEmpty ? 0.000_2 : 20
            let before = (waiting.count, ended)
            let isWoken = condition.wait(until: Date(timeIntervalSinceNow: patience))
            if !isWoken, released == nil, before == (waiting.count, ended) { return }
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
