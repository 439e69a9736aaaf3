import Dispatch
import SharedState

extension Teardown {
    /// Closes the instances. The hooks run on this thread, up to the first hook that is asynchronous or must wait for
    /// the hooks of another teardown. This hook and all later hooks run in a task. `close()` waits for all of them.
    func run() {
        recordHooks()
        while let hook = takeHook() {
            guard hook.isSynchronous else {
                putBack(hook)
                break
            }
            report(runNow(hook), of: hook)
            forget(hook)
        }
        if !hasHooks { return release() }
        Task.detached {
            while let hook = await self.nextHook() {
                self.report(await self.run(hook), of: hook)
                self.forget(hook)
            }
            self.release()
        }
    }

    /// Closes the instances by a deadline, as `close(timeout:)` describes. Hooks may go on after that.
    ///
    /// - Parameters:
    ///   - deadline: the end of the time.
    ///   - delay: the construction that has used a part of the time, or nil.
    /// - Returns: the errors.
    func run(before deadline: Deadline, after delay: ClosingDelay? = nil) async -> [ResolutionError] {
        var errors: [ResolutionError] = [], longest = delay
        func add(_ delay: ClosingDelay) { if longest.map({ $0.time < delay.time }) ?? true { longest = delay } }
        recordHooks()
        var start = ContinuousClock.now
        while let hook = await nextHook(before: deadline) {
            if let blocker { add(ClosingDelay(of: blocker, time: .now - start)) }
            let shared = hook.item.shared
            start = .now
            hook.item.container.begin(closing: shared)
            let end = await run(hook, before: deadline)
            hook.item.container.end(closing: shared)
            add(ClosingDelay(of: shared, time: .now - start))
            let error = end.error(orLate: longest?.error(of: shared, deadline))
            if let error { errors.append(error) }
            report(error, of: hook)
            start = .now
        }
        return errors
    }

    /// The result of waiting for a hook: it has ended, with or without an error, or it is late.
    private enum HookEnd {
        case ended(ResolutionError?)
        case late

        func error(orLate late: ResolutionError?) -> ResolutionError? {
            switch self {
            case .ended(let error): error
            case .late: late
            }
        }
    }

    /// Runs a hook until it ends, or until the deadline.
    private func run(_ hook: Hook, before deadline: Deadline) async -> HookEnd {
        let end = Signal<ResolutionError?>()
        let task = begin(hook) { error in
            self.forget(hook)
            end.send(error)
        }
        if let error = await end.value(before: deadline) { return .ended(error) }
        task?.cancel()
        return .late
    }

    /// Begins a hook, and passes its error or nil to a function when it ends.
    ///
    /// - Returns: its task, or nil if it is synchronous.
    private func begin(_ hook: Hook, _ finish: @escaping @Sendable (ResolutionError?) -> Void) -> Task<Void, Never>? {
        if !hook.isSynchronous { return Task.detached { finish(await self.run(hook)) } }
        // It may block, so it must not occupy a thread of the pool that runs tasks.
        DispatchQueue(label: "Container.close").async { finish(self.runNow(hook)) }
        return nil
    }

    /// Closes replaced instances, each within the limit of its registration. A hook that goes on after that is let go:
    /// neither the instances that its instance holds wait for it, nor `close()`.
    func runWithLimits() async {
        recordHooks()
        var deadlines: [UInt64: Deadline] = [:]
        while let hook = await nextHook() {
            let (shared, container) = (hook.item.shared, hook.item.container)
            let deadline = deadlines[shared.id] ?? Deadline(after: shared.registration.options.life.closeTimeout)
            deadlines[shared.id] = deadline
            let end = Signal<HookEnd>()
            let task = begin(hook) { error in
                end.send(.ended(error))
                // The first value counts.
                if case .late = end.sent { container.changeLateHooks(of: shared, by: -1, isClosed: error == nil) }
            }
            if await end.value(before: deadline) == nil { end.send(.late) }
            switch end.sent {
            case .ended(let error): report(error, of: hook)
            case .late, nil:
                task?.cancel()
                container.changeLateHooks(of: shared, by: 1)
                if !isUnclosed(shared) {
                    report(ClosingDelay(of: shared).error(of: shared, deadline), of: hook)
                }
            }
            forget(hook)
        }
        for deadline in deadlines.values { deadline.cancel() }
        // The `deinit` of an instance may block.
        DispatchQueue(label: "Container.close").async { self.release() }
    }

    /// Runs a synchronous hook on this thread, and returns its error.
    private func runNow(_ hook: Hook) -> ResolutionError? {
        guard case .synchronous(let close) = hook.closure else { return nil }
        do {
            try ResolvingThread.current.run(frame(of: hook.item)) { try close(hook.instance) }
            return nil
        } catch {
            return .closeFailed(hook.item.shared, .closeFailed, error)
        }
    }

    /// Runs a hook in this task, and returns its error.
    private func run(_ hook: Hook) async -> ResolutionError? {
        guard case .asynchronous(let close) = hook.closure else { return runNow(hook) }
        do {
            try await frame(of: hook.item).run(inTask: { try await close(hook.instance) })
            return nil
        } catch {
            return .closeFailed(hook.item.shared, .closeFailed, error)
        }
    }
}
