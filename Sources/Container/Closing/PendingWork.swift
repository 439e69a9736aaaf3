import SharedState

/// The work of a container that `close()` waits for: shared instances under construction, removals and resets whose
/// hooks run, and replacements and comparisons of services that follow their settings. The container's lock guards it.
struct PendingWork {
    private var count = 0
    /// Sent when no work is left, if `close()` waits for this.
    private var idle: Signal<Void>?

    var isEmpty: Bool { count == 0 }

    mutating func begin() { count += 1 }

    /// Records that a piece of work has ended. If it was the last, returns the signal, which the caller sends outside of
    /// the lock.
    mutating func end() -> Signal<Void>? {
        count -= 1
        return count > 0 ? nil : idle
    }

    /// Sends a signal when no work is left.
    mutating func signalIdle(_ signal: Signal<Void>) {
        idle = signal
        if isEmpty { signal.send(()) }
    }
}

extension Container {
    func endPendingWork() { registry.withWrite { $0.pendingWork.end() }?.send(()) }
}
