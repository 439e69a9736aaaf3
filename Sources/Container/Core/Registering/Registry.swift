import SharedState

/// The state of a container: its registrations, its shared instances, and what is built on them. The container's lock
/// guards it.
///
/// It is not copyable, so that a read cannot retain its parts, which all readers share.
struct Registry: ~Copyable {
    /// The entries that lookups find.
    private(set) var entries = EntryTable()
    /// The instances under construction, from their claims until they are complete or have failed. Lookups may not find
    /// them, because of a reset, another registration, or because they replace others.
    private(set) var building: [SharedInstance] = []
    /// Whether it builds instances.
    private(set) var isOpen = true
    /// Whether its instances are being closed, so that lookups still find the others.
    private(set) var isClosing = false
    /// The state of closing, following, starting and the reports. The registry tells it when an instance is begun,
    /// complete, failed or lost.
    var life = ContainerLife()
    var failureHandler: (@Sendable (ResolutionError) -> Void)?
    /// The services that are registered, if their names were asked for after the last change.
    private var known: KnownServices?
}

/// The objects that a change has removed from a registry. The caller releases them after unlocking: see `Lock`.
struct Removed {
    var entries: ContiguousArray<Entry> = []
    var shared: [SharedInstance] = []
    var phases: [FormerPhase] = []
}

// MARK: - Shared instances

extension Registry {
    /// The result of a claim.
    enum Claim {
        case complete(SharedInstance, StoredInstance)
        /// The instance is under construction.
        case underConstruction(SharedInstance)
        /// The caller must build the instance.
        case new(SharedInstance)
        /// The registration has been removed or replaced since it was looked up.
        case registrationChanged
        case refused(Refusal)
    }

    /// The reason why a caller cannot have an instance.
    enum Refusal {
        /// The caller cannot start an asynchronous construction.
        case asynchronous
        /// The instance is being closed, and its closing needs it.
        case circular
        case closed
    }

    /// Finds the shared instance of a registration, or assigns its construction to the caller.
    ///
    /// - Parameters:
    ///   - request: the request for it.
    ///   - arguments: the runtime arguments that a new instance keeps.
    ///   - construction: the construction that the instance becomes a member of, or nil for a new one.
    ///   - isAsync: whether the caller can start an asynchronous construction.
    ///   - removed: gets the instance in whose place the new one comes, which the caller releases after unlocking.
    /// - Returns: the next step of the caller.
    mutating func claim(
        _ request: Request, keeping arguments: RuntimeArguments?, for construction: Construction?, isAsync: Bool,
        removed: inout SharedInstance?
    ) -> Claim {
        let registration = request.registration, index = entries.index(of: registration.key)
        if let index, let found = entries.all.span[index].shared, found.registration === registration {
            let phase = found.phase
            if !phase.hasEnded { return .underConstruction(found) }
            if let instance = phase.instance { return .complete(found, instance) }
            removed = found
        }
        if !isOpen { return .refused(.closed) }
        if registration.isAsync, !isAsync { return .refused(.asynchronous) }
        let own = index.flatMap { entries.all.span[$0].registration }
        if !request.isRegistered(as: own) { return .registrationChanged }
        if request.parent?.isClosing(registration, of: request.owner) == true { return .refused(.circular) }
        let new = SharedInstance(of: registration, in: request.owner, construction ?? Construction(), arguments)
        begin(new)
        let place = index ?? entries.append(Entry(key: registration.key))
        (entries.all[place].shared, entries.all[place].instance) = (new, nil)
        return .new(new)
    }

    /// Begins the construction of an instance.
    mutating func begin(_ shared: SharedInstance) {
        life.began(shared)
        building.append(shared)
    }

    private mutating func removeFromBuilding(_ shared: SharedInstance) {
        // From the end, because a chain of services ends from its last one to its first.
        if let index = building.lastIndex(where: { $0 === shared }) { building.remove(at: index) }
    }

    /// Makes an instance complete. Lookups find it if it is the current instance of its registration, or replaces the
    /// current instance. Otherwise only the callers that have asked for it get it. If it has hooks, it is closed with
    /// the container, as the others.
    ///
    /// - Returns: the old phase, which the caller releases after unlocking, and the work that it then does. Nil if
    ///   nothing would close the instance, or if it should replace an instance and is not wanted any more. Then the
    ///   caller lets it fail.
    mutating func publish(
        _ shared: SharedInstance, _ instance: StoredInstance, _ reference: WeakInstance?
    ) -> (former: FormerPhase, rest: ContainerLife.Completed)? {
        let registration = shared.registration
        let former = shared.isSuccessor ? current(replacedBy: shared) : nil
        if registration.isKept, !life.canClose || shared.isSuccessor && former == nil { return nil }
        let formerPhase = shared.enter(reference.map { .weak($0) } ?? .complete(instance))
        if let former, let index = index(of: former) {
            (entries.all[index].shared, entries.all[index].instance) = (shared, nil)
        }
        let index = index(of: shared)
        removeFromBuilding(shared)
        // An instance with runtime arguments is found by a claim, which compares them.
        if registration.isKept, registration.key.hasNoArguments, isOpen, let index {
            entries.all[index].instance = instance
        }
        return (formerPhase, life.completed(shared, inPlaceOf: former, isCurrent: index != nil))
    }

