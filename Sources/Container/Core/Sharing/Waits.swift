import SharedState
import Synchronization

/// The constructions that wait for instances of others.
///
/// Two rules keep threads from waiting for each other for ever:
///
/// 1. A thread waits until the awaited instance is complete or has failed, mostly at the end of its construction. If
///    constructions wait for each other, the constructions in the circle become one group, which ends when all its
///    threads have run their completions.
/// 2. Inside a group, a thread waits only until the factory of the awaited instance has returned. If factories wait for
///    each other, the last factory to wait gets a circular error. The other thread is woken, builds the failed service
///    on its own thread, comes to its own service, and gets a circular error, too.
///
/// Example: thread 1 builds A, whose factory takes B, and thread 2 builds B.
///
/// - A completion of B takes A: thread 2 has built B, and waits for A. Thread 1 asks for B: the group forms, and it gets
///   B at once. When the factory of A has returned, thread 2 gets A. The last thread to run its completions publishes
///   A and B.
/// - The factory of B takes A: thread 1 waits for B. Thread 2 asks for A: the group forms, but both factories run. So
///   thread 2 throws the circular error, and B fails. Thread 1 builds B itself, whose factory asks for A, and throws, too.
///
/// The constructions of tasks never form groups: a task whose wait closes a circle gets a circular error.
///
/// All containers of the process share its lock. A construction takes it only if it must wait.
enum Waits {
    private static let lock = Lock(())

    /// Blocks a thread until an instance that another thread builds is complete or has failed. If the constructions of
    /// both are one, blocks only until the factory of the instance has returned.
    ///
    /// - Parameters:
    ///   - shared: the instance.
    ///   - thread: this thread. If it is in the middle of another task's construction, that construction waits, too.
    ///   - path: the services that have led to the instance, and the instance itself.
    /// - Returns: the instance if its scope is weak and it is complete, or nil.
    /// - Throws: a circular error with the path around the circle that this wait would close. Then the thread has not
    ///   waited.
    static func block(
        for shared: SharedInstance, on thread: ResolvingThread, path: [ServiceKey]
    ) throws(ResolutionError) -> StoredInstance? {
        var waiting: [Construction] = []
        defer { for one in waiting { remove(shared, of: one) } }
        for (construction, canMerge) in thread.constructions {
            // The construction that builds the instance cannot go on before this wait ends, if this task has begun in its
            // middle.
            let isOwn = construction === shared.construction
            if let circle = isOwn ? path : add(shared, of: construction, path: path, canMerge: canMerge) {
                throw ResolutionError(.circular, path: circle).with(path: circle)
            }
            waiting.append(construction)
        }
        let phaseSignal = shared.phaseSignal
        let weak = phaseSignal.block {
            guard case .built = shared.phase, let own = thread.construction else { return shared.phase.hasEnded }
            return lock.withLock { _ in own.isMerged(with: shared.construction) }
        }
        // The sender of the signal has kept the instance until then.
        return weak ?? shared.phase.instance ?? phaseSignal.sent
    }

    /// Records that a construction waits for an instance.
    ///
    /// - Parameters:
    ///   - awaited: the instance.
    ///   - construction: the construction that waits.
    ///   - path: the services that have led to the instance, and the instance itself.
    ///   - canMerge: whether the construction can become one with the construction of the instance.
    /// - Returns: nil, or the path around the circle that the wait would close. Then it is not recorded.
    static func add(
        _ awaited: SharedInstance, of construction: Construction, path: [ServiceKey], canMerge: Bool = false
    ) -> [ServiceKey]? {
        let wait = Construction.Wait(awaited: awaited, path: path, canMerge: canMerge)
        let (circle, toWake) = lock.withLock { _ -> ([ServiceKey]?, [SharedInstance]) in
            construction.waits.append(wait)
            var toWake: [SharedInstance] = []
            // The waits inside one group form no circle unless factories wait for each other.
            while canMerge, let circle = findCircle(from: wait, of: construction, mergingOnly: true), !circle.isOneGroup
            {
                toWake += merge(circle.constructions)
            }
            if isOver(wait, of: construction) { return (nil, toWake) }
            guard let circle = findCircle(from: wait, of: construction, mergingOnly: false) else {
                return (nil, toWake)
            }
            construction.removeWait(for: awaited)
            return (path + circle.way, toWake)
        }
        for shared in toWake { shared.wake() }
        return circle
    }

    static func remove(_ awaited: SharedInstance, of construction: Construction) {
        lock.withLock { _ in construction.removeWait(for: awaited) }
    }

