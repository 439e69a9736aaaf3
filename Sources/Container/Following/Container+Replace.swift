import Dispatch
import SharedState

extension Container {
    /// Drops the replacements that the last change has made useless, and begins a replacement for each outdated service,
    /// after the outdated services that it holds.
    func updateReplacements() {
        // A replacement that fails after this line is not considered here.
        let formerlyFailed = Array(registry.withRead { $0.life.following.failed.keys })
        let followers = followers
        let (running, failed) = forgetFailures(among: formerlyFailed, followers)
        // Wanted: outdated, and not in the pause after a failure, which a change of what it has read ends.
        let wanted = followers.outdated.filter { index in
            guard let failure = failed[followers.current[index].id] else { return true }
            return failure.isDue || !isUpToDate(failure.reads, failure.dependencies, followers)
        }
        // Ready: wanted, and holds nothing wanted.
        let ready = wanted.filter { followers.allHeld(by: $0).isDisjoint(with: wanted) }
        dropUseless(running, ready, followers)
        for index in ready.sorted() { begin(index, after: failed[followers.current[index].id], followers) }
    }

    /// Forgets the failed replacements of services that are not outdated any more, and tells the observer which services
    /// are up to date again.
    ///
    /// - Returns: the replacements in progress, and the failed replacements that are left.
    private func forgetFailures(
        among formerlyFailed: [UInt64], _ followers: Followers
    ) -> ([ObjectIdentifier: FollowingState.Replacement], [UInt64: FailedReplacement]) {
        let outdated = Set(followers.outdated.map { followers.current[$0].id })
        let notCurrent = Set(followers.notCurrent.map { followers.current[$0].key })
        // Their logs are released after unlocking: see `Lock`.
        var over: [FailedReplacement?] = []
        let (running, failed, recovered) = registry.withWrite { registry in
            over = formerlyFailed.filter { !outdated.contains($0) }.map {
                registry.life.following.failed.removeValue(forKey: $0)
            }
            let recovered = registry.life.following.takeRecovered(outdated: notCurrent)
            return (registry.life.following.replacements, registry.life.following.failed, recovered)
        }
        withExtendedLifetime(over) {}
        for (key, report) in recovered { followingObserver?(.recovered(names.text(of: key), since: report.since)) }
        return (running, failed)
    }

    /// Cancels the replacements in progress, but for those that still build what a service needs.
    private func dropUseless(
        _ running: [ObjectIdentifier: FollowingState.Replacement], _ ready: Set<Int>, _ followers: Followers
    ) {
        let needed = Dictionary(
            ready.map { (ObjectIdentifier(followers.current[$0].registration), followers.current[$0].id) }
        ) { $1 }
        for (registration, replacement) in running {
            // Without a successor, the instance is published, and its `onReplace` closures run.
            guard let successor = replacement.successor else { continue }
            let isNeeded = needed[registration] == replacement.former
            if isNeeded, isUpToDate([successor.reads].compactMap(\.self), successor.taken.dependencies, followers) {
                continue
            }
            let isDropped = registry.withWrite { registry in
                // A replacement that has just been published must end itself: then the services that hold the former
                // instance are outdated.
                let isRunning = registry.life.following.replacements[registration]?.number == replacement.number
                guard isRunning, !successor.phase.hasEnded else { return false }
                registry.life.following.replacements[registration] = nil
                return true
            }
            if isDropped { successor.cancel() }
        }
    }

    /// Whether all that a construction has read and got so far is current.
    private func isUpToDate(
        _ reads: [ReadLog], _ dependencies: [Dependency], _ followers: Followers
    ) -> Bool {
        let current = Dictionary(followers.current.map { ($0.key, $0.id) }) { $1 }
        return reads.changes(in: properties).isEmpty
            && !dependencies.contains { dependency in
                dependency.isHeld && dependency.belongs(to: self)
                    && current[dependency.key].map { $0 != dependency.id } ?? false
            }
    }

    /// Begins to build a new instance, unless a replacement is in progress or the former instance is not current any
    /// more, or another replacement has failed since `failure` was read.
    ///
    /// - Parameters:
    ///   - index: the index of the instance to replace.
    ///   - failure: the last replacement, which has failed, or nil.
    ///   - followers: the current instances.
    private func begin(_ index: Int, after failure: FailedReplacement?, _ followers: Followers) {
        let former = followers.current[index]
        let successor = SharedInstance(of: former.registration, in: self, isSuccessor: true)
        var over: FailedReplacement?
        let replacement = registry.withWrite { registry -> FollowingState.Replacement? in
            guard registry.isOpen, registry.life.following.replacements[ObjectIdentifier(former.registration)] == nil,
                registry.current(of: former.registration) === former,
                registry.life.following.failed[former.id]?.number == failure?.number
            else { return nil }
            over = registry.life.following.failed.removeValue(forKey: former.id)
            // Once for the construction, and once for the task.
            registry.begin(successor)
            registry.life.closing.pendingWork.begin()
            return registry.life.following.begin(successor, inPlaceOf: former)
        }
        withExtendedLifetime(over) {}
        guard let replacement else { return }
        followingObserver?(.began(RunningReplacement(replacement, in: self)))
        // After a change of what it has read, the pauses begin with the shortest pause.
        let last = failure.flatMap { isUpToDate($0.reads, $0.dependencies, followers) ? $0 : nil }
        let pause = former.registration.options.life.retrying.map { FailedReplacement.pause(in: $0, after: last) }
        // The construction may fail before it has read and taken all that the former instance has read and taken.
        let reads = [successor.reads, former.reads?.repeated(in: properties)].compactMap(\.self)
        let next = FailedReplacement(
            number: replacement.number, since: replacement.since, pause: pause, reads: reads,
            dependencies: followers.holds[index].map { Dependency(followers.current[$0], as: .instance) })
        let (id, changes) = (former.id, self.changes(since: former))
        Task.detached { await self.replace(id, by: successor, orFail: next, changes) }
    }

