import SharedState

extension Container {
    /// What a caller that needs a shared instance does.
    enum Claim {
        case instance(StoredInstance)
        /// The instance is under construction. If it is new, the caller must build it.
        case pending(PendingInstance, isNew: Bool)
        case closed
    }

    /// Finds the shared instance of a registration, or assigns its construction to the caller.
    ///
    /// - Parameters:
    ///   - registration: the registration, of this container or, if each child has an instance, of an ancestor.
    ///   - construction: the construction that the instance becomes a member of, or nil for a new one.
    ///   - replacement: the replacement for which the instance is needed, or nil for the current instance.
    ///   - isAsync: whether the caller can start an asynchronous construction.
    /// - Returns: the claim, or nil if the instance is built asynchronously and the caller cannot start that.
    func claim(
        _ registration: Registration, for construction: Construction?, _ replacement: Replacement?,
        isAsync: Bool = false
    ) -> Claim? {
        if registration.isWeak, let instance = registry.withRead({ $0.slots[registration.id]?.instance }) {
            return .instance(instance)
        }
        return registry.withWrite { registry in
            if let slot = registry[registration.id, replacement] {
                if let pending = slot.pending { return .pending(pending, isNew: false) }
                if let instance = slot.instance { return .instance(instance) }
            }
            // A construction may outlive the replacement that it belongs to.
            let isOver = replacement != nil && replacement !== registry.following.replacement
            if !registry.closing.isOpen || isOver { return .closed }
            if registration.isAsync, !isAsync { return nil }
            registry.closing.activities += 1
            // A registration that has been replaced since the lookup builds an instance that is not kept. An ancestor's
            // registration is in another registry.
            let isKept =
                replacement != nil || registration.isPerChild || isVerifying || registry.leads(to: registration)
            let pending = PendingInstance(
                of: registration, in: self, construction ?? Construction(),
                for: replacement)
            if isKept { registry[registration.id, replacement] = Slot(of: registration, .building(pending)) }
            return .pending(pending, isNew: true)
        }
    }

    /// Keeps an instance that is complete.
    func keep(_ pending: PendingInstance, _ instance: StoredInstance) {
        let registration = pending.registration
        var record =
            registration.isKept
            ? ServiceRecord(
                registration: registration, instance: instance, takes: pending.takes, reads: pending.reads) : nil
        let reference = registration.isWeak ? WeakInstance(instance, registration.form) : nil
        var instance = instance
        instance.isPerChild = registration.isPerChild || isVerifying
        var isDropped = false
        let idle = registry.withWrite { registry -> Signal<Void>? in
            let isCurrent = registry.keep(instance, reference.map { .weak($0) } ?? .kept(instance), of: pending)
            // The construction has outlived `close()` or its replacement, so nobody else closes the instance.
            isDropped = registry.closing.isDrained || pending.replacement != nil && !isCurrent
            if isDropped, record != nil { return nil }
            record?.isStale = pending.reads != nil && pending.isStale
            if let record, isCurrent || record.hasHooks { registry.closing.records.append(record) }
            return registry.closing.endActivity()
        }
        idle?.send(())
        if isDropped, let record { return run(record.hooks) }
        if let reads = pending.reads, !reads.end(in: properties) || record?.isStale == true { settingsChanged() }
    }

    /// Removes an instance that could not be built.
    func abandon(_ pending: PendingInstance) {
        let id = pending.registration.id
        let (slot, idle) = registry.withWrite { registry in
            let slot = registry[id, pending.replacement]
            let isCurrent = slot?.pending === pending
            if isCurrent { registry[id, pending.replacement] = nil }
            return (isCurrent ? slot : nil, registry.closing.endActivity())
        }
        withExtendedLifetime(slot) {}
        idle?.send(())
    }
}
