import Synchronization

// These only read. Call them under the monitor.

// MARK: - Parts

extension PendingInstance {
    /// Whether its factory has returned, and it has neither ended nor failed.
    var isBuilt: Bool {
        switch state {
        case .built, .completing, .complete: true
        case .building, .ended, .failed: false
        }
    }

    var isInProgress: Bool { if case .building = state { true } else { isBuilt } }

    /// This instance, its parts, their parts and so on, without those that have ended.
    var closure: [PendingInstance] {
        var found = [self]
        mark = Self.newMark()
        var next = 0
        while next < found.count {
            for part in found[next].parts where part.mark != mark {
                part.mark = mark
                if case .ended = part.state { continue }
                found.append(part)
            }
            next += 1
        }
        return found
    }

    /// A number that marks what one walk has visited.
    private static func newMark() -> UInt64 { lastMark.add(1, ordering: .relaxed).newValue }
    private static let lastMark = Atomic<UInt64>(0)

    /// The next instance of the closure whose completions a thread may run, in the order in which the factories returned.
    /// `outer` is what the outer resolves of the thread have taken, whose factories have not returned.
    func nextToComplete(on thread: ThreadState, outer: ArraySlice<Taken>) -> PendingInstance? {
        let open = closure.filter { part in
            guard case .built = part.state, part.isAdoptable || part.maker === thread else { return false }
            return !outer.contains { $0.isOf(part) }
        }
        return open.min { $0.completion?.order ?? 0 < $1.completion?.order ?? 0 }
    }

    /// Whether a resolve must return before it is complete, since an outer resolve of the thread completes it or a part.
    /// `outer` is what the outer resolves have taken.
    func isLeft(to outer: ArraySlice<Taken>, on thread: ThreadState) -> Bool {
        leads(to: thread) || closure.contains { part in part.isInProgress && outer.contains { $0.isOf(part) } }
    }

    /// Whether a thread takes it as it is and completes it itself, instead of waiting.
    func isOpen(to thread: ThreadState) -> Bool {
        if !isBuilt { return false }
        if maker === thread { return true }
        let hasUnclaimed = closure.contains { if case .built = $0.state { $0.isAdoptable } else { false } }
        return hasUnclaimed || leads(to: thread)
    }
}

// MARK: - Waiting

extension PendingInstance {
    /// Whether it waits for a thread, directly or through others. Calls the closure with each waiting thread on the way.
    func leads(to thread: ThreadState, _ body: (ThreadState) -> Void = { _ in }) -> Bool {
        let mark = Self.newMark()
        var leads = false
        var open = [self]
        while let next = open.popLast() {
            if next.mark == mark { continue }
            next.mark = mark
            if case .ended = next.state { continue }
            if next.worker === thread { leads = true }
            if let worker = next.worker, let wait = worker.wait?.pending {
                body(worker)
                open.append(wait)
            }
            open += next.parts
        }
        return leads
    }

    /// The chain of instances from this one back to a thread, if the thread would wait for itself and the factories of
    /// all of them run; otherwise nil.
    func deadlock(of thread: ThreadState) -> [PendingInstance]? {
        var circle = [self]
        var last = self
        while case .building = last.state, let worker = last.worker {
            if worker === thread { return circle }
            guard let next = worker.wait?.pending, !circle.contains(where: { $0 === next }) else { return nil }
            circle.append(next)
            last = next
        }
        return nil
    }

    /// The path from this instance to the instance that its maker waits for.
    var wayOn: [ServiceKey] {
        guard let path = maker.wait?.path, let start = path.lastIndex(where: { $0 == registration.key }) else {
            return []
        }
        return Array(path[(start + 1)...])
    }
}
