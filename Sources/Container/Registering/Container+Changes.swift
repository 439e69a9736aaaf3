import SharedState

extension Container {
    /// Adds a registration, or replaces the registration of the same key.
    ///
    /// - Parameters:
    ///   - registration: the new registration.
    ///   - old: the expected registration of the key. If the table has another one, this method does nothing. If
    ///     `old` is nil, the method always inserts.
    func insert(_ registration: Registration, inPlaceOf old: Registration? = nil) {
        update {
            if isClosed { return [] }
            if let old, currentTable.find(old.key) !== old { return [] }
            return add(registration)
        }
    }

    /// Adds a registration. The caller must hold the monitor.
    ///
    /// - Returns: the removed instances of the registration that it replaces, which readers may still use.
    private func add(_ registration: Registration) -> [AnyObject] {
        if currentTable.isFull { publish(RegistrationTable(currentTable.all)) }
        registration.gainPlace()
        guard let previous = currentTable.insert(registration) else { return [] }
        retire(previous)
        return previous.losePlace()
    }

    /// Returns this container's registration of a service whose scope is `.child` and that an ancestor registers: a
    /// copy, which is added at the first call, or the registration that has been made here meanwhile.
    func adopt(_ inherited: Registration) -> Registration {
        Self.monitor.withLock { isClosed ? inherited.copy(for: self, forwardingTo: nil) : adopted(inherited) }
    }

    private func adopted(_ inherited: Registration) -> Registration {
        if let own = currentTable.find(inherited.key) { return own }
        let copy = inherited.copy(for: self, forwardingTo: inherited.target.map { adoptedTarget($0) })
        _ = add(copy)
        return copy
    }

    /// Returns the copy of a registration to which a copy forwards. If this container has registered the service
    /// itself, the copy is only the target of forwards: forwards never change their target.
    private func adoptedTarget(_ inherited: Registration) -> Registration {
        let origin = inherited.origin ?? inherited
        let copies = currentTable.all.flatMap { [$0, $0.target].compactMap { $0 } }
        if let copy = copies.first(where: { $0.origin === origin }) { return copy }
        if currentTable.find(inherited.key) == nil { return adopted(inherited) }
        return inherited.copy(for: self, forwardingTo: nil)
    }

    /// Replaces all registrations at once.
    package func replaceAll(with registrations: [Registration]) {
        var hooks: [CloseHook] = []
        update(releasesAll: true) {
            if isClosed { return [] }
            hooks = takeHooks { _ in true }
            for registration in registrations { registration.gainPlace() }
            let old = currentTable.all
            publish(RegistrationTable(registrations))
            return old.flatMap { $0.losePlace() }
        }
        run(hooks)
    }

    /// Removes all registrations and their instances, and closes the instances as `reset(_:)` does. The properties do
    /// not change.
    public func removeAll() { replaceAll(with: []) }

    /// Removes and closes the instances of a scope in this container and its parents. The next resolve builds new ones.
    ///
    /// Synchronous `onClose` closures run before this method returns, up to the first asynchronous one. A task runs the
    /// remaining closures, and `close(timeout:)` waits for it.
    ///
    /// An instance that is under construction at this time is returned only to threads that already wait for it. It is
    /// closed at the next reset of the scope, or with the container.
    ///
    /// - Parameter scope: the scope whose instances are removed.
    public func reset(_ scope: SharedScope) { reset(scope, service: nil) }

    /// Removes and closes the instances of a scope that were registered with one type, or with any type if `service` is
    /// nil.
    package func reset(_ scope: SharedScope, service: Any.Type?) {
        let isReset = { (key: ServiceKey) -> Bool in service.map { $0 == key.service } ?? true }
        var hooks: [CloseHook] = []
        update(releasesAll: true) {
            hooks = takeHooks { $0.scope.shared == scope && isReset($0.key) }
            return (table.copy()?.all ?? [])
                .filter { $0.options.scope.shared == scope && isReset($0.target?.key ?? $0.key) }
                .flatMap { [$0, $0.target].compactMap { $0?.forget() } }
        }
        run(hooks)
        parent?.reset(scope, service: service)
    }

    /// Removes and closes the instances of the session scope in this container and its parents, as `reset(_:)` does.
    public func resetSession() { reset(.session) }
}

// MARK: - The table

extension Container {
    /// The current table. The caller must hold the monitor.
    private var currentTable: RegistrationTable {
        if let table = table.copy() { return table }
        let new = RegistrationTable()
        publish(new)
        return new
    }

    private func publish(_ new: RegistrationTable) { if let old = table.exchange(new) { retire(old) } }

    /// Replaces the table by one in which each lookup results in `.closed`. The caller must hold the monitor.
    ///
    /// - Returns: the registrations of the container.
    func closeTable() -> [Registration] {
        defer { publish(RegistrationTable(isClosed: true)) }
        return table.copy()?.all ?? []
    }

    /// Keeps a replaced object alive until no reader can use it any more. The caller must hold the monitor.
    func retire(_ object: AnyObject) { state.retired.append(object) }

    /// Releases the replaced objects if there are at least `maximumRetired`.
    func releaseRetired() { update { [] } }

    /// The number of replaced objects at which a writer releases them.
    ///
    /// Before it releases objects, a writer must check the slot of each thread for readers. It does so once for many
    /// objects.
    private static let maximumRetired = 32

    /// Changes the registrations under the monitor. If the change has removed instances, or if many objects have been
    /// replaced, this method then waits for readers and releases these objects.
    ///
    /// - Parameters:
    ///   - releasesAll: whether to release all replaced objects even if they are few.
    ///   - change: the change. It returns the instances that it has removed. They are released before this method
    ///     returns, together with all replaced objects.
    func update(releasesAll: Bool = false, _ change: () -> [AnyObject]) {
        let unused = Self.monitor.withLock { () -> [AnyObject] in
            let forgotten = change()
            if forgotten.isEmpty, !releasesAll, state.retired.count < Self.maximumRetired { return [] }
            defer { state.retired = [] }
            return forgotten + state.retired
        }
        if unused.isEmpty { return }
        hazard.waitForReaders()
        // Releases the objects outside the monitor, because the `deinit` of a service or of a captured object is user
        // code.
        withExtendedLifetime(unused) {}
    }
}
