import Foundation

/// Decides which of several threads goes on, one at a time, at each point where they pass.
///
/// A thread that sleeps elsewhere, because it waits for another thread, is not waited for. On systems that do not show
/// whether a thread sleeps, threads pass at once.
final class Turnstile: @unchecked Sendable {
    // @unchecked: the condition guards the state. It is not a `Mutex`, because that causes false reports of
    // ThreadSanitizer.
    private let condition = NSCondition()
    private var waiting: Set<Int> = []
    /// The thread that may go on.
    private var released: Int?
    private var ended: Set<Int> = []
    private var states: [Int: ThreadState] = [:]
    private let threads: Range<Int>
    private static let current = "turnstile thread"

    /// Creates a turnstile.
    ///
    /// - Parameter count: the number of threads.
    init(threads count: Int) { threads = 0..<count }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - number: the number of the thread, from 0.
    ///   - body: what it runs. It goes on only when it is the thread's turn.
    func start(_ number: Int, _ body: @escaping @Sendable () -> Void) {
        Thread { [self] in
            Thread.current.threadDictionary[Self.current] = number
            let state = ThreadState()
            condition.withLock { states[number] = state }
            pass()
            body()
            condition.withLock {
                ended.insert(number)
                condition.broadcast()
            }
        }.start()
    }

    /// Waits for the turn of this thread. A thread that the turnstile has not started goes on at once.
    func pass() {
        guard ThreadState.isKnown, let thread = Thread.current.threadDictionary[Self.current] as? Int else { return }
        condition.withLock {
            waiting.insert(thread)
            condition.broadcast()
            while released != thread { condition.wait() }
            released = nil
            waiting.remove(thread)
        }
    }

    /// Whether this thread is one of those that the turnstile has started.
    static var isHere: Bool { Thread.current.threadDictionary[current] != nil }

    /// Lets threads go on until all have ended, or for ever if they do not end.
    ///
    /// - Parameter choose: returns one of the threads that wait for their turn.
    func run(_ choose: (Set<Int>) -> Int?) {
        while true {
            let open = condition.withLock { released == nil && !isRunning ? waiting : [] }
            if condition.withLock({ ended.count == threads.count }) { return }
            guard let next = open.isEmpty ? nil : choose(open) else {
                sched_yield()
                continue
            }
            condition.withLock {
                released = next
                condition.broadcast()
            }
        }
    }

    /// Whether a thread is on its way to its next turn, or has not begun.
    private var isRunning: Bool {
        threads.contains { number in
            if waiting.contains(number) || ended.contains(number) { return false }
            return states[number]?.isAsleep != true
        }
    }
}

/// Whether the thread that has created it sleeps, as the system says.
private final class ThreadState: Sendable {
    private let file: Int32
    static let isKnown = FileManager.default.fileExists(atPath: "/proc/thread-self/stat")

    init() {
        let folder = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
        file = unsafe open("/proc/\(folder)/stat", O_RDONLY)
    }
    deinit { close(file) }

    var isAsleep: Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe pread(file, &bytes, bytes.count, 0)
        // The name of the thread, which is between parentheses, and then its state.
        guard count > 0, let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return false }
        return bytes[end + 2] == UInt8(ascii: "S")
    }
}
