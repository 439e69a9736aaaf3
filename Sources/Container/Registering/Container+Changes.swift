import SharedState

extension Container {
    /// Adds a registration, or replaces the registration of the same key.
    ///
    /// - Parameters:
    ///   - registration: the new registration.
    ///   - old: the expected registration of the key. If the container has another one, this method does nothing. If
    ///     `old` is nil, the method always inserts.
    func insert(_ registration: Registration, inPlaceOf old: Registration? = nil) {
        change { registry in
            if !registry.closing.isOpen { return [] }
            if let old, registry.registration(of: old.key) !== old { return [] }
            return registry.add(registration)
        }
    }

    /// Replaces all registrations at once, and closes the instances.
    package func replaceAll(with registrations: [Registration]) {
        var records: [ServiceRecord] = []
        let former = aliases
        change { registry in
            registry.closing.activities += 1
            if !registry.closing.isOpen { return [] }
            records = registry.closing.removeRecords { _ in true }
            return registry.replaceAll(with: registrations)
        }
        run(records.hooksInOrder(aliases: former))
    }

    /// Removes all registrations and their instances, and closes the instances as `reset(_:)` does. The properties do
    /// not change.
    public func removeAll() { replaceAll(with: []) }

    /// Changes the registry.
    ///
    /// - Parameter change: the change. It returns what it has removed, which is released outside of the lock, because
    ///   the `deinit` of a service or of a captured object is user code.
    func change(_ change: (inout Registry) -> [Any]) {
        let removed = registry.withWrite(change)
        withExtendedLifetime(removed) {}
    }
}

// MARK: - Shared instances

extension Container {
    /// What a caller that needs a shared instance does.
    enum Claim {
        case instance(StoredInstance)
        /// Nobody builds the instance. The caller must.
        case new(PendingInstance)
        /// A thread builds the instance.
        case building(PendingInstance)
        /// A task builds the instance. `isNew` is whether the caller must start it.
        case constructing(AsyncConstruction, isNew: Bool)
        case closed
    }

    /// Finds the shared instance of a registration, or assigns its construction to the caller.
    ///
    /// - Parameters:
    ///   - registration: the registration, of this container or, if each child has an instance, of an ancestor.
    ///   - construction: the construction that the instance becomes a member of, or nil for a new one.
    ///   - isAsync: whether the caller can start an asynchronous construction.
    /// - Returns: the claim, or nil if the instance is built asynchronously and the caller cannot start that.
    func claim(_ registration: Registration, for construction: Construction?, isAsync: Bool = false) -> Claim? {
        if registration.isWeak, let instance = registry.withRead({ $0.slots[registration.id]?.instance }) {
            return .instance(instance)
        }
        return registry.withWrite { registry in
            if let slot = registry.slots[registration.id] {
                switch slot.content {
                case .kept(let instance): return .instance(instance)
                case .building(let pending): return .building(pending)
                case .constructing(let construction): return .constructing(construction, isNew: false)
                case .weak: if let instance = slot.instance { return .instance(instance) }
                }
            }
            if !registry.closing.isOpen { return .closed }
            if registration.isAsync, !isAsync { return nil }
            registry.closing.activities += 1
            // A registration that has been replaced since the lookup builds an instance that is not kept. An ancestor's
            // registration is in another registry.
            let isKept = registration.isPerChild || isVerifying || registry.leads(to: registration)
            let pending = PendingInstance(
                of: registration, in: self, registration.isAsync ? nil : construction ?? Construction(in: self))
            if registration.isAsync {
                let construction = AsyncConstruction(of: pending)
                if isKept { registry.slots[registration.id] = Slot(of: registration, .constructing(construction)) }
                return .constructing(construction, isNew: true)
            }
            if isKept { registry.slots[registration.id] = Slot(of: registration, .building(pending)) }
            return .new(pending)
        }
    }

    /// The construction of a shared instance that is in progress, or nil.
    func claimed(_ registration: Registration) -> Claim? {
        registry.withRead { registry in
            if case .building(let pending)? = registry.slots[registration.id]?.content {
                .building(pending)
            } else {
                nil
            }
        }
    }

