/// The result of a lookup of a key in a container and its parents.
@usableFromInline
enum LookupResult {
    /// A complete shared instance, or a value that was given to a child.
    case instance(StoredInstance)
    /// A registration that must provide the instance, and the container that has it.
    case registration(Registration, of: Container)
    /// Nothing is registered for the key.
    case missing
    /// The container is being closed or is closed, and has nothing complete for the key.
    case closed
    /// The container is being closed, and the key is not registered in it. In the result for one container, a parent
    /// may have a complete instance.
    case closing

    /// The result for an entry of a container that is being closed: the instance if its scope is weak and it lives. It is
    /// a function of its own, so that the other lookups stay small.
    @inline(never)
    fileprivate static func inClosing(_ shared: SharedInstance?) -> LookupResult {
        (shared?.livingInstance).map { .instance($0) } ?? .closed
    }
}

extension Registry {
    /// Looks up a key in this registry of a container. The lookup may have begun in a child of the container.
    borrowing func lookUp(_ key: ServiceKey, in container: Container, isForChild: Bool) -> LookupResult {
        lookUp(at: entries.index(of: key), in: container, isForChild: isForChild)
    }

    /// Looks up a key for a caller that records a shared instance. Other callers do not get it, because all threads would
    /// retain it together.
    ///
    /// - Returns: the result, and the shared instance if the result is one.
    borrowing func lookUpShared(
        _ key: ServiceKey, in container: Container, isForChild: Bool
    ) -> (LookupResult, SharedInstance?) {
        let index = entries.index(of: key)
        let found = lookUp(at: index, in: container, isForChild: isForChild)
        guard case .instance = found, let index else { return (found, nil) }
        return (found, entries.all.span[index].shared)
    }

    // A call of its own, whose result is copied, costs a seventh of a lookup.
    @inline(__always)
    private borrowing func lookUp(at index: Int?, in container: Container, isForChild: Bool) -> LookupResult {
        if let index {
            if let instance = entries.all.span[index].instance, !isForChild || !instance.isPerChild {
                return .instance(instance)
            }
            // A closing container builds nothing. A registration that forwards leads to what is complete.
            if let registration = entries.all.span[index].registration, isOpen || registration.target != nil {
                return .registration(registration, of: container)
            }
        }
        if isOpen { return .missing }
        guard let index else { return isClosing ? .closing : .closed }
        return .inClosing(entries.all.span[index].shared)
    }

    // The small reads are inlined: a call of a function of the registry, also one that does not happen, would copy all of
    // its fields.

    /// The registration of a key, or nil.
    @inline(__always)
    borrowing func registration(of key: ServiceKey) -> Registration? {
        entries.index(of: key).flatMap { entries.all.span[$0].registration }
    }

    /// The registrations, in the order of the first registration of their keys.
    var registrations: [Registration] { entries.all.compactMap(\.registration) }

    /// The registrations, each with the place of the registration that it has replaced.
    var places: [(registration: Registration, replacedPlace: SourcePlace?)] {
        entries.all.compactMap { entry in entry.registration.map { ($0, entry.replacedPlace) } }
    }

    /// Whether a service is registered for some arguments, or for none.
    func hasService(of key: ServiceKey) -> Bool {
        entries.all.contains { $0.registration?.key.hasService(of: key) == true }
    }

    /// The identities of the registrations that build a service, also of the targets that a registration of its type
    /// forwards to.
    func targets(of service: Any.Type) -> Set<ObjectIdentifier> {
        Set(
            registrations.filter { $0.key.service == service }.map { found in
                ObjectIdentifier(found.target.flatMap { registration(of: $0) } ?? found)
            })
    }

    /// The current shared instance of a registration, complete or under construction.
    @inline(__always)
    borrowing func current(of registration: Registration) -> SharedInstance? {
        guard let index = entries.index(of: registration.key), let shared = entries.all.span[index].shared,
            shared.registration === registration
        else { return nil }
        return shared
    }

    /// The current shared instance of a key, complete or under construction.
    borrowing func current(of key: ServiceKey) -> SharedInstance? {
        entries.index(of: key).flatMap { entries.all.span[$0].shared }
    }

    /// The current shared instance of a key if it has an `id`.
    borrowing func current(withID id: UInt64, of key: ServiceKey) -> SharedInstance? {
        current(of: key).flatMap { $0.id == id ? $0 : nil }
    }

    /// Whether a service is declared as given by children, or nil if it is not registered.
    borrowing func isGivenByChild(_ key: ServiceKey) -> Bool? {
        entries.index(of: key).flatMap { entries.all.span[$0].registration?.isGivenByChild }
    }

    /// All current shared instances, complete or under construction, without the instances of replacements.
    var allCurrent: [SharedInstance] { entries.all.compactMap(\.shared) }
}
