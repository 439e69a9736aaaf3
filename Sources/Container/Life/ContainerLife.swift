import SharedState

/// The state of closing, following, starting and the reports of a container. The container's lock guards it.
///
/// The core builds services. Of these four it knows whether a registration follows its settings, what a shared instance has read, which
/// instance replaces another one, and the functions below: most report an event, and the others answer a question.
///
/// It is not copyable, so that a read cannot retain its parts.
struct ContainerLife: ~Copyable {
    var closing = ClosingState()
    var following = FollowingState()
    var starting = StartingState()
    var overrides = OverrideChecks()

    /// The work that the core does after unlocking when an instance is complete.
    struct Completed {
        /// Former instances that are the same object, which are closed without their hooks.
        fileprivate let dropped: [SharedInstance]
        /// The signal to send, or nil.
        fileprivate let idle: Signal<Void>?
    }
}

// MARK: - Under the lock of the container

// These functions call no user code.

extension ContainerLife {
    /// The construction of an instance has begun.
    mutating func began(_ shared: SharedInstance) {
        closing.pendingWork.begin()
        if !shared.isSuccessor { starting.progress?.current?.begin(shared.id, shared.key) }
    }

    /// Whether an instance that becomes complete can be closed later.
    var canClose: Bool { !closing.hasTakenAll }

    /// Whether a complete instance still replaces the current one.
    mutating func isWanted(_ successor: SharedInstance, inPlaceOf current: SharedInstance) -> Bool {
        following.replacement(building: successor)?.former == current.id
    }

    /// An instance has become complete.
    ///
    /// - Parameters:
    ///   - shared: the instance.
    ///   - former: the instance that it has replaced, or nil.
    ///   - isCurrent: whether lookups find it.
    /// - Returns: the work that the caller does after unlocking.
    mutating func completed(
        _ shared: SharedInstance, inPlaceOf former: SharedInstance?, isCurrent: Bool
    ) -> Completed {
        let dropped = former.map { recordFormer($0, of: shared) } ?? []
        if shared.registration.isKept, isCurrent || shared.hasHooks { closing.add(shared) }
        endProgress(of: shared)
        // Counted now, because a caller that this wakes may call `settled()` at once.
        if shared.reads != nil { following.uncomparedCount += 1 }
        return Completed(dropped: dropped, idle: closing.pendingWork.end())
    }

    /// An instance has another one in its place, and stays open for its drain time.
    ///
    /// - Returns: the earlier instances that are the same object, if the factory has returned it again. The object stays
    ///   open, so they end without their hooks.
    private mutating func recordFormer(_ former: SharedInstance, of successor: SharedInstance) -> [SharedInstance] {
        former.becomeFormer()
        following.formers[former.id] = FormerInstance(key: former.key)
        let same = closing.remove {
            $0.registration === successor.registration && $0.hasInstance(of: successor)
        }
        for one in same { following.formers[one.id] = nil }
        return same
    }

    /// A construction has failed. It is pending work until its teardown has ended.
    mutating func failed(_ shared: SharedInstance) { endProgress(of: shared) }

    private mutating func endProgress(of shared: SharedInstance) { starting.progress?.current?.end(shared.id) }

    /// The key of a registration is registered again, so its instance has lost its entry. An instance with hooks stays open
    /// until its scope is reset or the container is closed.
    ///
    /// - Returns: the old phase, which the caller releases, or nil if the instance goes on.
    mutating func lostEntry(_ shared: SharedInstance) -> FormerPhase? {
        if shared.hasHooks || !shared.phase.hasEnded { return nil }
        let former = shared.enter(.closed)
        _ = closing.remove { $0 === shared }
        return former
    }

    /// The detail of the error of a closed container that was closed by a start, otherwise nil.
    var causeOfClosing: String? { starting.hasFailed ? "start" : nil }

    /// The options of a registration have changed. Ends the process if they contradict each other.
    static func check(_ registration: Registration) { registration.checkFollowing() }
}

// MARK: - Outside of all locks

extension ContainerLife.Completed {
    /// Does what remains when all instances that become complete together are complete.
    func finish(_ shared: SharedInstance, in container: Container) {
        idle?.send(())
        for shared in dropped { withExtendedLifetime(shared.enter(.closed)) {} }
        guard let reads = shared.reads else { return }
        // The properties that it has read, or the services that it has taken, may have changed meanwhile.
        if !reads.end(in: container.properties) || container.holdsFormer(shared) { container.compareFollowers() }
        container.endComparison()
    }
}

extension ContainerLife {
    /// Closes instances that could not be built, and instances whose publication the registry has refused.
    static func close(_ departed: [Departed]) {
        // A failed instance may have held a replaced instance, which stayed open because of that.
        for one in departed where one.shared.registration.follows { one.container.compareFollowers() }
        Teardown(of: departed, pendingIn: departed.map(\.container)).run()
    }

    /// A key has been registered in a container.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - former: the shared instance that the key had, or nil.
    ///   - container: the container.
    static func registered(_ key: ServiceKey, inPlaceOf former: SharedInstance?, in container: Container) {
        container.noteOverride(of: key)
        if let former, former.registration.isKept, container.phase == .ready { container.reportHolders(of: former) }
    }

    /// Whether a shared instance may hold another one, which its factory or a completion has asked for.
    static func mayHold(_ shared: SharedInstance, in dependent: SharedInstance) -> Bool { dependent.mayHold(shared) }

    /// A container has been released.
    static func released(_ container: Container) { container.warnIfOpen() }

    /// A resolve from a container that overrides services has found an instance of a parent.
    static func found(_ shared: SharedInstance, from container: Container) {
        container.reportUnseenOverrides(of: shared)
    }
}