    /// Records that the thread of a merged construction has run all its factories and completions.
    ///
    /// - Returns: the group, if this is its last construction to end, and the signal that is sent when it ends.
    static func recordEnd(
        of construction: Construction, _ completionError: ResolutionError?
    ) -> (Construction.Group?, Signal<Construction.Outcome>?) {
        lock.withLock { _ in
            guard let group = construction.group else { return (nil, nil) }
            group.ended += 1
            group.completionError = group.completionError ?? completionError
            return (group.ended == group.constructions.count ? group : nil, construction.groupEnd)
        }
    }

    private static func isOver(_ wait: Construction.Wait, of construction: Construction) -> Bool {
        let phase = wait.awaited.phase
        guard case .built = phase, wait.canMerge else { return phase.hasEnded }
        return construction.isMerged(with: wait.awaited.construction)
    }

    /// A circle of constructions that wait for each other.
    private struct Circle {
        var constructions: [Construction]
        /// The services on the way from the awaited instance back to the construction that waits for it, without the path
        /// of the wait itself.
        var way: [ServiceKey]

        var isOneGroup: Bool { constructions.allSatisfy(constructions[0].isMerged(with:)) }
    }

    /// Finds a circle of waits that a wait closes.
    ///
    /// - Parameters:
    ///   - wait: the wait.
    ///   - waiting: the construction that waits.
    ///   - mergingOnly: whether only waits count whose constructions can become one with others.
    /// - Returns: the circle, or nil if there is none, so that no construction waits for itself.
    private static func findCircle(
        from wait: Construction.Wait, of waiting: Construction, mergingOnly: Bool
    ) -> Circle? {
        var seen: Set<ObjectIdentifier> = []
        var open = needed(for: wait, of: waiting).map {
            (construction: $0, key: wait.awaited.key, circle: Circle(constructions: [waiting], way: []))
        }
        while let (construction, key, circle) = open.popLast() {
            if construction === waiting { return circle }
            if !seen.insert(ObjectIdentifier(construction)).inserted { continue }
            let constructions = circle.constructions + [construction]
            for other in construction.waits where !isOver(other, of: construction) && (other.canMerge || !mergingOnly) {
                // The way continues behind the service that it has reached, on the path to the instance that this
                // service waits for.
                let start = other.path.lastIndex(of: key) ?? -1
                let way = circle.way + other.path[(start + 1)...]
                for next in needed(for: other, of: construction) {
                    open.append((next, other.awaited.key, Circle(constructions: constructions, way: way)))
                }
            }
        }
        return nil
    }

    /// The constructions that must go on before a wait is over: inside a group, the construction of the awaited
    /// instance, and otherwise all constructions that end together with it. The construction of the instance is the
    /// last, so that the search begins there: only the paths of its own waits contain the awaited service, and make the
    /// path of the error.
    private static func needed(for wait: Construction.Wait, of construction: Construction) -> [Construction] {
        let other = wait.awaited.construction
        if wait.canMerge, construction.isMerged(with: other) { return [other] }
        return other.groupMembers.filter { $0 !== other } + [other]
    }
}

extension Construction {
    /// Constructions that end together.
    final class Group {
        var constructions: [Construction] = []
        /// The number of constructions whose threads have run all factories and completions.
        var ended = 0
        /// The error of a completion, or nil.
        var completionError: ResolutionError?
    }

    /// A wait of a construction for an instance of another one.
    struct Wait {
        let awaited: SharedInstance
        /// The services that have led to the awaited service, and the service itself.
        let path: [ServiceKey]
        /// Whether the construction can become one with the construction of the awaited instance.
        let canMerge: Bool
    }

    /// The constructions that this construction has become one with, and itself. The caller holds the lock of `Waits`.
    fileprivate var groupMembers: [Construction] { group?.constructions ?? [self] }

    fileprivate func removeWait(for awaited: SharedInstance) {
        if let index = waits.lastIndex(where: { $0.awaited === awaited }) { waits.remove(at: index) }
    }
}

// MARK: - Groups

extension Waits {
    /// Merges constructions, and the groups that they belong to.
    ///
    /// - Returns: the instances for which their threads wait.
    private static func merge(_ circle: [Construction]) -> [SharedInstance] {
        let group = Construction.Group()
        for one in circle where one.group !== group {
            group.ended += one.group?.ended ?? 0
            group.completionError = group.completionError ?? one.group?.completionError
            let members = one.groupMembers
            for member in members {
                member.group = group
                member.groupEnd = member.groupEnd ?? Signal()
                member.isInGroup.store(true, ordering: .releasing)
            }
            group.constructions += members
        }
        return group.constructions.flatMap { $0.waits.map(\.awaited) }
    }
}
