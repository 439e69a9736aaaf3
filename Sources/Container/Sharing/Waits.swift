import SharedState
import Synchronization

/// The constructions that wait for instances of others.
///
/// Its lock is the only one of the whole process. A construction takes it only if it must wait.
enum Waits {
    private static let graph = Lock(WaitGraph())

    /// Blocks a thread until an instance that another thread builds is complete or has failed. If the constructions of
    /// both are one, blocks only until the factory of the instance has returned.
    ///
    /// - Parameters:
    ///   - pending: the instance.
    ///   - own: the construction of this thread, or nil.
    ///   - path: the services that have led to the instance, and the instance itself.
    /// - Returns: nil, or the path around the circle that this wait would close. Then the thread has not waited.
    static func block(for pending: PendingInstance, from own: Construction?, path: [ServiceKey]) -> [ServiceKey]? {
        if let own, let circle = add(pending, of: own, path: path) { return circle }
        defer { if let own { remove(pending, of: own) } }
        pending.changed.block {
            guard case .built = pending.phase, let own else { return pending.phase.hasEnded }
            return graph.withLock { $0.areOne(own, pending.construction) }
        }
        return nil
    }

    /// Records that a construction waits for an instance.
    ///
    /// - Returns: nil, or the path around the circle that the wait would close. Then it is not recorded.
    static func add(_ awaited: PendingInstance, of construction: Construction, path: [ServiceKey]) -> [ServiceKey]? {
        let (circle, concerned) = graph.withLock { $0.add(awaited, of: construction, path: path) }
        for pending in concerned { pending.changed.wake() }
        return circle
    }

    static func remove(_ awaited: PendingInstance, of construction: Construction) {
        graph.withLock { $0.remove(awaited, of: construction) }
    }

    /// Records that the thread of a merged construction has run all its factories and completions.
    ///
    /// - Returns: all constructions of the group and whether one has failed, if this is the last one to end.
    static func finish(_ construction: Construction, _ hasFailed: Bool) -> ([Construction], Bool)? {
        graph.withLock { $0.finish(construction, hasFailed) }
    }
}

/// Who waits for whom.
///
/// Two rules keep threads from waiting for each other for ever:
///
/// 1. A thread waits until the construction of the awaited instance has ended. If constructions wait for each other,
///    those of the circle become one group, which ends when all its threads have run their completions.
/// 2. Inside a group, a thread waits only until the factory of the awaited instance has returned. If factories wait for
///    each other, the last one to wait gets a circular error.
///
/// The constructions of tasks never form groups: a task whose wait closes a circle gets a circular error.
private struct WaitGraph {
    /// The waits by the construction that waits. Only a task can wait for several instances.
    private var waits: [ObjectIdentifier: [Wait]] = [:]
    private var groups: [Group] = []

    private struct Wait {
        let awaited: PendingInstance
        /// The services that have led to the awaited one, and itself.
        let path: [ServiceKey]
    }

    private struct Group {
        let constructions: [Construction]
        /// The number of those whose threads have run all factories and completions.
        var ended: Int
        var hasFailed: Bool

        func contains(_ construction: Construction) -> Bool { constructions.contains { $0 === construction } }
    }

    /// Adds a wait.
    ///
    /// - Returns: the path around the circle of factories that the wait would close, or nil. The instances for which
    ///   those wait whose constructions have become one: their waits may be over.
    mutating func add(
        _ awaited: PendingInstance, of construction: Construction, path: [ServiceKey]
    ) -> (circle: [ServiceKey]?, concerned: [PendingInstance]) {
        let wait = Wait(awaited: awaited, path: path)
        waits[ObjectIdentifier(construction), default: []].append(wait)
        let concerned = awaited.registration.isAsync ? [] : mergeCircle(of: construction)
        if isOver(wait, of: construction) { return (nil, concerned) }
        guard let way = way(from: awaited, to: construction) else { return (nil, concerned) }
        remove(awaited, of: construction)
        return (path + way, concerned)
    }

    mutating func remove(_ awaited: PendingInstance, of construction: Construction) {
        let id = ObjectIdentifier(construction)
        guard let index = waits[id]?.firstIndex(where: { $0.awaited === awaited }) else { return }
        waits[id]?.remove(at: index)
        if waits[id]?.isEmpty == true { waits[id] = nil }
    }

    mutating func finish(_ construction: Construction, _ hasFailed: Bool) -> ([Construction], Bool)? {
        guard let index = groups.firstIndex(where: { $0.contains(construction) }) else { return nil }
        groups[index].ended += 1
        if hasFailed { groups[index].hasFailed = true }
        if groups[index].ended < groups[index].constructions.count { return nil }
        let group = groups.remove(at: index)
        return (group.constructions, group.hasFailed)
    }

    /// Whether two constructions are in one group.
    func areOne(_ one: Construction, _ other: Construction) -> Bool { group(of: one).contains { $0 === other } }

    /// The constructions that a construction has become one with, and itself.
    private func group(of construction: Construction) -> [Construction] {
        groups.first { $0.contains(construction) }?.constructions ?? [construction]
    }

    private func waits(of construction: Construction) -> [Wait] { waits[ObjectIdentifier(construction)] ?? [] }

    private func isOver(_ wait: Wait, of construction: Construction) -> Bool {
        let awaited = wait.awaited
        guard case .built = awaited.phase, !awaited.registration.isAsync else { return awaited.phase.hasEnded }
        return areOne(construction, awaited.construction)
    }

    /// The services through which the factory of one instance waits for another construction, without its own. Nil if it
    /// does not.
    private func way(from start: PendingInstance, to end: Construction) -> [ServiceKey]? {
        var seen: Set<ObjectIdentifier> = []
        var open: [(pending: PendingInstance, way: [ServiceKey])] = [(start, [])]
        while let (pending, way) = open.popLast() {
            let construction = pending.construction
            if construction === end { return way }
            if !seen.insert(ObjectIdentifier(construction)).inserted { continue }
            for wait in waits(of: construction) where !isOver(wait, of: construction) {
                let start = wait.path.lastIndex(of: pending.key) ?? -1
                open.append((wait.awaited, way + wait.path[(start + 1)...]))
            }
        }
        return nil
    }
}

// MARK: - Groups

extension WaitGraph {
    /// Makes the groups one that a construction waits for and that wait for it in turn.
    ///
    /// - Returns: the instances for which their threads wait.
    private mutating func mergeCircle(of construction: Construction) -> [PendingInstance] {
        let circle = reached(from: construction).filter { other in
            reached(from: other).contains { $0 === construction }
        }
        if circle.isEmpty { return [] }
        let former = groups.filter { group in circle.contains(where: group.contains) }
        groups.removeAll { group in circle.contains(where: group.contains) }
        groups.append(
            Group(
                constructions: circle, ended: former.reduce(0) { $0 + $1.ended },
                hasFailed: former.contains(where: \.hasFailed)))
        for one in circle { one.merge() }
        return circle.flatMap { waits(of: $0).map(\.awaited) }
    }

    /// The members of all groups that the group of a construction waits for, directly or through others.
    private func reached(from construction: Construction) -> [Construction] {
        var found: [Construction] = []
        var open = group(of: construction)
        while let next = open.popLast() {
            for wait in waits(of: next) where !wait.awaited.phase.hasEnded {
                let others = group(of: wait.awaited.construction)
                let isKnown = others.contains { other in other === next || found.contains { $0 === other } }
                if isKnown { continue }
                found += others
                open += others
            }
        }
        return found
    }
}
