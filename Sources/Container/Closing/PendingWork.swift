import SharedState

/// The work of a container that `close()` waits for: shared instances under construction, removals and resets, their
/// hooks, and replacements and comparisons of services that follow their settings. The container's lock guards it.
struct PendingWork {
    private var count = 0
    /// Sent when no work is left, if `close()` waits for this.
    private var idle: Signal<Void>?
    /// The teardowns whose hooks run, in the order of their beginnings.
    private var teardowns: [RunningTeardown] = []
    /// Sent when the next hook ends, to the teardowns that wait for hooks of others.
    private var waiting: [Signal<Void>] = []
    /// Whether the deadline of `close(timeout:)` has passed, so that no teardown waits for another any more.
    private(set) var isOverdue = false

    private struct RunningTeardown {
        let id: ObjectIdentifier
        /// All instances of the teardown, and instances without hooks that were removed since it began. An instance of
        /// another teardown may hold an instance through them.
        var instances: [SharedInstance]
        /// The instances of the hooks that have not ended. The first hook runs, or waits. At the deadline of a
        /// `close(_:timeout:)`, the others are started, too.
        var hooks: [SharedInstance]
        /// The `id` of the instance of another teardown for whose hooks the first hook waits, or nil if it runs.
        var blocker: UInt64?
    }

    var isEmpty: Bool { count == 0 }

    mutating func begin() { count += 1 }

    /// Records that a piece of work has ended. If it was the last, returns the signal, which the caller sends after
    /// unlocking.
    mutating func end() -> Signal<Void>? {
        count -= 1
        return count > 0 ? nil : idle
    }

    /// Records the hooks that a teardown will run, in their order, and all of its instances.
    mutating func begin(_ hooks: [SharedInstance], of teardown: ObjectIdentifier, _ instances: [SharedInstance]) {
        count += hooks.count
        teardowns.append(RunningTeardown(id: teardown, instances: instances, hooks: hooks))
    }

    /// Records instances without hooks that were removed, through which the instances of other teardowns may hold others.
    mutating func keep(_ instances: [SharedInstance]) {
        for index in teardowns.indices { teardowns[index].instances += instances }
    }

    /// Records that a hook of a teardown has ended.
    ///
    /// - Returns: the signals that the caller sends after unlocking, and the instances that it then releases.
    mutating func endHook(
        of shared: SharedInstance, in teardown: ObjectIdentifier
    ) -> (signals: [Signal<Void>], instances: [SharedInstance]) {
        guard let index = teardowns.firstIndex(where: { $0.id == teardown }),
            let hook = teardowns[index].hooks.firstIndex(where: { $0 === shared })
        else { return ([], []) }
        teardowns[index].hooks.remove(at: hook)
        let instances = teardowns[index].hooks.isEmpty ? teardowns.remove(at: index).instances : []
        return (takeWaiting() + [end()].compactMap(\.self), instances)
    }

    /// Returns the instances of the other teardowns: those with hooks that have not ended, and all instances, because
    /// an instance may hold another one through one without hooks.
    ///
    /// - Parameters:
    ///   - teardown: the teardown that asks.
    ///   - isExcluded: whether the teardown of these instances is left out, because nothing may wait for its hooks.
    /// - Returns: the instances.
    func others(
        besides teardown: ObjectIdentifier, except isExcluded: ([SharedInstance]) -> Bool
    ) -> (open: [SharedInstance], all: [SharedInstance]) {
        if isOverdue || teardowns.isEmpty { return ([], []) }
        let others = teardowns.filter { $0.id != teardown && !isExcluded($0.instances) }
        return (others.flatMap(\.hooks), others.flatMap(\.instances))
    }

    /// Sends a signal when the next hook ends, or when no teardown waits for another any more.
    mutating func signalHook(_ signal: Signal<Void>) { waiting.append(signal) }

    /// Records the `id` of the instance for whose hooks a teardown waits, or nil if it does not wait.
    mutating func set(blocker: UInt64?, of teardown: ObjectIdentifier) {
        if let index = teardowns.firstIndex(where: { $0.id == teardown }) { teardowns[index].blocker = blocker }
    }

    /// Ends all waits of teardowns for each other, because the deadline has passed.
    ///
    /// - Returns: the signals that the caller sends after unlocking.
    mutating func expire() -> [Signal<Void>] {
        isOverdue = true
        return takeWaiting()
    }

    private mutating func takeWaiting() -> [Signal<Void>] {
        defer { waiting = [] }
        return waiting
    }

    /// The instances of the hooks that have not ended, each with the instance whose hook runs and delays it.
    var openHooks: [(instance: SharedInstance, delaying: SharedInstance)] {
        teardowns.flatMap { teardown in
            let delaying = delaying(teardown)
            return teardown.hooks.map { ($0, delaying: delaying ?? $0) }
        }
    }

    /// Returns the instance whose running hook delays the hooks of a teardown, directly or through other teardowns.
    private func delaying(_ teardown: RunningTeardown) -> SharedInstance? {
        var (next, seen) = (teardown, Set([teardown.id]))
        while let blocker = next.blocker {
            guard let other = teardowns.first(where: { $0.hooks.contains { $0.id == blocker } }),
                seen.insert(other.id).inserted
            else { break }
            next = other
        }
        return next.hooks.first
    }

    /// Sends a signal when no work is left.
    mutating func signalIdle(_ signal: Signal<Void>) {
        idle = signal
        if isEmpty { signal.send(()) }
    }
}
