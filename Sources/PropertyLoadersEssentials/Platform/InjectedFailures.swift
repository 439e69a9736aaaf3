import SharedState
import Synchronization

/// Makes system calls fail, for tests of error handling.
package enum InjectedFailures {
    /// The kinds of calls that can fail.
    package enum Call: Sendable {
        case open, status, read, link
        /// One entry of a directory.
        case listing
        /// The wait for events, and their delivery.
        case poll, events
    }

    /// Decides before each call whether it fails instead.
    ///
    /// - Returns: the error number, or nil to let the call run.
    package typealias Rule = @Sendable (Call) -> CInt?

    // Without a rule, a call costs one more load of this flag.
    private static let isActive = Atomic(false)
    private static let rule = Guarded<Box?>(nil)

    /// Boxed, since a function in generic storage gets one more reabstraction thunk each time that it is read.
    private struct Box {
        let rule: Rule
    }

    /// Sets the rule of this process; nil lets all calls run.
    package static func set(_ new: Rule?) {
        rule.withLock { $0 = new.map { Box(rule: $0) } }
        isActive.store(new != nil, ordering: .releasing)
    }

    /// Returns the error number that a call is to fail with, or nil.
    static func next(_ call: Call) -> CInt? {
        guard isActive.load(ordering: .relaxed) else { return nil }
        // Not under the lock, since a rule may do anything, such as change files.
        let box = rule.withLock { $0 }
        return box?.rule(call)
    }
}
