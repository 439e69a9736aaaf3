import Dispatch
import SharedState

// How a service follows its settings
//
// Logging. The construction of a following service has a `ReadLog`. Its resolvers, and those of the unshared services
// that it builds, read through a store that adds to it each name and the node that was found. Nothing else is in it:
// other resolvers read from the store of the container.
//
// Comparing. The first following registration observes the store. After a new state, a task compares what each current
// instance has read with the current properties. If such a task runs already, it compares again. The outdated services,
// and the following ones that hold them, form groups that hold each other. The task waits for nothing.
//
// Replacing. Each group is replaced in a task of its own, so that a group that hangs does not block the others. The
// instances of a group are built as any shared instance is, but a `Replacement` owns them, and only the factories of
// the group find them. When all of them are complete, one change of the registry makes them the current ones. If one
// fails, none is used, and those that were built are closed. If something that was read changes meanwhile, the
// replacement is cancelled, and another one begins at once with the last state unless nothing is outdated any more.
// Whatever the former factories still return is closed.
//
// Closing. From the moment that an instance is complete, it is in `Registry.complete`. Whoever removes it from there
// closes it: the end of the drain time, the end of a failed replacement, or `close()`. A replacement is an activity,
// which `close()` waits for.
//
// Races. A construction compares its reads when it is published. If the properties have changed meanwhile, it requests
// another comparison. A service that was built from an instance that is replaced meanwhile is stale or outdated.

/// A following service whose current instance is not built from the current properties.
public struct OutdatedService: Sendable, CustomStringConvertible {
    /// The name of the service, with its qualifier.
    public let service: String
    /// How the properties that it was built from have changed. Secrets are masked in the descriptions.
    public let changes: [PropertyChange<PropertyEntry>]

    /// The name of the service, and the changes.
    public var description: String {
        changes.isEmpty ? service : "\(service): \(changes.map(\.description).joined(separator: ", "))"
    }
}

extension Container {
    /// The names of the following services whose current instance is not built from the current properties: a new one
    /// is being built, or could not be built. The names are sorted. `onFailure(_:)` gets the error of a failed
    /// construction, and the next change of the properties tries again.
    public var behind: [String] { outdatedServices.map(\.service) }

    /// The services of `behind`, each with the changes of properties since its current instance was built.
    public var outdatedServices: [OutdatedService] {
        outdatedGroups().flatMap { group in
            let changes = group.compactMap(\.reads).changes(in: properties)
            return group.map { OutdatedService(service: $0.key.description, changes: changes) }
        }.sorted { $0.service < $1.service }
    }

    /// Whether following services are being replaced, for tests.
    package var isReplacing: Bool {
        registry.withRead { $0.following.isComparing || !$0.following.replacements.isEmpty }
    }

    /// Observes the properties, for the services that follow their settings.
    func observeSettings() {
        if registry.withRead({ $0.following.observation != nil }) { return }
        var new: SettingsObservation? = SettingsObservation(of: properties) { [weak self] in
            self?.settingsChanged(isChange: true)
        }
        registry.withWrite { if $0.following.observation == nil { swap(&$0.following.observation, &new) } }
    }

    /// Makes a task compare the instances with the properties.
    ///
    /// - Parameter isChange: whether the properties have changed. If false, an outdated instance was completed, or a
    ///   replacement has ended.
    func settingsChanged(isChange: Bool = false) {
        let isFirst = registry.withWrite { registry in
            guard registry.isOpen else { return false }
            if isChange { registry.following.change += 1 }
            registry.following.isChanged = true
            if registry.following.isComparing { return false }
            registry.following.isComparing = true
            registry.beginActivity()
            return true
        }
        if isFirst { Task.detached { self.compareWithSettings() } }
    }

    private func compareWithSettings() {
        while takeChange() { updateReplacements() }
        endActivity()
    }

    /// Returns whether something has changed since the last comparison. Otherwise the task ends.
    private func takeChange() -> Bool {
        registry.withWrite { registry in
            registry.following.isComparing = registry.following.isChanged && registry.isOpen
            registry.following.isChanged = false
            return registry.following.isComparing
        }
    }

