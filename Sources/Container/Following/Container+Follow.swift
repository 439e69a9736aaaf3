import Dispatch
import SharedState

// How a service follows its settings
//
// Logging. The construction of a following service has a `ReadLog`. Its resolvers, and those of the unshared services
// that it builds, read through a store that adds to it each name and the node that was found. Nothing else is in it:
// other resolvers read from the store of the container.
//
// Comparing. The first following registration observes the store. After a new state, a task compares what each current
// instance has read with the current properties, and what it holds with the current instances. If such a task runs
// already, it compares again. It waits for nothing.
//
// Replacing. Each outdated service is replaced alone, in a task of its own, when nothing that it holds is outdated. The
// new instance is built as any shared instance is, and its factory finds what is current. Publication puts it in the place
// of the former one, unless that is not current any more. If something that was read changes meanwhile, the replacement is
// dropped, and another one begins at once with the last state unless nothing is outdated any more. What the dropped one
// still builds is closed when it is published.
//
// Closing. From the moment that an instance is complete, it is in `Registry.complete`. Whoever removes it from there
// closes it: the end of its drain time if no open instance holds it, or `close()`. A replacement is an activity, which
// `close()` waits for.

/// A following service whose current instance is not built from the current properties.
public struct OutdatedService: Sendable, CustomStringConvertible {
    /// The name of the service, with its qualifier.
    public let service: String
    /// How the properties that it, and what it holds, were built from have changed. Secrets are masked in the
    /// descriptions.
    public let changes: [PropertyChange<PropertyEntry>]

    /// The name of the service, and the changes.
    public var description: String {
        changes.isEmpty ? service : "\(service): \(changes.map(\.description).joined(separator: ", "))"
    }
}

extension Container {
    /// The names of the following services whose current instance is not built from the current properties, or holds
    /// such an instance: a new one is being built, or could not be built. The names are sorted. `onFailure(_:)` gets the
    /// error of a failed construction, and the next change of the properties tries again.
    public var behind: [String] { outdatedServices.map(\.service) }

    /// The services of `behind`, each with the changes of properties since its current instance was built.
    public var outdatedServices: [OutdatedService] {
        let followers = followers
        return followers.behind.map { index in
            let shared = followers.current[index]
            return OutdatedService(service: shared.key.description, changes: changes(since: shared))
        }.sorted { $0.service < $1.service }
    }

    /// Whether following services are being replaced, for tests.
    package var isReplacing: Bool {
        registry.withRead { $0.following.isComparing || !$0.following.replacements.isEmpty }
    }

    /// The current instances that follow their settings.
    var followers: Followers {
        Followers(
            registry.withRead { registry in
                registry.complete.filter { $0.registration.follows && registry.current(of: $0.registration) === $0 }
            }, in: self)
    }

    /// How the properties that an instance was built from, and those of what it holds, have changed.
    private func changes(since shared: SharedInstance) -> [PropertyChange<PropertyEntry>] {
        let open = Dictionary(uniqueKeysWithValues: registry.withRead { $0.complete }.map { ($0.id, $0) })
        var (all, seen, next) = ([shared], Set([shared.id]), 0)
        while next < all.count {
            for take in all[next].takes where take.isHeld && seen.insert(take.id).inserted {
                if let held = open[take.id] { all.append(held) }
            }
            next += 1
        }
        return all.compactMap(\.reads).changes(in: properties)
    }

    /// Whether an instance holds a following one of this container that is not current any more.
    func holdsFormer(_ shared: SharedInstance) -> Bool {
        let held = shared.takes.filter { $0.isHeld && $0.belongs(to: self) }
        if held.isEmpty { return false }
        return registry.withRead { registry in
            held.contains { take in
                guard let registration = registry.registration(of: take.key), registration.follows,
                    let current = registry.current(of: registration)
                else { return false }
                return current.id != take.id
            }
        }
    }

    /// Observes the properties, for the services that follow their settings.
    func observeSettings() {
        if registry.withRead({ $0.following.observation != nil }) { return }
        var new: SettingsObservation? = SettingsObservation(of: properties) { [weak self] in
            self?.compareFollowers(isChange: true)
        }
        registry.withWrite { if $0.following.observation == nil { swap(&$0.following.observation, &new) } }
    }

    /// Makes a task compare the instances with the properties and with each other.
    ///
    /// - Parameters:
    ///   - isChange: whether the properties have changed. If false, an instance was completed or has failed, or a
    ///   replacement has ended.
    ///   - ended: the registration and the number of that replacement, or nil.
    func compareFollowers(isChange: Bool = false, after ended: (id: ObjectIdentifier, number: Int)? = nil) {
        let isFirst = registry.withWrite { registry in
            if let ended, registry.following.replacements[ended.id]?.number == ended.number {
                registry.following.replacements[ended.id] = nil
            }
            guard registry.isOpen else { return false }
            if isChange { registry.following.change += 1 }
            registry.following.isChanged = true
            if registry.following.isComparing { return false }
            registry.following.isComparing = true
            registry.beginActivity()
            return true
        }
        guard isFirst else { return }
        Task.detached {
            while self.takeChange() {
                self.updateReplacements()
                self.closeDrained()
            }
            self.endActivity()
        }
    }

