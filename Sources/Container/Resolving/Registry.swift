import SharedState

/// What a container knows: its registrations, its shared instances, and what it must close. Its lock guards it.
///
/// It is not copyable, so that a read cannot retain its parts, which all readers share.
struct Registry: ~Copyable {
    /// What lookups find. Reads of an element retain only what they return, which those of a dictionary do not.
    // `Array.span` needs macOS 26.
    private var entries: ContiguousArray<Entry> = []
    /// The places of the keys in `entries`.
    private var indices: [ServiceKey: Int] = [:]
    /// The shared instances by registration, complete or under construction.
    var slots: [ObjectIdentifier: Slot] = [:]
    /// The new instances of a replacement, complete or under construction, until it ends.
    var replacements: [ObjectIdentifier: Slot] = [:]
    var following = FollowingState()
    var closing = ClosingState()
    var failureHandler: (@Sendable (ResolutionError) -> Void)?
}

/// What a container has for a key: one of the two, or both.
private struct Entry {
    var registration: Registration?
    /// The complete shared instance, which is also in a slot. A child has one of a registration of its parent.
    var instance: StoredInstance?
}

/// The shared instance of a registration in one container.
struct Slot {
    enum Content {
        case kept(StoredInstance)
        case weak(WeakInstance)
        case building(PendingInstance)
    }

    /// Kept alive, because the slot is found by the identity of the registration.
    let registration: Registration
    var content: Content
    /// What the instance has read, if it is complete and follows its settings.
    var reads: ReadLog?
    /// The keys of forwards under which a lookup finds the instance too.
    var views: [ServiceKey] = []

    init(of registration: Registration, _ content: Content) {
        (self.registration, self.content) = (registration, content)
    }

    /// All keys under which a lookup may find the instance.
    var keys: [ServiceKey] { [registration.key] + views }

    /// The instance, if it is complete.
    var instance: StoredInstance? {
        switch content {
        case .kept(let instance): instance
        case .weak(let reference): reference.instance(registration.form)
        case .building: nil
        }
    }

    /// The instance under construction, or nil.
    var pending: PendingInstance? { if case .building(let pending) = content { pending } else { nil } }
}

/// The result of a lookup of a key in a container and its parents.
@usableFromInline
enum LookupResult {
    /// A complete shared instance.
    case instance(StoredInstance)
    /// A registration that must provide the instance, and the container that has it.
    case registration(Registration, of: Container)
    /// Nothing is registered for the key.
    case missing
    /// The container is closed.
    case closed
}

extension Registry {
    /// Looks up a key in this registry, which is that of a container. The lookup may have begun in a child of it.
    borrowing func lookUp(_ key: ServiceKey, in container: Container, isForChild: Bool) -> LookupResult {
        if let index = indices[key] {
            if let instance = entries.span[index].instance, !isForChild || !instance.isPerChild {
                return .instance(instance)
            }
            if let registration = entries.span[index].registration {
                return .registration(registration, of: container)
            }
        }
        return closing.isOpen ? .missing : .closed
    }

    /// The registration of a key, or nil.
    func registration(of key: ServiceKey) -> Registration? { indices[key].flatMap { entries[$0].registration } }

    /// The registrations, in the order in which their keys were first registered.
    var registrations: [Registration] { entries.compactMap(\.registration) }

    /// Whether a service is registered for some arguments, or for none.
    func hasService(of key: ServiceKey) -> Bool {
        entries.contains { $0.registration?.key.hasService(of: key) == true }
    }

    /// The registrations that build a service, also those that a registration of its type forwards to.
    func targets(of service: Any.Type) -> Set<ObjectIdentifier> {
        Set(registrations.filter { $0.key.service == service }.map { ($0.target ?? $0).id })
    }

    /// Whether a key leads to a registration of this container.
    func leads(to registration: Registration) -> Bool {
        self.registration(of: registration.key) === registration
            || entries.contains { $0.registration?.target === registration }
    }

    /// The slot of a registration, or the one of its new instance in a replacement.
    subscript(id: ObjectIdentifier, replacement: Replacement?) -> Slot? {
        get { replacement == nil ? slots[id] : replacements[id] }
        set { if replacement == nil { slots[id] = newValue } else { replacements[id] = newValue } }
    }