    /// Keeps an instance that is complete.
    func keep(_ pending: PendingInstance, _ instance: StoredInstance) {
        let registration = pending.registration
        let record =
            registration.isKept
            ? ServiceRecord(registration: registration, instance: instance, takes: pending.takes) : nil
        let reference = registration.isWeak ? WeakInstance(instance, of: registration) : nil
        var instance = instance
        instance.isPerChild = registration.isPerChild || isVerifying
        var isClosed = false
        let actions = registry.withWrite { registry -> [@Sendable () -> Void] in
            let isCurrent = registry.keep(instance, reference.map { .weak($0) } ?? .kept(instance), of: pending)
            if case .closed = registry.closing.phase { isClosed = true }
            if isClosed, record != nil { return [] }
            if let record, isCurrent || record.hasHooks { registry.closing.records.append(record) }
            return registry.closing.endActivity()
        }
        for action in actions { action() }
        // The construction has outlived `close()`, so nobody else closes the instance.
        if isClosed, let record { run(record.hooks) }
    }

    /// Removes an instance that could not be built.
    func abandon(_ pending: PendingInstance) {
        let id = pending.registration.id
        let (slot, actions) = registry.withWrite { registry in
            let isCurrent = registry.slots[id]?.pending === pending
            return (isCurrent ? registry.slots.removeValue(forKey: id) : nil, registry.closing.endActivity())
        }
        withExtendedLifetime(slot) {}
        for action in actions { action() }
    }
}

// MARK: - Resetting

extension Container {
    /// Removes and closes the instances of a scope in this container and its parents. The next resolve builds new ones.
    ///
    /// Synchronous `onClose` closures run before this method returns, up to the first asynchronous one. A task runs the
    /// remaining closures, and `close(timeout:)` waits for it. `close(_:timeout:)` waits for all of them itself.
    ///
    /// An instance that is under construction at this time is returned only to those who already wait for it, and built
    /// again if it was made from one that is removed here. It is closed at the next reset of the scope, or with the
    /// container.
    ///
    /// - Parameter scope: the scope whose instances are removed.
    public func reset(_ scope: SharedScope) { reset(scope, service: nil) }

    /// Removes and closes the instances of the session scope in this container and its parents, as `reset(_:)` does.
    public func resetSession() { reset(.session) }

    /// Removes and closes the instances of a scope that were registered with one type, or with any type if `service` is
    /// nil.
    package func reset(_ scope: SharedScope, service: Any.Type?) {
        run(removeInstances(of: scope, service: service))
        parent?.reset(scope, service: service)
    }

    /// Removes the instances of a scope, and returns their hooks. It begins an activity, which ends when they have run.
    func removeInstances(of scope: SharedScope, service: Any.Type? = nil) -> [CloseHook] {
        let aliases = aliases
        let isReset = { (registration: Registration) -> Bool in
            guard registration.sharedScope == scope else { return false }
            return service.map { type in
                registration.key.service == type
                    || aliases.contains { $0.key.service == type && $0.value == registration.key }
            } ?? true
        }
        var records: [ServiceRecord] = []
        // A factory that resets its own scope would otherwise be called without end.
        let own = OwnConstruction()
        change { registry in
            registry.closing.activities += 1
            let removed = registry.slots.values.filter { isReset($0.registration) }
            let keys = Set(removed.flatMap(\.keys))
            for pending in registry.slots.values.compactMap(\.pending) where !own.contains(pending) {
                pending.expire(ifBuiltFrom: keys)
            }
            records = registry.closing.removeRecords { isReset($0.registration) }
            return [removed] + registry.removeInstances(of: Set(removed.map(\.registration.id)))
        }
        return records.hooksInOrder(aliases: aliases)
    }

    /// The keys that forward to others.
    var aliases: [ServiceKey: ServiceKey] {
        var aliases: [ServiceKey: ServiceKey] = [:]
        for registration in allRegistrations { aliases[registration.key] = registration.target?.key }
        return aliases
    }
}
