import SharedState
import Synchronization

/// Makes system calls fail, for tests of error handling.
package enum InjectedFailures {
    /// The kinds of calls that can fail.
    package enum Call: Sendable, CaseIterable {
        case open, status, read, link
        /// Reading one entry of a directory.
        case listing
        /// Starting to watch: opening the descriptors of inotify, and creating its thread.
        case start
        /// Watching one directory or file.
        case watch
        /// Waiting for inotify events, and reading them.
        case poll, events
    }

    /// Decides before each system call whether to fail instead of making the call.
    ///
    /// - Returns: the error number, or nil to make the call.
    package typealias Rule = @Sendable (Call) -> CInt?

    // Whether there is a rule. Without one, the only overhead of a system call is the load of this flag.
    private static let isActive = Atomic(false)
    private static let rule = Guarded<Box?>(nil)

    /// Boxes the rule: a function that is stored directly in generic storage gets another reabstraction thunk on each
    /// read.
    private struct Box {
        let rule: Rule
    }

    /// Sets the rule of this process, or removes it if it is nil.
    package static func set(_ new: Rule?) {
        rule.withLock { $0 = new.map { Box(rule: $0) } }
        isActive.store(new != nil, ordering: .releasing)
    }

    /// Returns the error number with which a call must fail, or nil to make the call.
    static func next(_ call: Call) -> CInt? {
        guard isActive.load(ordering: .relaxed) else { return nil }
        // Calls the rule without holding the lock, since a rule may run any code, including system calls that read the
        // rule.
        let box = rule.withLock { $0 }
        return box?.rule(call)
    }
}