    /// Builds a new instance, and puts it in the place of the former instance.
    ///
    /// - Parameters:
    ///   - former: the `id` of the former instance.
    ///   - successor: the new instance.
    ///   - failure: the record of the replacement, for the case that it fails.
    ///   - changes: the changes of the properties that have led to it.
    private func replace(
        _ former: UInt64, by successor: SharedInstance, orFail failure: FailedReplacement,
        _ changes: [PropertyChange<PropertyEntry>]
    ) async {
        let number = failure.number
        let (registration, identity) = (successor.registration, ObjectIdentifier(successor.registration))
        let request = Request(registration: registration, container: self, home: self, arguments: nil, parent: nil)
        var problem: ResolutionError?
        do throws(ResolutionError) { try await request.buildSuccessor(successor) } catch { problem = error }
        // A `Provider` that it has got says nothing about the instance that it would have held.
        let held = successor.taken.dependencies.filter { $0.isHeld && $0.belongs(to: self) }
        // The record of the replacement stays until the end, so that no other replacement of the service begins.
        let isNeeded = registry.withWrite { registry in
            guard registry.life.following.replacements[identity]?.number == number else { return false }
            registry.life.following.replacements[identity]?.successor = nil
            if problem != nil {
                var failure = failure
                failure.add(held)
                failure.nextTry = failure.pause.map { .now + $0.bounded }
                registry.life.following.failed[former] = failure
            }
            return true
        }
        if problem == nil, !successor.phase.hasFailed {
            // A reset may have removed both since then. If the factory has returned the same object again, the former
            // instance is not closed.
            let keepsObject = registry.withRead {
                $0.life.following.formers[former] == nil && $0.current(of: registration) === successor
            }
            let time = ContinuousClock.now - failure.since
            followingObserver?(
                .replaced(names.text(of: registration.key), time: time, changes, keepsObject: keepsObject))
            beginDraining(of: former, for: registration.options.life.draining ?? .zero)
            let closures = registration.options.life.replaceClosures
            if !closures.isEmpty {
                await onThread("Container.replace") { for closure in closures { closure(changes) } }
            }
        } else if let problem, isNeeded, isOpen {
            let error = ResolutionError(
                .replacementFailed, path: problem.keys, cause: problem,
                failedTry: FailedTry(changes: changes, nextTry: failure.pause))
            let released = registry.withWrite {
                $0.life.following.addReport(of: registration.key, since: failure.since, error)
            }
            withExtendedLifetime(released) {}
            report(error)
            if let pause = failure.pause { run(after: pause) { $0.tryAgain(former, after: number) } }
        }
        compareFollowers(after: (identity, number))
        endPendingWork()
    }

    /// Begins a failed replacement again, unless a later replacement has failed or begun since then.
    private func tryAgain(_ former: UInt64, after number: Int) {
        registry.withWrite { registry in
            if registry.life.following.failed[former]?.number == number {
                registry.life.following.failed[former]?.isDue = true
            }
        }
        compareFollowers()
    }

    /// Begins all failed replacements again at once. If they fail, the pauses begin with the shortest pause.
    package func retryReplacements() {
        let isAny = registry.withWrite { registry in
            for id in registry.life.following.failed.keys {
                registry.life.following.failed[id]?.restart()
            }
            return !registry.life.following.failed.isEmpty
        }
        if isAny { compareFollowers() }
    }

    /// Calls a closure with this container after a time, unless it is released until then. The timer keeps nothing alive.
    func run(after time: Duration, _ action: @escaping @Sendable (Container) -> Void) {
        if let timer = registry.withRead({ $0.life.following.timer }) {
            return timer(time) { [weak self] in if let self { action(self) } }
        }
        // The thread of the timers must not release a user's object, whose deinit could block it.
        Deadline(after: time).whenReached { [weak self] in
            DispatchQueue(label: "Container.follow").async { [weak self] in if let self { action(self) } }
        }
    }

    /// Sets the closure that gets the events of the following services.
    package func observeFollowing(_ observer: @escaping FollowingObserver) {
        registry.withWrite { $0.life.following.observer = observer }
    }

    var followingObserver: FollowingObserver? {
        sequence(first: self, next: \.parent).lazy.compactMap { $0.registry.withRead { $0.life.following.observer } }
            .first
    }

    /// Lets a test decide when the drain times of this container are over, and the pauses before a failed replacement
    /// is tried again.
    package func setFollowingTimer(_ timer: @escaping FollowingTimer) {
        registry.withWrite { $0.life.following.timer = timer }
    }
}

extension Request {
    /// Builds an instance that replaces the current one, and waits for it. A synchronous factory runs on a thread of
    /// its own, because it may block, and must not occupy a thread of the pool that runs tasks.
    nonisolated(nonsending) func buildSuccessor(_ shared: SharedInstance) async throws(ResolutionError) {
        if registration.isAsync {
            let phaseSignal = shared.phaseSignal
            start(shared)
            _ = try await shared.value(path: path, phaseSignal)
            return
        }
        let problem = await onThread("Container.replace") { () -> ResolutionError? in
            do throws(ResolutionError) {
                _ = try shared.construction.build(shared, self, on: .current)
                return nil
            } catch {
                return error
            }
        }
        if let problem { throw problem }
    }
}
