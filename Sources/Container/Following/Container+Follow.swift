import Dispatch
import SharedState

// How a service follows its settings
//
// Logging. The construction of a following service has a `ReadLog`. Its resolvers, and those of the unshared services
// that it builds, read through a store that adds to it each name and the node that was found. Nothing else is in it:
// other resolvers read from the store of the container.
//
// Rounds. The first following registration observes the store. A new state begins a round in a task, or marks the round
// that runs, which then begins again at its end. So a burst of changes causes two rounds at most, and the last one sees
// the last state. A round compares what each current instance has read with the current properties. The outdated
// services, and the following ones that hold them, form groups that hold each other.
//
// Replacing. The instances of a group are built as any shared instance is, but they are kept in `replacements` instead
// of `slots`, where lookups do not find them. Only the factories of the group do: a `PendingInstance` knows its
// `Replacement`. When all of them are complete, one change of the registry makes them the current ones. If one fails,
// none is used, and those that were built are closed.
//
// Closing. From the moment that an instance is complete, it has a record in `closing.records`. Whoever removes the record
// closes the instance: the end of the drain time, the end of a failed replacement, or `close()`. A round is an activity,
// which `close()` waits for.
//
// Races. What is built while the properties change compares its reads when it is kept, and begins a round if they have
// changed. What is built from an instance that is replaced meanwhile is stale: see `Registry.replace`.

extension Container {
    /// The following services whose current instance is not built from the current properties, because a new one could
    /// not be built. They are sorted by name. `onFailure(_:)` has got the errors. The next change tries again.
    public var behind: [String] { registry.withRead { $0.following.behind } }

    /// Whether following services are being replaced, for tests.
    package var isReplacing: Bool { registry.withRead { $0.following.isRunning } }

    /// Observes the properties, for the services that follow their settings.
    func observeSettings() {
        if registry.withRead({ $0.following.observation != nil }) { return }
        let new = SettingsObservation(of: properties) { [weak self] in self?.settingsChanged() }
        registry.withWrite { if $0.following.observation == nil { $0.following.observation = new } }
    }

    /// Begins a round, or lets the one that runs begin again at its end.
    func settingsChanged() {
        let isFirst = registry.withWrite { registry in
            guard registry.closing.isOpen else { return false }
            registry.following.isChanged = true
            if registry.following.isRunning { return false }
            registry.following.isRunning = true
            registry.closing.activities += 1
            return true
        }
        if isFirst { Task.detached { await self.followSettings() } }
    }

    private func followSettings() async {
        while takeChange() {
            var behind: [String] = []
            for group in outdatedGroups() where await !replace(group) {
                behind += group.map(\.registration.key.description)
            }
            registry.withWrite { [behind] in $0.following.behind = behind.sorted() }
        }
        endActivity()
    }

    /// Begins a round if the properties have changed since the last one. Otherwise the task ends.
    private func takeChange() -> Bool {
        registry.withWrite { registry in
            registry.following.isRunning = registry.following.isChanged && registry.closing.isOpen
            registry.following.isChanged = false
            return registry.following.isRunning
        }
    }

    /// Returns the current instances that must be replaced, in groups that hold each other.
    private func outdatedGroups() -> [[ServiceRecord]] {
        let records = registry.withRead { $0.followers }
        let outdated = records.indices.filter { index in
            records[index].isStale || ![records[index].reads].compactMap(\.self).changes(in: properties).isEmpty
        }
        var groups = outdated.map { Set([$0]) }
        if groups.isEmpty { return [] }
        let indices = Dictionary(zip(records.map(\.registration.key), records.indices)) { $1 }
        let holds = records.enumerated().flatMap { holder, record in
            record.takes.filter { !$0.isDeferred }.compactMap { take in
                indices[take.key].map { (holder, other: $0) }
            }
        }
        // Whoever holds an outdated service joins its group, and brings along its own group.
        var isDone = false
        while !isDone {
            isDone = true
            for (holder, other) in holds where groups.contains(where: { $0.contains(other) && !$0.contains(holder) }) {
                let joined = groups.filter { $0.contains(holder) || $0.contains(other) }
                groups.removeAll { $0.contains(holder) || $0.contains(other) }
                groups.append(joined.reduce([holder]) { $0.union($1) })
                isDone = false
            }
        }
        return groups.map { $0.sorted() }.sorted { $0[0] < $1[0] }.map { group in group.map { records[$0] } }
    }
}

// MARK: - Replacing

extension Container {
    /// Builds new instances of services that hold each other, and makes them the current ones.
    ///
    /// - Returns: false if one of them could not be built, so that all former instances stay.
    private func replace(_ former: [ServiceRecord]) async -> Bool {
        let reads = former.compactMap(\.reads)
        let changes = reads.changes(in: properties)
        let registrations = former.map(\.registration)
        let replacement = Replacement(of: registrations, among: ownRegistrations)
        registry.withWrite { $0.following.replacement = replacement }
        let problems = await build(registrations, for: replacement)
        let keys = Set(replacement.registrations.keys)
        let (removed, left) = registry.withWrite { registry in
            registry.following.replacement = nil
            let removed = problems.isEmpty ? registry.replace(former, keys: keys) : nil
            return (removed, registrations.compactMap { registry.replacements.removeValue(forKey: $0.id) })
        }
        if removed != nil {
            let draining = registrations.compactMap(\.options.draining).max() ?? .zero
            Deadline(after: draining).whenReached { [weak self] in self?.retire(reads) }
            for closure in registrations.flatMap(\.options.replaceClosures) { closure(changes) }
            return true
        }
        retire(left.compactMap(\.reads))
        if problems.isEmpty || !isOpen { return true }
        let causes = changes.map(\.description).joined(separator: ", ")
        for problem in problems.withoutConsequences {
            report(ResolutionError(.replacementFailed, path: problem.keys, cause: problem, detail: causes))
        }
        return false
    }

    /// Closes instances that are not current any more, unless `close()` does.
    private func retire(_ reads: [ReadLog]) {
        var records: [ServiceRecord] = []
        change { registry in
            registry.closing.activities += 1
            guard registry.closing.isOpen else { return [] }
            let removed = registry.closing.removeRecords { record in reads.contains { $0 === record.reads } }
            // A factory may have returned the current object again.
            records = removed.filter { registry.slots[$0.registration.id]?.instance?.object !== $0.instance.object }
            return removed
        }
        let hooks = records.hooksInOrder
        if hooks.isEmpty { return endActivity() }
        // A synchronous hook may block, so it must not occupy a thread of the pool that runs tasks.
        DispatchQueue(label: "Container.close").async { self.run(hooks) }
    }
}
