/// What a container knows: its registrations, its shared instances, and what it must close. Its lock guards it.
///
/// It is not copyable, so that a read cannot retain its parts, which all readers share.
struct Registry: ~Copyable {
    var registrations: [ServiceKey: Registration] = [:]
    /// The keys, without arguments, of the registrations that take arguments.
    private var keysWithArguments: Set<ServiceKey> = []
    /// The complete shared instances, for reads. Each is also in `slots`.
    var instances: [ServiceKey: StoredInstance] = [:]
    /// The shared instances by registration, complete or under construction.
    var slots: [ObjectIdentifier: Slot] = [:]
    var closing = ClosingState()
    var failureHandler: (@Sendable (ResolutionError) -> Void)?
    /// The verification that runs, or nil.
    var verification: Verification?
}

/// The shared instance of a registration in one container.
struct Slot {
    enum Content {
        case kept(StoredInstance)
        case weak(WeakInstance)
        /// A thread builds the instance.
        case building(PendingInstance)
        /// A task builds the instance.
        case constructing(AsyncConstruction)
    }

    /// Kept alive, because the slot is found by the identity of the registration.
    let registration: Registration
    var content: Content
    /// The keys under which the instance is in `instances`.
    var keys: [ServiceKey] = []

    init(of registration: Registration, _ content: Content) {
        (self.registration, self.content) = (registration, content)
    }

    /// The instance, if it is complete.
    var instance: StoredInstance? {
        switch content {
        case .kept(let instance): instance
        case .weak(let reference): reference.instance(of: registration)
        case .building, .constructing: nil
        }
    }

    var pending: PendingInstance? {
        switch content {
        case .building(let pending): pending
        case .constructing(let construction): construction.pending
        case .kept, .weak: nil
        }
    }
}

/// The result of a lookup of a key in a container and its parents.
@usableFromInline
enum LookupResult {
    /// A complete shared instance.
    case instance(StoredInstance)
    /// A registration that must provide the instance. Its container is the given number of levels above.
    case registration(Registration, levels: Int)
    /// Nothing is registered for the key.
    case missing
    /// The container is closed.
    case closed
}

extension Registry {
    /// Looks up a key. `levels` is the number of containers below this one in which the key is not registered.
    borrowing func lookUp(_ key: ServiceKey, levels: Int) -> LookupResult {
        if let instance = instances[key], levels == 0 || !instance.isPerChild { return .instance(instance) }
        if let registration = registrations[key] { return .registration(registration, levels: levels) }
        return closing.isOpen ? .missing : .closed
    }
}

extension Registry {
    /// Whether a key leads to a registration of this container.
    func leads(to registration: Registration) -> Bool {
        registrations[registration.key] === registration
            || registrations.values.contains { $0.target === registration }
    }
}

extension Registry {
    /// Whether a service is registered for some arguments, or for none.
    func hasService(of key: ServiceKey) -> Bool {
        registrations[key.withoutArguments] != nil || keysWithArguments.contains(key.withoutArguments)
    }

    private mutating func noteArguments(of registration: Registration) {
        if !registration.key.hasNoArguments { keysWithArguments.insert(registration.key.withoutArguments) }
    }
}

// MARK: - Changes

// The methods return what they have removed, so that the caller releases it outside of the lock.

extension Registry {
    /// Adds a registration, or replaces the registration of the same key.
    mutating func add(_ registration: Registration) -> [Any] {
        noteArguments(of: registration)
        let old = registrations.updateValue(registration, forKey: registration.key)
        let removed = instances.removeValue(forKey: registration.key)
        return [old as Any, removed as Any] + (old.map { drop([$0]) } ?? [])
    }

    /// Replaces all registrations.
    mutating func replaceAll(with new: [Registration]) -> [Any] {
        let old = (registrations, instances)
        (registrations, instances) = ([:], [:])
        keysWithArguments = []
        for registration in new {
            registrations[registration.key] = registration
            noteArguments(of: registration)
        }
        return [old] + drop(Array(old.0.values))
    }

    /// Removes the instances of registrations that no key leads to any more.
    private mutating func drop(_ old: [Registration]) -> [Any] {
        let candidates = Set(old.flatMap(\.chain).filter { slots[$0] != nil })
        if candidates.isEmpty { return [] }
        return removeInstances(of: candidates.subtracting(registrations.values.flatMap(\.chain)))
    }

    /// Removes the instances of some registrations. One under construction goes on, and is not kept.
    mutating func removeInstances(of ids: Set<ObjectIdentifier>) -> [Any] {
        var removed: [Any] = [closing.removeRecords { ids.contains($0.registration.id) && $0.hooks.isEmpty }]
        for id in ids {
            guard let slot = slots.removeValue(forKey: id) else { continue }
            removed.append(slot)
            for key in slot.keys { removed.append(instances.removeValue(forKey: key) as Any) }
        }
        return removed
    }

    /// Keeps a complete instance under a key too, if it is still the current one of its registration.
    mutating func keep(_ view: StoredInstance, of target: Registration, under key: ServiceKey, for object: AnyObject) {
        guard case .kept(let instance)? = slots[target.id]?.content, instance.object === object else { return }
        var view = view
        view.isPerChild = target.isPerChild
        instances[key] = view
        slots[target.id]?.keys.append(key)
    }
}

extension Registration {
    /// Identifies the registration as long as it exists.
    var id: ObjectIdentifier { ObjectIdentifier(self) }
    /// The registration itself, and the one that it forwards to.
    fileprivate var chain: [ObjectIdentifier] { [id] + (target.map { [$0.id] } ?? []) }
}