    /// The current instance that a complete instance replaces, or nil if the replacement is not wanted any more.
    private mutating func current(replacedBy successor: SharedInstance) -> SharedInstance? {
        guard isOpen, let current = current(of: successor.registration), life.isWanted(successor, inPlaceOf: current)
        else { return nil }
        return current
    }

    /// The index of the entry in which lookups find a shared instance, or nil if they do not find it.
    @inline(__always)
    private borrowing func index(of shared: SharedInstance) -> Int? {
        entries.index(of: shared.registration.key).flatMap { entries.all.span[$0].shared === shared ? $0 : nil }
    }

    /// Removes an instance that could not be built. Its construction is pending work until its teardown has ended.
    mutating func fail(_ shared: SharedInstance, with error: ResolutionError?) -> FormerPhase {
        hide(shared)
        removeFromBuilding(shared)
        life.failed(shared)
        return shared.enter(.failed(error))
    }

    /// Hides an instance from lookups and claims: the next claim begins a new one. If it is under construction, lookups
    /// do not find it when it is complete either.
    mutating func hide(_ shared: SharedInstance) {
        guard let index = index(of: shared) else { return }
        (entries.all[index].shared, entries.all[index].instance) = (nil, nil)
    }
}

// MARK: - Registrations

// The methods return the objects that they have removed, which the caller releases after unlocking.

extension Registry {
    /// Adds a registration, or replaces the registration of the same key.
    ///
    /// - Parameters:
    ///   - registration: the registration.
    ///   - instance: the value that was given to a child, which lookups then find, or nil.
    /// - Returns: the removed objects.
    mutating func add(_ registration: Registration, _ instance: StoredInstance? = nil) -> Removed {
        known = nil
        guard let index = entries.index(of: registration.key) else {
            entries.append(Entry(key: registration.key, registration: registration, instance: instance))
            return Removed()
        }
        let old = entries.all[index]
        let (place, oldPlace) = (registration.options.place, old.registration?.options.place)
        let replacedPlace = place == oldPlace ? old.replacedPlace : oldPlace
        let removed = setRegistration(registration, at: index, replacedPlace: replacedPlace)
        entries.all[index].instance = instance
        return removed
    }

    /// Changes the options of a registration, unless its key has been registered again since then. A registration that
    /// others use is replaced by a copy.
    mutating func change(_ key: ServiceKey, _ id: UInt64, _ change: (inout RegistrationOptions) -> Void) -> Removed {
        guard let index = entries.index(of: key), entries.all[index].registration?.id == id else { return Removed() }
        var removed = Removed()
        if isKnownUniquelyReferenced(&entries.all[index].registration) {
            entries.all[index].registration?.change(change)
        } else if let new = entries.all[index].registration?.with(change) {
            removed = setRegistration(new, at: index, replacedPlace: entries.all[index].replacedPlace)
        }
        if let registration = entries.all[index].registration { ContainerLife.check(registration) }
        return removed
    }

    private mutating func setRegistration(_ new: Registration, at index: Int, replacedPlace: SourcePlace?) -> Removed {
        let old = entries.all[index]
        entries.all[index] = Entry(key: new.key, registration: new, replacedPlace: replacedPlace)
        var removed = Removed(entries: [old])
        if let shared = old.shared, let phase = life.lostEntry(shared) { removed.phases.append(phase) }
        return removed
    }

    /// Replaces all registrations.
    mutating func replaceAll(with new: [Registration]) -> Removed {
        let removed = removeRegistrations()
        known = nil
        for registration in new {
            let index = entries.index(of: registration.key) ?? entries.append(Entry(key: registration.key))
            entries.all[index].registration = registration
        }
        return removed
    }

    /// Removes all registrations, and all instances that lookups find.
    mutating func removeRegistrations() -> Removed {
        let removed = Removed(entries: entries.all)
        entries = EntryTable()
        return removed
    }
}

// MARK: - Names

extension Registry {
    /// The services that are registered.
    mutating func knownServices() -> KnownServices {
        let found = known ?? KnownServices(registrations.map(\.key))
        known = found
        return found
    }
}

// MARK: - The end

extension Registry {
    /// Builds nothing any more. Lookups find only what is complete, until it is hidden or all registrations are removed.
    mutating func stopBuilding() {
        (isOpen, isClosing) = (false, true)
        for shared in building { hide(shared) }
    }

    /// Removes all registrations. From now on, lookups find nothing.
    mutating func stopLookups() -> Removed {
        (isOpen, isClosing) = (false, false)
        return removeRegistrations()
    }
}
