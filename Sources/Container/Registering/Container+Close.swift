import SharedState

/// What a container must close, and whether it may begin. `Container.monitor` guards it.
struct ClosingState {
    /// The hooks of the instances that are open, in the order in which the instances were completed.
    fileprivate var hooks: [CloseHook] = []
    /// The number of shared instances under construction, and of resets whose hooks are running.
    fileprivate var activities = 0
    /// The task of the first `close`, or nil if the container is open.
    fileprivate var task: Task<[ResolutionError], Never>?
    /// Ends when `activities` becomes 0. Nil unless `close` waits for that.
    fileprivate var idle: AsyncStream<Never>.Continuation?

    /// The services that are open, in the order in which they were completed.
    var names: [String] {
        var seen: Set<String> = []
        return hooks.map(\.key.description).filter { seen.insert($0).inserted }
    }
}

// MARK: - Closing

extension Container {
    /// The time that each hook has by default before its task is cancelled.
    public static let defaultCloseTimeout = Duration.seconds(10)

    /// Closes the shared instances that this container has made, by `onClose` of their registrations or as `Closeable`.
    ///
    /// The instances are closed one after another, in the reverse order of their completion: each before the instances
    /// that it was built from. If one fails, the others are still closed. `onFailure(_:)` gets each error. This holds
    /// also if the calling task is cancelled.
    ///
    /// From the call on, this container resolves nothing: `require` throws `.closed`. Instances under construction are
    /// completed and closed, and those who asked for them get `.closed`. A container does not close its parent or its
    /// children, so close the children first.
    ///
    /// A second call waits for the first and returns its errors.
    ///
    /// - Parameter timeout: the maximum time for each hook, and for the constructions in progress. When it expires, the
    ///   hook's task is cancelled, and the container closes the next instance.
    /// - Returns: the errors, with the reason `.closeFailed`, in the order in which they occurred.
    @discardableResult
    public func close(timeout: Duration = defaultCloseTimeout) async -> [ResolutionError] {
        let task = Self.monitor.withLock { () -> Task<[ResolutionError], Never> in
            if let task = state.closing.task { return task }
            let registrations = closeTable()
            // Not a child of the caller's task, because its cancellation must not end the closing.
            let task = Task { await self.close(registrations, within: timeout) }
            state.closing.task = task
            return task
        }
        return await task.value
    }

    private func close(_ registrations: [Registration], within timeout: Duration) async -> [ResolutionError] {
        await waitForActivities(within: timeout)
        let errors = await runHooks(within: timeout)
        // Releases the instances only now, because those that are closed may use the others.
        update(releasesAll: true) { registrations.flatMap { $0.losePlace() } }
        return errors
    }

    private func waitForActivities(within timeout: Duration) async {
        let (idle, continuation) = AsyncStream.makeStream(of: Never.self)
        Self.monitor.withLock {
            if state.closing.activities == 0 { continuation.finish() } else { state.closing.idle = continuation }
        }
        _ = await Deadline.result(within: timeout) { for await _ in idle {} }
    }

    /// Runs the remaining hooks, the last one first.
    private func runHooks(within timeout: Duration) async -> [ResolutionError] {
        var errors: [ResolutionError] = []
        while let hook = Self.monitor.withLock({ state.closing.hooks.popLast() }) {
            guard let error = await hook.run(within: timeout) else { continue }
            errors.append(error)
            report(error)
        }
        return errors
    }
}

// MARK: - Instances

// The caller of these methods must hold the monitor.

extension Container {
    /// Records that the construction of a shared instance begins.
    func beginActivity() { state.closing.activities += 1 }

    /// Records that the construction of a shared instance, or a reset, has ended.
    func endActivity() {
        state.closing.activities -= 1
        if state.closing.activities == 0 { state.closing.idle?.finish() }
    }

    /// Adds the hooks of an instance that has been completed.
    func keepOpen(_ hooks: [CloseHook]) {
        state.closing.hooks += hooks
        guard !hooks.isEmpty, let task = state.closing.task else { return }
        // If the construction has taken longer than the timeout, nothing else closes the instance.
        Task {
            _ = await task.value
            _ = await self.runHooks(within: Self.defaultCloseTimeout)
        }
    }

    /// Removes the hooks of some instances, for `run(_:)`. Returns none if the container is closed: `close` runs them.
    func takeHooks(where isTaken: (CloseHook) -> Bool) -> [CloseHook] {
        if state.closing.task != nil { return [] }
        let taken = state.closing.hooks.filter(isTaken)
        state.closing.hooks.removeAll(where: isTaken)
        if !taken.isEmpty { beginActivity() }
        return taken
    }
}

extension Container {
    /// Runs the hooks that a reset has taken, the last one first: the synchronous ones at once, and the first
    /// asynchronous one and all that follow it in a task. The caller must not hold the monitor.
    func run(_ hooks: [CloseHook]) {
        if hooks.isEmpty { return }
        var rest = hooks
        while let (isDone, error) = rest.last?.runNow(), isDone {
            rest.removeLast()
            error.map(report)
        }
        if rest.isEmpty { return Self.monitor.withLock { endActivity() } }
        Task { [rest] in
            for hook in rest.reversed() {
                if let error = await hook.run(within: Self.defaultCloseTimeout) { self.report(error) }
            }
            Self.monitor.withLock { self.endActivity() }
        }
    }
}
