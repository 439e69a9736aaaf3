import Dispatch
import SharedState
import Synchronization

/// The threads that wait for instances that other threads build, and the constructions that have become one.
///
/// This is the only lock of the whole process. A thread takes it only if it must wait, or if another one waits for what
/// it has built.
enum Waits {
    fileprivate static let graph = Lock(WaitGraph())
    /// What a thread does after a wait.
    enum Outcome: Sendable {
        /// The instance is complete.
        case complete(StoredInstance)
        /// The instance is not complete, and belongs to the thread's own construction.
        case incomplete(StoredInstance)
        /// The instance could not be built. Ask again.
        case again
        /// All threads of a circle wait for factories.
        case circular([ServiceKey])
    }

    /// Waits for an instance that another thread builds.
    ///
    /// - Parameters:
    ///   - pending: the instance.
    ///   - construction: the construction of this thread, or nil.
    ///   - path: the services that have led to the instance, and the instance itself.
    /// - Returns: what the thread does next.
    static func wait(for pending: PendingInstance, from construction: Construction?, path: [ServiceKey]) -> Outcome {
        let waiter = Waiter(construction: construction, pending: pending, path: path)
        pending.expectWaiter { wakeThoseThatCanGo() }
        graph.withLock { $0.add(waiter) }
        while true {
            if let outcome = graph.withLock({ $0.takeOutcome(of: waiter) }) { return outcome }
            waiter.sleep()
        }
    }

    /// Waits until the constructions that one was merged with have ended.
    static func waitForEnd(of construction: Construction) {
        let waiter = Waiter(construction: construction, pending: nil, path: [])
        graph.withLock { $0.add(waiter) }
        while graph.withLock({ $0.takeOutcome(of: waiter) }) == nil { waiter.sleep() }
    }

    /// Records that a merged construction has ended.
    ///
    /// - Returns: all constructions of the group and whether one has failed, if this is the last one to end.
    static func finish(_ construction: Construction, _ hasFailed: Bool) -> ([Construction], Bool)? {
        graph.withLock { $0.finish(construction, hasFailed) }
    }

    /// Wakes the threads whose waits are over.
    static func wakeThoseThatCanGo() { graph.withLock { $0.wakeThoseThatCanGo() } }
}

/// A thread that waits.
final class Waiter: Sendable {
    /// The construction of the thread, or nil if it has none.
    let construction: Construction?
    /// The awaited instance, or nil if the thread waits for the end of its construction.
    let pending: PendingInstance?
    /// The services that have led to the wait.
    let path: [ServiceKey]
    private let semaphore = DispatchSemaphore(value: 0)

    init(construction: Construction?, pending: PendingInstance?, path: [ServiceKey]) {
        (self.construction, self.pending, self.path) = (construction, pending, path)
    }

    func wake() { semaphore.signal() }

    #if DEBUG
        /// The time after which a wait is reported, since it may be one without end: the factory that runs may wait for
        /// this thread.
        private static let reportDelay = DispatchTimeInterval.seconds(10)
        private let isReported = Atomic(false)

        func sleep() {
            if semaphore.wait(timeout: .now() + Self.reportDelay) == .success { return }
            if let pending, !isReported.exchange(true, ordering: .relaxed) {
                pending.container.report(ResolutionError(.slow, path: path, detail: Waits.reason(of: pending)))
            }
            semaphore.wait()
        }
    #else
        func sleep() { semaphore.wait() }
    #endif
}

extension Container {
    /// The number of threads that wait for an instance of this container, for tests that decide which thread goes on.
    package var waitingThreads: Int { Waits.graph.withLock { $0.count(in: self) } }
}

extension Waits {
    /// What the construction of an instance waits for, for the report of a slow construction.
    fileprivate static func reason(of pending: PendingInstance) -> String? {
        graph.withLock { $0.path(from: pending) }.map { $0.map(\.description).joined(separator: " → ") }
    }
}
