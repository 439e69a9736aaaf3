import SharedState

/// The work of a container that `close()` waits for: shared instances under construction, removals and resets, their
/// hooks, and replacements and comparisons of services that follow their settings. The container's lock guards it.
struct PendingWork {
    private var count = 0
    /// Sent when no work is left, if `close()` waits for this.
    private var idle: Signal<Void>?
    /// The teardowns whose hooks run, in the order of their beginnings.
    private var teardowns: [RunningTeardown] = []

    private struct RunningTeardown {
        let id: ObjectIdentifier
        /// The services of the hooks that have not ended. The first hook runs. At the deadline of a `close(_:timeout:)`,
        /// the others are started, too.
        var hooks: [ServiceKey]
    }

    var isEmpty: Bool { count == 0 }

    mutating func begin() { count += 1 }

    /// Records that a piece of work has ended. If it was the last, returns the signal, which the caller sends outside of
    /// the lock.
    mutating func end() -> Signal<Void>? {
        count -= 1
        return count > 0 ? nil : idle
    }

    /// Records the hooks that a teardown will run, in their order.
    mutating func begin(_ hooks: [ServiceKey], of teardown: ObjectIdentifier) {
        count += hooks.count
        teardowns.append(RunningTeardown(id: teardown, hooks: hooks))
    }

    /// Records that a hook of a teardown has ended. See `end()` for the result.
    mutating func endHook(of service: ServiceKey, in teardown: ObjectIdentifier) -> Signal<Void>? {
        guard let index = teardowns.firstIndex(where: { $0.id == teardown }),
            let hook = teardowns[index].hooks.firstIndex(of: service)
        else { return nil }
        teardowns[index].hooks.remove(at: hook)
        if teardowns[index].hooks.isEmpty { teardowns.remove(at: index) }
        return end()
    }

    /// The services of the hooks that have not ended, each with the service whose hook runs and delays it.
    var openHooks: [(service: ServiceKey, delaying: ServiceKey)] {
        teardowns.flatMap { teardown in
            teardown.hooks.map { ($0, delaying: teardown.hooks.first ?? $0) }
        }
    }

    /// Sends a signal when no work is left.
    mutating func signalIdle(_ signal: Signal<Void>) {
        idle = signal
        if isEmpty { signal.send(()) }
    }
}

/// How far a container has been closed.
enum ClosingPhase {
    case open
    /// The signal is sent when all is closed.
    case closing(Signal<[ResolutionError]>)
    case closed([ResolutionError])
}