    /// The current instances that follow their settings, in the order of their completion.
    private var followers: [SharedInstance] {
        registry.withRead { registry in
            registry.complete.filter { $0.registration.follows && registry.current(of: $0.registration) === $0 }
        }
    }

    /// Returns the current instances that must be replaced, in groups that hold each other.
    private func outdatedGroups() -> [[SharedInstance]] {
        let followers = followers
        let outdated = followers.indices.filter { index in
            followers[index].isOutdated
                || ![followers[index].reads].compactMap(\.self).changes(in: properties).isEmpty
        }
        if outdated.isEmpty { return [] }
        let indices = Dictionary(zip(followers.map(\.key), followers.indices)) { $1 }
        let holds = followers.enumerated().flatMap { holder, shared in
            shared.takes.filter { !$0.isDeferred }.compactMap { take in
                indices[take.key].map { (holder, other: $0) }
            }
        }
        return Self.groups(of: outdated, along: holds).map { group in group.map { followers[$0] } }
    }

    /// A service that holds an outdated one joins its group, together with its own group.
    private static func groups(of outdated: [Int], along holds: [(holder: Int, other: Int)]) -> [[Int]] {
        var groups = outdated.map { Set([$0]) }
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
        return groups.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }
}

// MARK: - Replacing

extension Container {
    /// Cancels the replacements that the last change has made useless, and begins those that are needed.
    private func updateReplacements() {
        var groups = outdatedGroups()
        let (running, failed, change) = registry.withRead {
            ($0.following.replacements, $0.following.failed, $0.following.change)
        }
        for replacement in running {
            // The next comparison is at its end.
            if replacement.isEnding {
                groups.removeAll(where: replacement.concerns)
            } else if let same = groups.firstIndex(where: { replacement.builds($0, in: properties) }) {
                groups.remove(at: same)
            } else {
                registry.withWrite { $0.following.replacements.removeAll { $0 === replacement } }
                replacement.abandon()
            }
        }
        for group in groups where !failed.contains(where: { $0.change == change && $0.concerns(group) }) {
            begin(Replacement(of: group, among: ownRegistrations, after: change))
        }
    }

    /// Whether an instance was built from a following one that has been replaced meanwhile.
    func holdsFormer(_ shared: SharedInstance) -> Bool {
        registry.withRead { registry in
            shared.takes.contains { take in
                guard !take.isDeferred, take.owner == ObjectIdentifier(self),
                    let registration = registry.registration(of: take.key), registration.follows,
                    // The instances of one replacement become current together.
                    shared.replacement?.contains(registration) != true, let current = registry.current(of: registration)
                else { return false }
                return current.id != take.id
            }
        }
    }

    private func begin(_ replacement: Replacement) {
        registry.withWrite { registry in
            registry.following.failed.removeAll { $0.concerns(replacement.former) }
            registry.following.replacements.append(replacement)
            registry.beginActivity()
        }
        replacement.setTask(Task.detached { await self.replace(replacement) })
    }

    /// Builds new instances of services that hold each other, and makes them the current ones.
    private func replace(_ replacement: Replacement) async {
        let former = replacement.former
        let changes = former.compactMap(\.reads).changes(in: properties)
        let registrations = former.map(\.registration)
        let problems = await build(registrations, for: replacement)
        if problems.isEmpty, let number = exchange(replacement) {
            let draining = registrations.compactMap(\.options.draining).max() ?? .zero
            retire(number, after: draining)
            let closures = registrations.flatMap(\.options.replaceClosures)
            if !closures.isEmpty { await onThread { for closure in closures { closure(changes) } } }
        } else {
            await fail(replacement, with: problems, after: changes)
        }
        end(replacement)
    }

