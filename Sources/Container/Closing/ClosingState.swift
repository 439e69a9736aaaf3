import SharedState

/// The part of a container's state that is about closing.
struct ClosingState {
    /// The complete instances that are closed with the container, unless they are closed earlier, in the order of
    /// completion. Lookups do not find all of them.
    private(set) var toClose: [SharedInstance] = []
    var pendingWork = PendingWork()
    /// Whether `close()` has taken the instances, so that an instance which is completed later is closed at once.
    private(set) var hasTakenAll = false
    fileprivate(set) var phase = ClosingPhase.open

    mutating func add(_ shared: SharedInstance) { toClose.append(shared) }

    /// Removes instances from the instances to close.
    mutating func remove(where isRemoved: (SharedInstance) -> Bool) -> [SharedInstance] {
        let removed = toClose.filter(isRemoved)
        if !removed.isEmpty { toClose.removeAll(where: isRemoved) }
        return removed
    }

    /// Takes all instances to close. An instance that becomes complete later is closed at once.
    mutating func takeAll() -> [SharedInstance] {
        hasTakenAll = true
        return remove { _ in true }
    }
}

/// How far a container has been closed.
enum ClosingPhase {
    case open
    /// The signal is sent when all is closed.
    case closing(Signal<[ResolutionError]>)
    case closed([ResolutionError])
}

extension Registry {
    /// Begins to close. From now on, lookups find only what is complete, until it is hidden or the closing ends.
    mutating func beginClosing(_ signal: Signal<[ResolutionError]>) {
        life.closing.phase = .closing(signal)
        stopBuilding()
    }

    /// Ends the closing.
    ///
    /// - Returns: the removed objects.
    mutating func endClosing(_ errors: [ResolutionError]) -> Removed {
        life.closing.phase = .closed(errors)
        return stopLookups()
    }

    /// Removes the instances that fulfil a condition. Instances under construction go on, and lookups do not find
    /// them any more.
    ///
    /// - Returns: the complete instances, also instances that lookups did not find any more.
    mutating func removeInstances(where isRemoved: (SharedInstance) -> Bool) -> [SharedInstance] {
        let removed = life.closing.remove(where: isRemoved)
        for shared in allCurrent where isRemoved(shared) { hide(shared) }
        return removed
    }
}

// MARK: - The hooks of a registration

/// A closure of `onClose`.
enum CloseClosure: Sendable {
    case synchronous(@Sendable (StoredInstance) throws -> Void)
    case asynchronous(@Sendable (StoredInstance) async throws -> Void)
}

extension SharedInstance {
    /// Whether it has closures of `onClose`, so that its closing is more than its release.
    var hasHooks: Bool { registration.isKept && !registration.options.life.closures.isEmpty }
}

extension RegistrationEntry {
    /// Adds a closure that closes an instance when its container is closed, or its scope is reset. Only instances of
    /// shared scopes that are not weak are closed.
    ///
    /// Several closures run in the reverse order of their addition.
    ///
    /// - Parameter close: the closure. It gets the instance.
    /// - Returns: this entry.
    @discardableResult
    public func onClose(_ close: @escaping @Sendable (Service) throws -> Void) -> Self {
        change { $0.life.closures.append(.synchronous { try close($0.service(as: Service.self)) }) }
    }

    /// Adds an asynchronous closure that closes an instance when its container is closed, or its scope is reset. Only
    /// instances of shared scopes that are not weak are closed.
    ///
    /// Several closures run in the reverse order of their addition.
    ///
    /// - Parameter close: the closure. It gets the instance. Its task is cancelled when the timeout of the closing
    ///   expires. It must not block its thread: if as many closures block as the machine has cores, the timeout has no
    ///   effect.
    /// - Returns: this entry.
    @discardableResult
    public func onClose(_ close: @escaping @Sendable (Service) async throws -> Void) -> Self {
        change { $0.life.closures.append(.asynchronous { try await close($0.service(as: Service.self)) }) }
    }
}
