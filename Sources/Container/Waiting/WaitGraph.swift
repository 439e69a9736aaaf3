/// Who waits for whom among the threads that build shared instances.
///
/// The threads of a circle have constructions that wait for each other. They become one, in which a thread gets an
/// instance as soon as its factory has returned. If that lets none of them go on, all of them wait for factories, and
/// the last one to wait gets a circular error.
struct WaitGraph {
    private var waiters: [Waiter] = []
    /// The paths of the waits that end with a circular error.
    private var circles: [ObjectIdentifier: [ServiceKey]] = [:]
    private var groups: [ObjectIdentifier: Group] = [:]

    /// Constructions that have become one.
    private final class Group {
        var constructions: [Construction]
        var running: [Construction]
        var hasFailed = false
        init(_ constructions: [Construction]) { (self.constructions, running) = (constructions, constructions) }
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
        guard let group = groups[ObjectIdentifier(construction)] else { return ([construction], hasFailed) }
        group.running.removeAll { $0 === construction }
        group.hasFailed = group.hasFailed || hasFailed
        if !group.running.isEmpty { return nil }
        for one in group.constructions { groups[ObjectIdentifier(one)] = nil }
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
        guard let pending = waiter.pending else { return waiter.construction?.outcome == nil ? nil : .again }
        switch pending.phase {
        case .building: return nil
        case .built(let instance):
            return areOne(waiter.construction, pending.construction) ? .incomplete(instance) : nil
        case .complete(let instance): return .complete(instance)
        case .failed: return .again
        }
    }

    private func areOne(_ one: Construction?, _ other: Construction?) -> Bool {
        guard let one, let other else { return false }
        if one === other { return true }
        guard let group = groups[ObjectIdentifier(one)] else { return false }
        return group === groups[ObjectIdentifier(other)]
    }

    /// The constructions that must go on before a wait can end.
    private func blockers(of waiter: Waiter) -> [Construction] {
        if isOver(waiter) { return [] }
        guard let pending = waiter.pending, let builder = pending.construction else {
            return waiter.construction.flatMap { groups[ObjectIdentifier($0)]?.running } ?? []
        }
        return areOne(waiter.construction, builder) ? [builder] : running(builder)
    }

    /// The constructions of a group that have not ended yet.
    private func running(_ construction: Construction) -> [Construction] {
        groups[ObjectIdentifier(construction)]?.running ?? [construction]
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
        guard let first = constructions.first, !constructions.allSatisfy({ areOne(first, $0) }) else { return false }
        var all: [Construction] = []
        var hasFailed = false
        var running: [Construction] = []
        for one in constructions where !all.contains(where: { $0 === one }) {
            let group = groups[ObjectIdentifier(one)] ?? Group([one])
            all += group.constructions
            running += group.running
            hasFailed = hasFailed || group.hasFailed
        }
        let group = Group(all)
        (group.running, group.hasFailed) = (running, hasFailed)
        for one in all {
            groups[ObjectIdentifier(one)] = group
            one.merge()
        }
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
