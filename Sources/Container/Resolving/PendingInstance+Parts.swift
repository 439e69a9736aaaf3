import Synchronization

// These members read the state of instances and change only `mark`. The caller must hold the monitor.

// MARK: - Parts

extension PendingInstance {
    /// Whether its factory has returned, and it has been neither published nor failed.
    var isBuilt: Bool {
        switch state {
        case .built, .completing, .complete: true
        case .building, .ended, .failed: false
        }
    }

    /// Whether it has been neither published nor failed.
    var isInProgress: Bool { if case .building = state { true } else { isBuilt } }

    /// Whether any worker may run its completions: they are synchronous, and so is the shared service in whose graph it
    /// is.
    private var isAdoptable: Bool { !registration.isAsync && context.service?.isAsync == false }

    /// The worker that is running the factory or the completions, or that must run them. Nil if any worker may run the
    /// completions, or if none are left.
    var worker: Worker? {
        switch state {
        case .building: maker
        case .built, .completing: context.user ?? (isAdoptable ? nil : maker)
        case .complete, .ended, .failed: nil
        }
    }

    /// Whether it is of no use any more, because it is in the graph of a shared instance that has failed.
    var isUnneeded: Bool { !isShared && context.hasFailed }

    /// Whether the next step of its construction must be done in a task, so that a thread must not wait for it.
    var needsTask: Bool {
        switch state {
        case .building, .completing: registration.isAsync
        case .built: !isAdoptable && maker.isAsync
        case .complete, .ended, .failed: false
        }
    }

    /// This instance, its parts, their parts and so on, without those that are published or unneeded.
    var closure: [PendingInstance] {
        var found = [self]
        mark = Self.newMark()
        var next = 0
        while next < found.count {
            for part in found[next].parts where part.mark != mark {
                part.mark = mark
                if case .ended = part.state { continue }
                if part.isUnneeded { continue }
                found.append(part)
            }
            next += 1
        }
        return found
    }

    /// Returns the instances of a closure, each after its parts. In a cycle, an instance comes at least after those
    /// that its factory took.
    static func inOrderOfCompletion(_ closure: [PendingInstance]) -> [PendingInstance] {
        if closure.count == 1 { return closure }
        let (mark, open) = (newMark(), newMark())
        var rest = closure.sorted { $0.number < $1.number }
        for part in rest { part.mark = open }
        return closure.indices.map { _ in
            // Without the fallback, a cycle would never end. The first factory to return took none of the others.
            let next = rest.firstIndex { one in one.parts.allSatisfy { $0 === one || $0.mark != open } } ?? 0
            rest[next].mark = mark
            return rest.remove(at: next)
        }
    }

    /// Returns a new number for one traversal of parts, which stores it in the `mark` of each visited instance.
    static func newMark() -> UInt64 { lastMark.add(1, ordering: .relaxed).newValue }
    private static let lastMark = Atomic<UInt64>(0)

    /// The instance of `closure` whose completions a worker should run next, or nil. Of several, it is the one whose
    /// factory returned first.
    ///
    /// Instances in `outer` are excluded: an outer resolve of the same worker has taken them, and completes them when
    /// the factory that it is running returns.
    func nextToComplete(on worker: Worker, outer: ArraySlice<Taken>) -> PendingInstance? {
        let open = closure.filter { part in
            guard case .built = part.state, part.worker == nil || part.worker === worker else { return false }
            return !outer.contains { $0.isOf(part) }
        }
        return open.min { $0.number < $1.number }
    }

    /// Whether a nested resolve must return while this instance is incomplete, because only an outer resolve of the
    /// worker can complete it or one of its parts. `outer` contains the instances that the outer resolves have taken.
    func isLeft(to outer: ArraySlice<Taken>, on worker: Worker) -> Bool {
        leads(to: worker) || closure.contains { part in part.isInProgress && outer.contains { $0.isOf(part) } }
    }

    /// Whether a worker takes the incomplete instance and completes it itself, instead of waiting for another worker.
    func isOpen(to worker: Worker) -> Bool {
        if !isBuilt { return false }
        if maker === worker { return true }
        let isUnclaimed = closure.contains { if case .built = $0.state { $0.worker == nil } else { false } }
        return isUnclaimed || leads(to: worker)
    }
}

// MARK: - Waiting

extension PendingInstance {
    /// Whether the completion of this instance depends on a worker: the worker works on this instance or a part of it,
    /// or another worker works on one and waits in turn for an instance that depends on the worker. The closure is
    /// called with each waiting worker.
    func leads(to worker: Worker, _ body: (Worker) -> Void = { _ in }) -> Bool {
        let mark = Self.newMark()
        var leads = false
        var open = [self]
        while let next = open.popLast() {
            if next.mark == mark { continue }
            next.mark = mark
            if case .ended = next.state { continue }
            if next.worker === worker { leads = true }
            if let other = next.worker, let wait = other.wait?.pending {
                body(other)
                open.append(wait)
            }
            open += next.parts
        }
        return leads
    }

    /// The chain of instances from this one to one that a worker itself builds, if the worker cannot wait for this
    /// instance without a deadlock. Nil if there is no such chain, or if it contains an instance whose factory has
    /// returned, because a waiting worker can take that instance.
    func deadlock(of worker: Worker) -> [PendingInstance]? {
        var circle = [self]
        var last = self
        while case .building = last.state, let other = last.worker {
            if other === worker { return circle }
            guard let next = other.wait?.pending, !circle.contains(where: { $0 === next }) else { return nil }
            circle.append(next)
            last = next
        }
        return nil
    }

    /// The rest of the path on which the maker worker waits: the services after this instance's service, up to the
    /// awaited one. Empty if the maker does not wait, or if its path does not contain this service.
    var wayOn: [ServiceKey] {
        guard let path = maker.wait?.path, let start = path.lastIndex(where: { $0 == registration.key }) else {
            return []
        }
        return Array(path[(start + 1)...])
    }
}
