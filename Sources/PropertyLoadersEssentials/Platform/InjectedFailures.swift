import SharedState

/// Makes system calls fail, for tests of error handling.
package enum InjectedFailures {
    /// The kinds of calls that can fail.
    package enum Call: Sendable, CaseIterable {
        case open, status, read, link
        /// Reading one entry of a directory.
        case listing
    }

    /// Decides before each system call whether to fail instead of making the call.
    ///
    /// - Returns: the error number, or nil to make the call.
    package typealias Rule = @Sendable (Call) -> CInt?

    private static let rule = Guarded<Box?>(nil)
    private static let fixedTimes = Guarded<Duration?>(nil)

    /// Boxes the rule: a function that is stored directly in generic storage gets another reabstraction thunk on each
    /// read.
    private struct Box {
        let rule: Rule
    }

    /// Sets the rule of this process, or removes it if it is nil.
    package static func set(_ new: Rule?) { rule.withLock { $0 = new.map { Box(rule: $0) } } }

    /// Sets the times that all files have, since 1970, for tests of file systems with coarse times. Nil restores the
    /// actual times.
    package static func set(times: Duration?) { fixedTimes.withLock { $0 = times } }

    /// The times that all files have, or nil.
    static var times: Duration? { fixedTimes.withLock { $0 } }

    /// Returns the error number of a call that must fail, or nil to make the call.
    static func next(_ call: Call) -> CInt? {
        // The rule is called after unlocking, because it may make system calls, which read the rule.
        rule.withLock { $0 }?.rule(call)
    }
}
