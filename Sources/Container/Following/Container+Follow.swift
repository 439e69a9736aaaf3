import SharedState

// How a service follows its settings
//
// Logging. The construction of a following service has a `ReadLog`. Its resolvers, and the resolvers of the unshared
// services that it builds, read through a store that adds each name, and the node that was found, to the log. The log
// has nothing else: other resolvers read from the store of the container.
//
// Comparing. The first following registration observes the store. After a new state, a task compares the log of each
// current instance with the current properties, and the instances that it holds with the current instances. If the task
// runs already, it compares again. It waits for nothing.
//
// Replacing. Each outdated service is replaced alone, in a task of its own, after the outdated services that it holds.
// The new instance is built as any shared instance is, and its factory finds the current instances. Publication puts it
// in the place of the former instance, unless that is not current any more. If a property that was read changes
// meanwhile, the replacement is dropped. If the service is still outdated, a new replacement begins at once with the
// last state. An instance that the dropped replacement still builds is closed when it is complete. A failed replacement
// is tried again after a pause, or after a change of what it has read or holds. An outdated service that holds its service
// does not wait for that, and its new instance gets the former instance.
//
// Closing. `ClosingState.toClose` has the complete instances that the container keeps, also the former ones. A former
// instance is closed after its drain time, when no following instance of the container holds it any more. A reset,
// `removeAll()` and `close()` close it earlier. A replacement is pending work, which `close()` waits for, and so is the
// closing of a former instance, until its limit.

extension Container {
    /// The following services whose current instance is not built from the current properties, or holds another
    /// outdated instance, sorted by name. Each has the changes of properties since its instance was built.
    ///
    /// A new instance is being built, or could not be built. `onFailure(_:)` gets the error of a failed construction,
    /// which is tried again.
    public var outdatedServices: [OutdatedService] {
        let followers = followers
        return followers.notCurrent.map { index in
            let shared = followers.current[index]
            return OutdatedService(
                service: names.text(of: shared.key), changes: changes(since: shared),
                failure: failure(toReplace: shared))
        }.sorted { $0.service < $1.service }
    }

    private func failure(toReplace shared: SharedInstance) -> OutdatedService.Failure? {
        registry.withRead { registry in
            guard let report = registry.life.following.reported[shared.key], let error = report.error else {
                return nil
            }
            return OutdatedService.Failure(
                error: error, since: report.since, count: report.failures,
                nextTry: registry.life.following.failed[shared.id]?.nextTry)
        }
    }

    /// The replaced instances that are not closed, beginning with the earliest.
    var formerServices: [FormerService] {
        registry.withRead { $0.life.following.formers.values.map(\.self) }.sorted { $0.since < $1.since }.map {
            FormerService(
                service: names.text(of: $0.key), replaced: $0.since, closing: $0.closing, isLate: $0.isLate)
        }
    }

    /// Returns when the following services of this container and its parents have caught up with the properties, for
    /// tests.
    ///
    ///     try container.properties.set("database.password", to: "new")
    ///     await container.settled()
    ///
    /// Then no new instance is under construction, each outdated service was replaced or could not be, and the closures
    /// of `onReplace` have run. A replacement that failed has ended: `outdatedServices` has its service, and
    /// `onFailure(_:)` got the error. The closing of the replaced instances is not awaited.
    ///
    /// The method returns at once if the container is closed or the task is cancelled, and in a factory, a completion or a
    /// closure of `onClose`, for which a replacement may wait.
    nonisolated(nonsending) public func settled() async {
        if Frame.current != nil { return }
        for container in Array(sequence(first: self, next: \.parent)).reversed() {
            guard let settled = container.registry.withWrite({ $0.isOpen ? $0.life.following.waitUntilSettled() : nil })
            else { continue }
            await withTaskCancellationHandler {
                _ = await settled.value(until: { Task.isCancelled })
            } onCancel: {
                settled.wake()
            }
        }
    }

    /// Whether following services are being replaced, for tests.
    package var isReplacing: Bool { registry.withRead { !$0.life.following.isSettled } }

    /// The current instances that follow their settings.
    var followers: Followers {
        Followers(
            registry.withRead { registry in
                registry.life.closing.toClose.filter {
                    $0.registration.follows && registry.current(of: $0.registration) === $0
                }
            }, in: self)
    }

    /// Returns the changes of the properties that an instance, or an instance that it holds, was built from.
    func changes(since shared: SharedInstance) -> [PropertyChange<PropertyEntry>] {
        let open = Dictionary(uniqueKeysWithValues: registry.withRead { $0.life.closing.toClose }.map { ($0.id, $0) })
        var (all, seen, next) = ([shared], Set([shared.id]), 0)
        while next < all.count {
            for dependency in all[next].taken.dependencies
            where dependency.isHeld && seen.insert(dependency.id).inserted {
                if let held = open[dependency.id] { all.append(held) }
            }
            next += 1
        }
        return all.compactMap(\.reads).changes(in: properties)
    }

    /// Whether an instance holds an instance of a following service of this container that is not current any more.
    func holdsFormer(_ shared: SharedInstance) -> Bool {
        let held = shared.taken.dependencies.filter { $0.isHeld && $0.belongs(to: self) }
        if held.isEmpty { return false }
        return registry.withRead { registry in
            held.contains { dependency in
                guard let registration = registry.registration(of: dependency.key), registration.follows,
                    let current = registry.current(of: registration)
                else { return false }
                return current.id != dependency.id
            }
        }
    }

    /// Observes the properties, for the services that follow their settings.
    func observeSettings() {
        if registry.withRead({ $0.life.following.observation != nil }) { return }
        var new: SettingsObservation? = SettingsObservation(of: properties) { [weak self] in
            self?.compareFollowers()
        }
        registry.withWrite { if $0.life.following.observation == nil { swap(&$0.life.following.observation, &new) } }
    }

    /// Makes a task compare the instances with the properties and with each other.
    ///
    /// - Parameter ended: the registration and the number of a replacement that has ended, or nil.
    func compareFollowers(after ended: (registration: ObjectIdentifier, number: Int)? = nil) {
        let isFirst = registry.withWrite { registry in
            if let ended, registry.life.following.replacements[ended.registration]?.number == ended.number {
                registry.life.following.replacements[ended.registration] = nil
            }
            guard registry.isOpen else { return false }
            registry.life.following.isChanged = true
            if registry.life.following.isComparing { return false }
            registry.life.following.isComparing = true
            registry.life.closing.pendingWork.begin()
            return true
        }
        guard isFirst else { return }
        Task.detached {
            while self.takeChange() {
                self.updateReplacements()
                self.closeDrained()
            }
            self.endPendingWork()
        }
    }

    /// An instance was compared with what has changed during its construction.
    func endComparison() {
        let settled = registry.withWrite { registry in
            registry.life.following.uncomparedCount -= 1
            return registry.life.following.takeSettled()
        }
        settled?.send(())
    }

    /// Returns whether something has changed since the last comparison. Otherwise the task ends.
    private func takeChange() -> Bool {
        let (isChanged, settled) = registry.withWrite { registry in
            registry.life.following.isComparing = registry.life.following.isChanged && registry.isOpen
            registry.life.following.isChanged = false
            return (registry.life.following.isComparing, registry.life.following.takeSettled())
        }
        settled?.send(())
        return isChanged
    }
}
