import SharedState
import Synchronization

/// Which instances that tasks build wait for which others. A wait that would close a circle is an error.
enum TaskWaits {
    private struct Wait {
        let awaited: PendingInstance
        /// From the instance that waits to the awaited one.
        let path: [ServiceKey]
    }

    /// A lock of the whole process, which each wait of one construction for another takes twice.
    private static let waits = Lock<[ObjectIdentifier: [Wait]]>([:])

    /// Records that an instance waits for another one.
    ///
    /// - Returns: the path around the circle that the wait would close. Nil if there is none.
    static func add(_ awaited: PendingInstance, of asker: PendingInstance, path: [ServiceKey]) -> [ServiceKey]? {
        // The path of a resolve in a task that the factory has started does not begin with its service.
        let path = path.first == asker.key ? path : [asker.key] + path
        return waits.withLock { waits in
            if let rest = way(from: awaited, to: asker, waits) { return path + rest }
            waits[ObjectIdentifier(asker), default: []].append(Wait(awaited: awaited, path: path))
            return nil
        }
    }

    static func remove(_ awaited: PendingInstance, of asker: PendingInstance) {
        waits.withLock { waits in
            let key = ObjectIdentifier(asker)
            guard let index = waits[key]?.firstIndex(where: { $0.awaited === awaited }) else { return }
            waits[key]?.remove(at: index)
            if waits[key]?.isEmpty == true { waits[key] = nil }
        }
    }

    /// The services through which one instance waits for another one, without its own. Nil if it does not.
    private static func way(
        from start: PendingInstance, to end: PendingInstance, _ waits: [ObjectIdentifier: [Wait]]
    ) -> [ServiceKey]? {
        var seen: Set<ObjectIdentifier> = []
        var open: [(pending: PendingInstance, way: [ServiceKey])] = [(start, [])]
        while let (pending, way) = open.popLast() {
            if pending === end { return way }
            if !seen.insert(ObjectIdentifier(pending)).inserted { continue }
            for wait in waits[ObjectIdentifier(pending)] ?? [] {
                open.append((wait.awaited, way + wait.path.dropFirst()))
            }
        }
        return nil
    }
}
