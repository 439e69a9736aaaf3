import SharedState

extension Container {
    /// Closes a replaced instance when its drain time is over. The timer keeps its `id` and not the instance.
    func beginDraining(of former: UInt64, for draining: Duration) {
        if draining <= .zero { return endDraining(of: former) }
        run(after: draining) { $0.endDraining(of: former) }
    }

    private func endDraining(of former: UInt64) {
        registry.withWrite { $0.life.following.formers[former]?.isDrained = true }
        closeDrained()
    }

    /// Closes the replaced instances whose drain time is over and that no following instance holds. None of them delays
    /// anything for longer than the limit of its registration.
    func closeDrained() {
        let removed = registry.withWrite { registry in
            let removed = registry.removeDrained()
            if !removed.isEmpty { registry.life.closing.pendingWork.begin() }
            return removed
        }
        if removed.isEmpty { return }
        for former in removed { followingObserver?(.closing(ClosingFormer(former, in: self))) }
        let teardown = Teardown(of: departed(removed), pendingIn: [self])
        Task.detached { await teardown.runWithLimits() }
    }

    /// Records that the closing of a replaced instance has ended, unless a hook goes on after its limit.
    func endClosing(of former: SharedInstance, isClosed: Bool) {
        changeLateHooks(of: former, by: 0, isClosed: isClosed)
    }

    /// Records that a hook of a replaced instance goes on after its limit, or has ended after it. Nothing waits for it.
    ///
    /// - Parameters:
    ///   - former: the instance.
    ///   - change: 1 or -1, in any order, or 0 if the closing has ended.
    ///   - isClosed: whether the instance is closed if no hook goes on.
    func changeLateHooks(of former: SharedInstance, by change: Int, isClosed: Bool = true) {
        let (ended, isOpen) = registry.withWrite { registry -> (FormerInstance?, Bool) in
            registry.life.following.formers[former.id]?.lateHooks += change
            guard registry.life.following.formers[former.id]?.isLate == false else { return (nil, registry.isOpen) }
            return (registry.life.following.formers.removeValue(forKey: former.id), registry.isOpen)
        }
        // While the container is closed, only a closing that had begun before is an event.
        guard let ended, isClosed, isOpen || ended.closing != nil else { return }
        followingObserver?(.closed(names.text(of: former.key), time: ended.closing.map { .now - $0 } ?? .zero))
    }
}