    /// Makes the new instances of a replacement the current ones, all in one step.
    ///
    /// Services that were built from a former instance are outdated then. The next round replaces them.
    ///
    /// - Returns: the number of the exchange. Returns nil and changes nothing if the replacement is over, or if a
    ///   former instance is no longer current because its service was registered again, reset or closed.
    private func exchange(_ replacement: Replacement) -> Int? {
        let former = replacement.former
        var removed: [SharedInstance] = []
        let number = registry.withWrite { registry -> Int? in
            let new = former.compactMap { replacement.instance(of: $0.registration) }
            let isCurrent = former.allSatisfy { registry.current(of: $0.registration) === $0 }
            guard registry.isOpen, !replacement.isOver, isCurrent, new.count == former.count else { return nil }
            registry.following.exchanges += 1
            for (old, new) in zip(former, new) {
                registry.exchange(old, for: new)
                old.endCurrency(in: registry.following.exchanges)
                // A factory may return the same object again, which then stays open.
                if old.hasInstance(of: new) { removed += registry.removeComplete { $0 === old } }
            }
            let ids = Set(former.map(\.id))
            let renewed = Set(new.map { ObjectIdentifier($0) })
            for shared in registry.complete
            where shared.registration.follows && !renewed.contains(ObjectIdentifier(shared))
                && shared.isBuilt(from: ids)
            {
                shared.expire()
                registry.following.isChanged = true
            }
            replacement.beginEnd()
            return registry.following.exchanges
        }
        for shared in removed { withExtendedLifetime(shared.enter(.closed)) {} }
        return number
    }

    /// Closes the instances of a failed replacement, and reports its problems.
    private func fail(
        _ replacement: Replacement, with problems: [ResolutionError], after changes: [PropertyChange<PropertyEntry>]
    ) async {
        let isOver = replacement.beginEnd()
        let left = replacement.end().filter { $0.phase.instance($0.registration) != nil }
        let removed = registry.withWrite { registry in
            registry.beginActivity()
            return registry.removeComplete { shared in left.contains { $0 === shared } }
        }
        let removal = Removal(of: removed.map { ($0, self) }, activities: [self])
        if removal.isEmpty { removal.run() } else { await onThread { removal.run() } }
        if problems.isEmpty || isOver || !isOpen { return }
        registry.withWrite { $0.following.failed.append(replacement) }
        let causes = changes.map(\.description).joined(separator: ", ")
        for problem in problems.withoutConsequences {
            report(ResolutionError(.replacementFailed, path: problem.keys, cause: problem, detail: causes))
        }
    }

    private func end(_ replacement: Replacement) {
        let left = replacement.end()
        registry.withWrite { $0.following.replacements.removeAll { $0 === replacement } }
        withExtendedLifetime(left) {}
        settingsChanged()
        endActivity()
    }

    /// Closes instances that have been replaced, unless `close()` does.
    private func retire(_ number: Int, after draining: Duration) {
        if draining <= .zero { return retire(number) }
        // The thread of the timers must not release a user's object, whose deinit could block it.
        Deadline(after: draining).whenReached { [weak self] in
            DispatchQueue(label: "Container.close").async { [weak self] in self?.retire(number) }
        }
    }

    private func retire(_ number: Int) {
        let (removed, reused) = registry.withWrite { registry -> ([SharedInstance], [SharedInstance]) in
            registry.beginActivity()
            guard registry.isOpen else { return ([], []) }
            let removed = registry.removeComplete { $0.exchange == number }
            // A factory may have returned the current object again.
            let reused = removed.filter { old in
                registry.current(of: old.registration).map(old.hasInstance) ?? false
            }
            return (removed.filter { old in !reused.contains { $0 === old } }, reused)
        }
        for shared in reused { withExtendedLifetime(shared.enter(.closed)) {} }
        let removal = Removal(of: removed.map { ($0, self) }, activities: [self])
        if removal.isEmpty { return removal.run() }
        // A synchronous hook may block, so it must not occupy a thread of the pool that runs tasks.
        DispatchQueue(label: "Container.close").async { removal.run() }
    }
}

/// Runs what may block on a thread that runs no tasks.
func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "Container.replace").async {
            body()
            continuation.resume()
        }
    }
}
