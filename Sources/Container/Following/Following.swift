/// What a container knows of its services that follow their settings. Its lock guards it.
struct FollowingState {
    /// Nil until such a service is registered.
    var observation: SettingsObservation?
    /// Whether a task replaces services.
    var isRunning = false
    /// Whether the properties have changed since that task last looked for changes.
    var isChanged = false
    /// The replacement that is being built, or nil.
    var replacement: Replacement?
    /// The services that could not be replaced.
    var behind: [String] = []
}

/// Calls a function after each change of a store or of a store above it, until it is deallocated.
final class SettingsObservation: Sendable {
    private let observers: [(store: PropertyStore, number: Int)]

    init(of store: PropertyStore, _ action: @escaping @Sendable () -> Void) {
        observers = sequence(first: store, next: \.parent).map { ($0, $0.addObserver(action)) }
    }

    deinit { for observer in observers { observer.store.removeObserver(observer.number) } }
}

/// Following services that are replaced together, because they hold each other.
final class Replacement: Sendable {
    /// Their registrations, and those that forward to them. Factories of the replacement get the new instances of these.
    let registrations: [ServiceKey: Registration]

    init(of services: [Registration], among all: [Registration]) {
        let ids = Set(services.map(\.id))
        let concerned = all.filter { ids.contains(($0.target ?? $0).id) }.map { ($0.key, $0) }
        registrations = Dictionary(concerned) { $1 }
    }

    func contains(_ registration: Registration) -> Bool { registrations[registration.key] === registration }
}

// MARK: - Replacing

extension Registry {
    /// The records of the current instances that follow their settings.
    var followers: [ServiceRecord] {
        closing.records.filter { $0.reads != nil && slots[$0.registration.id]?.reads === $0.reads }
    }

    /// Makes new instances the current ones, all in one step.
    ///
    /// Whatever else was built from a former one is stale then: it is built again, or replaced in the next round.
    ///
    /// - Parameters:
    ///   - former: the records of the former instances.
    ///   - keys: the keys by which they are found.
    /// - Returns: what has been removed, or nil if a former instance is not the current one any more, because it was
    ///   registered again, reset or closed. Then nothing changes.
    mutating func replace(_ former: [ServiceRecord], keys: Set<ServiceKey>) -> [Any]? {
        let isCurrent = former.allSatisfy { record in
            let id = record.registration.id
            return slots[id]?.reads === record.reads && replacements[id]?.instance != nil
        }
        guard closing.isOpen, isCurrent else { return nil }
        var removed: [Any] = []
        for record in former {
            let id = record.registration.id
            guard let slot = slots[id], let new = replacements.removeValue(forKey: id) else { continue }
            removed.append(slot)
            removed += slot.keys.map { removeInstance(of: $0) as Any }
            slots[id] = new
            setInstance(new.instance, of: record.registration)
            // A factory may return the same object again, which then stays open.
            if new.instance?.object === record.instance.object {
                removed.append(closing.removeRecords { $0.reads === record.reads })
            }
        }
        let current = Set(former.compactMap { slots[$0.registration.id]?.reads.map { ObjectIdentifier($0) } })
        for index in closing.records.indices {
            guard let reads = closing.records[index].reads, !current.contains(ObjectIdentifier(reads)) else { continue }
            if closing.records[index].takes.contains(where: { !$0.isDeferred && keys.contains($0.key) }) {
                (closing.records[index].isStale, following.isChanged) = (true, true)
            }
        }
        for pending in allSlots.compactMap(\.pending) { pending.expire(ifBuiltFrom: keys) }
        return removed
    }
}