    /// Returns whether something has changed since the last comparison. Otherwise the task ends.
    private func takeChange() -> Bool {
        registry.withWrite { registry in
            registry.following.isComparing = registry.following.isChanged && registry.isOpen
            registry.following.isChanged = false
            return registry.following.isComparing
        }
    }
}

// MARK: - Replacing

extension Container {
    /// Drops the replacements that the last change has made useless, and begins those that are needed: of an outdated
    /// service that holds no other outdated one.
    private func updateReplacements() {
        let followers = followers
        let (running, failed, change) = registry.withRead {
            ($0.following.replacements, $0.following.failed, $0.following.change)
        }
        let wanted = followers.outdated.filter { failed[followers.current[$0].id] != change }
        let ready = wanted.filter { followers.allHeld(by: $0).isDisjoint(with: wanted) }
        var kept: Set<ObjectIdentifier> = []
        for index in ready {
            let id = ObjectIdentifier(followers.current[index].registration)
            guard let replacement = running[id] else { continue }
            let isCurrent = replacement.former == followers.current[index].id
            if replacement.successor.map({ isCurrent && isUpToDate($0, followers) }) ?? true { kept.insert(id) }
        }
        for (id, replacement) in running where !kept.contains(id) {
            guard let successor = replacement.successor else { continue }
            let isDropped = registry.withWrite { registry in
                // One that has just been published must end itself: what holds the former instance is outdated then.
                guard registry.following.replacements[id]?.number == replacement.number, !successor.phase.hasEnded
                else {
                    return false
                }
                registry.following.replacements[id] = nil
                return true
            }
            if isDropped { successor.cancel() }
        }
        for index in ready.sorted() { begin(followers.current[index], after: change) }
    }

    /// Whether what an instance under construction has read and taken so far is current.
    private func isUpToDate(_ successor: SharedInstance, _ followers: Followers) -> Bool {
        let current = Dictionary(followers.current.map { ($0.key, $0.id) }) { $1 }
        let reads = [successor.reads].compactMap(\.self)
        return reads.changes(in: properties).isEmpty
            && !successor.takes.contains { take in
                take.isHeld && take.belongs(to: self) && current[take.key].map { $0 != take.id } ?? false
            }
    }

    /// Begins to build a new instance, unless a replacement is in progress or the former one is not current any more.
    private func begin(_ former: SharedInstance, after change: Int) {
        let successor = SharedInstance(of: former.registration, in: self, isSuccessor: true)
        let number = registry.withWrite { registry -> Int? in
            guard registry.isOpen, registry.following.replacements[ObjectIdentifier(former.registration)] == nil,
                registry.current(of: former.registration) === former
            else { return nil }
            registry.following.failed[former.id] = nil
            // That of the construction, and that of the task.
            registry.beginActivity()
            registry.beginActivity()
            return registry.following.begin(successor, inPlaceOf: former)
        }
        guard let number else { return }
        let (id, changes) = (former.id, changes(since: former))
        Task.detached { await self.replace(id, by: successor, number, after: change, changes) }
    }

    private func replace(
        _ former: UInt64, by successor: SharedInstance, _ number: Int, after change: Int,
        _ changes: [PropertyChange<PropertyEntry>]
    ) async {
        let (registration, id) = (successor.registration, ObjectIdentifier(successor.registration))
        let request = Request(registration: registration, container: self, home: self, arguments: nil, parent: nil)
        var problem: ResolutionError?
        do throws(ResolutionError) { try await request.build(successor: successor) } catch { problem = error }
        // While it is there, no other replacement of the service begins.
        let isNeeded = registry.withWrite { registry in
            guard registry.following.replacements[id]?.number == number else { return false }
            registry.following.replacements[id]?.successor = nil
            if problem != nil { registry.following.failed[former] = change }
            return true
        }
        if problem == nil,
            registry.withRead({ $0.following.retired[former] != nil || $0.current(of: registration) === successor })
        {
            retire(former, after: registration.options.draining ?? .zero)
            let closures = registration.options.replaceClosures
            if !closures.isEmpty { await onThread { for closure in closures { closure(changes) } } }
        } else if let problem, isNeeded, isOpen {
            let causes = changes.map(\.description).joined(separator: ", ")
            report(ResolutionError(.replacementFailed, path: problem.keys, cause: problem, detail: causes))
        }
        compareFollowers(after: (id, number))
        endActivity()
    }

    /// Lets a replaced instance be closed when its drain time is over. The timer keeps its number and not the instance.
    private func retire(_ former: UInt64, after draining: Duration) {
        if draining <= .zero { return endDraining(of: former) }
        // The thread of the timers must not release a user's object, whose deinit could block it.
        Deadline(after: draining).whenReached { [weak self] in
            DispatchQueue(label: "Container.close").async { [weak self] in self?.endDraining(of: former) }
        }
    }

    private func endDraining(of former: UInt64) {
        registry.withWrite { if $0.following.retired[former] != nil { $0.following.retired[former] = true } }
        closeDrained()
    }

    /// Closes the replaced instances whose drain time is over and that no open instance holds.
    private func closeDrained() {
        let removed = registry.withWrite { registry in
            let removed = registry.removeDrained()
            if !removed.isEmpty { registry.beginActivity() }
            return removed
        }
        if removed.isEmpty { return }
        let removal = Removal(of: removed.map { ($0, self) }, activities: [self])
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