    /// All slots, also those of replacements.
    var allSlots: [Slot] { Array(slots.values) + replacements.values }
}

// MARK: - Changes

// The methods return what they have removed, so that the caller releases it outside of the lock.

extension Registry {
    /// Adds a registration, or replaces the registration of the same key.
    mutating func add(_ registration: Registration) -> [Any] {
        let index = place(of: registration.key)
        let old = entries[index]
        entries[index] = Entry(registration: registration)
        return [old] + (old.registration.map { drop([$0]) } ?? [])
    }

    /// Replaces all registrations.
    mutating func replaceAll(with new: [Registration]) -> [Any] {
        let (old, former) = (entries, registrations)
        (entries, indices) = ([], [:])
        for registration in new { entries[place(of: registration.key)].registration = registration }
        return [old] + drop(former)
    }

    /// Removes all registrations and instances.
    mutating func removeAll() -> [Any] {
        defer { (slots, closing.records) = ([:], []) }
        return [slots, closing.records] + removeRegistrations()
    }

    /// Removes all registrations. The instances remain in the slots.
    mutating func removeRegistrations() -> [Any] {
        defer { (entries, indices) = ([], [:]) }
        return [entries]
    }

    /// Removes the instances of registrations that no key leads to any more.
    private mutating func drop(_ old: [Registration]) -> [Any] {
        let candidates = Set(old.flatMap(\.chain).filter { slots[$0] != nil })
        if candidates.isEmpty { return [] }
        return removeInstances(of: candidates.subtracting(registrations.flatMap(\.chain)))
    }

    /// Removes the instances of some registrations. One under construction goes on, and is not kept.
    mutating func removeInstances(of ids: Set<ObjectIdentifier>) -> [Any] {
        var removed: [Any] = [closing.removeRecords { ids.contains($0.registration.id) && !$0.hasHooks }]
        for id in ids {
            guard let slot = slots.removeValue(forKey: id) else { continue }
            removed.append(slot)
            removed += slot.keys.map { removeInstance(of: $0) as Any }
        }
        return removed
    }

    mutating func removeInstance(of key: ServiceKey) -> StoredInstance? {
        indices[key].flatMap { entries[$0].instance.take() }
    }

    /// Lets lookups find the instance of a registration under its key, unless another one has replaced it.
    mutating func setInstance(_ instance: StoredInstance?, of registration: Registration) {
        let place = place(of: registration.key)
        let current = entries[place].registration
        if current == nil || current === registration { entries[place].instance = instance }
    }

    /// The place of a key, which is made if there is none.
    private mutating func place(of key: ServiceKey) -> Int {
        if let index = indices[key] { return index }
        if entries.isEmpty {
            // The first services of a child for a request need no more memory than that.
            indices.reserveCapacity(6)
            entries.reserveCapacity(6)
        }
        indices[key] = entries.count
        entries.append(Entry())
        return entries.count - 1
    }

    /// Keeps the complete instance of a construction, and lets lookups find it unless its registration has been replaced.
    ///
    /// - Returns: false if the slot has another content meanwhile. Then the instance is not kept.
    mutating func keep(_ instance: StoredInstance, _ content: Slot.Content, of pending: PendingInstance) -> Bool {
        guard var slot = self[pending.registration.id, pending.replacement], slot.pending === pending else {
            return false
        }
        (slot.content, slot.reads) = (content, pending.reads)
        self[pending.registration.id, pending.replacement] = slot
        if case .kept = content, closing.isOpen, pending.replacement == nil {
            setInstance(instance, of: pending.registration)
        }
        return true
    }

    /// Keeps a complete instance under a key too, if it is still the current one of its registration.
    mutating func keep(_ view: StoredInstance, of target: Registration, under key: ServiceKey, for object: AnyObject) {
        guard case .kept(let instance)? = slots[target.id]?.content, instance.object === object else { return }
        var view = view
        view.isPerChild = target.isPerChild
        entries[place(of: key)].instance = view
        slots[target.id]?.views.append(key)
    }
}

extension Registration {
    /// Identifies the registration as long as it exists.
    var id: ObjectIdentifier { ObjectIdentifier(self) }
    /// The registration itself, and the one that it forwards to.
    fileprivate var chain: [ObjectIdentifier] { [id] + (target.map { [$0.id] } ?? []) }
}
