/// Who waits for whom among the threads that build shared instances.
///
/// The threads of a circle have constructions that wait for each other. They become one, in which a thread gets an
/// instance as soon as its factory has returned. If that lets none of them go on, all of them wait for factories, and
/// the last one to wait gets a circular error.
struct WaitGraph {
    private var waiters: [Waiter] = []
    /// The paths of the waits that end with a circular error.
    private var circles: [ObjectIdentifier: [ServiceKey]] = [:]
    private var groups: [Group] = []

    /// Constructions that have become one.
    private struct Group {
        var constructions: [Construction]
        /// Those that have not ended yet.
        var running: [Construction]
        var hasFailed = false

        func contains(_ construction: Construction) -> Bool { constructions.contains { $0 === construction } }
    }

    /// Adds a thread that begins to wait.
    mutating func add(_ waiter: Waiter) {
        waiters.append(waiter)
        while merge(orFailFor: waiter) {}
        wakeThoseThatCanGo()
    }

    /// Ends a wait if that is possible, and returns its outcome.
    mutating func takeOutcome(of waiter: Waiter) -> Waits.Outcome? {
        let circle = circles.removeValue(forKey: ObjectIdentifier(waiter))
        guard let outcome = circle.map({ .circular($0) }) ?? outcome(of: waiter) else { return nil }
        waiters.removeAll { $0 === waiter }
        return outcome
    }

    /// Wakes the threads whose waits are over.
    func wakeThoseThatCanGo() { for waiter in waiters where isOver(waiter) { waiter.wake() } }

    /// The number of threads whose waits for instances of a container go on.
    func count(in container: Container) -> Int {
        waiters.count { !isOver($0) && ($0.pending?.container ?? $0.construction?.container) === container }
    }

    /// See `Waits.finish`.
    mutating func finish(_ construction: Construction, _ hasFailed: Bool) -> ([Construction], Bool)? {
        guard let index = groups.firstIndex(where: { $0.contains(construction) }) else {
            return ([construction], hasFailed)
        }
        groups[index].running.removeAll { $0 === construction }
        groups[index].hasFailed = groups[index].hasFailed || hasFailed
        if !groups[index].running.isEmpty { return nil }
        let group = groups.remove(at: index)
        return (group.constructions, group.hasFailed)
    }
}

// MARK: - Waits

extension WaitGraph {
    private func isOver(_ waiter: Waiter) -> Bool {
        circles[ObjectIdentifier(waiter)] != nil || outcome(of: waiter) != nil
    }

    /// The outcome of a wait, or nil if it goes on.
    private func outcome(of waiter: Waiter) -> Waits.Outcome? {
        guard let pending = waiter.pending else { return waiter.construction?.isComplete == nil ? nil : .again }
        switch pending.phase {
        case .building: return nil
        case .built(let instance): return isInsider(waiter, of: pending) ? .incomplete(instance) : nil
        case .complete(let instance): return .complete(instance)
        case .failed: return .again
        }
    }

    /// Whether a thread builds the awaited instance together with others.
    private func isInsider(_ waiter: Waiter, of pending: PendingInstance) -> Bool {
        guard let own = waiter.construction, let builder = pending.construction else { return false }
        return group(of: builder).contains(own)
    }

    /// The constructions that must go on before a wait can end.
    private func blockers(of waiter: Waiter) -> [Construction] {
        if isOver(waiter) { return [] }
        if let pending = waiter.pending, let builder = pending.construction {
            return isInsider(waiter, of: pending) ? [builder] : group(of: builder).running
        }
        // The thread waits for the end of its group, which may be coming just now.
        return groups.first { group in waiter.construction.map(group.contains) == true }?.running ?? []
    }

    /// The constructions that a construction has become one with, or only itself.
    private func group(of construction: Construction) -> Group {
        groups.first { $0.contains(construction) } ?? Group(constructions: [construction], running: [construction])
    }

    private func waiter(of construction: Construction) -> Waiter? {
        waiters.first { $0.construction === construction }
    }
}

// MARK: - Circles

extension WaitGraph {
    /// Merges the constructions of one circle of waits, or ends a wait of it with a circular error.
    ///
    /// - Parameter last: the thread that was the last one to wait.
    /// - Returns: whether there was a circle.
    private mutating func merge(orFailFor last: Waiter) -> Bool {
        for waiter in [last] + waiters {
            let circle = circle(of: waiter)
            if circle.isEmpty { continue }
            if !merge(circle.compactMap(\.construction)) {
                let failing = circle.contains { $0 === last } ? last : waiter
                circles[ObjectIdentifier(failing)] = path(around: failing)
            }
            return true
        }
        return false
    }

    /// The waiters that a waiter waits for and that wait for it in turn, and itself. Empty if there are none.
    private func circle(of waiter: Waiter) -> [Waiter] {
        let reached = reached(from: waiter)
        if !reached.contains(where: { $0 === waiter }) { return [] }
        return reached.filter { other in self.reached(from: other).contains { $0 === waiter } }
    }

    /// The waiters that a waiter waits for, directly or through others.
    private func reached(from waiter: Waiter) -> [Waiter] {
        var found: [Waiter] = []
        var open = [waiter]
        while let next = open.popLast() {
            for other in blockers(of: next).compactMap(self.waiter) where !found.contains(where: { $0 === other }) {
                found.append(other)
                open.append(other)
            }
        }
        return found
    }

    /// Makes constructions and those that they were merged with one.
    ///
    /// - Returns: false if they were one before.
    private mutating func merge(_ constructions: [Construction]) -> Bool {
        guard var merged = constructions.first.map(group) else { return false }
        if constructions.allSatisfy(merged.contains) { return false }
        for one in constructions where !merged.contains(one) {
            let other = group(of: one)
            merged.constructions += other.constructions
            merged.running += other.running
            merged.hasFailed = merged.hasFailed || other.hasFailed
        }
        groups.removeAll { merged.contains($0.constructions[0]) }
        groups.append(merged)
        for one in merged.constructions { one.merge() }
        return true
    }
}

// MARK: - Paths

extension WaitGraph {
    /// The path from the outermost service of a waiting thread around the circle, up to a service that it repeats.
    private func path(around waiter: Waiter) -> [ServiceKey] {
        waiter.path + (waiter.pending.flatMap { path(from: $0) } ?? [])
    }

    /// The services that an instance under construction leads to, through one thread that waits after the other.
    func path(from pending: PendingInstance) -> [ServiceKey]? {
        var (path, seen, next) = ([ServiceKey](), [PendingInstance](), pending)
        while let construction = next.construction, let waiter = waiter(of: construction), let awaited = waiter.pending,
            !seen.contains(where: { $0 === next })
        {
            let start = waiter.path.lastIndex(of: next.key) ?? -1
            path += waiter.path[(start + 1)...]
            seen.append(next)
            next = awaited
        }
        return path.isEmpty ? nil : path
    }
}
