import SharedState

extension Container {
    /// Looks up a key in this container, and then in its parents.
    @usableFromInline
    func lookUp(_ key: ServiceKey) -> LookupResult {
        let found = registry.withRead { $0.lookUp(key, in: self, isForChild: false) }
        switch found {
        case .missing: return parent == nil ? found : lookUpAbove(key, isClosing: false)
        case .closing: return lookUpAbove(key, isClosing: true)
        default: return found
        }
    }

    /// Looks up a key in the parents. If this child overrides services, a shared instance is checked for overrides that it
    /// does not see.
    private func lookUpAbove(_ key: ServiceKey, isClosing: Bool) -> LookupResult {
        let (found, shared) = search(for: key, from: parent, isClosing: isClosing, isRecorded: hasOverrides)
        if let shared { record(shared, for: nil) }
        return found
    }

    /// Looks up a key for a shared instance under construction, and records a complete instance.
    func lookUp(_ key: ServiceKey, for dependent: SharedInstance, as kind: Dependency.Kind) -> LookupResult {
        let (found, shared) = search(for: key, from: self, isClosing: false, isRecorded: true)
        guard let shared else { return found }
        // A complete instance is found, but a `Request` decides in two cases. If the instance follows its settings, the
        // dependent may not be allowed to hold it. If the construction of the dependent has another instance of the
        // same registration, the dependent gets that one.
        if shared.registration.follows || dependent.construction.hasMember(inPlaceOf: shared),
            let home = registration(of: shared.key)?.container
        {
            return .registration(shared.registration, of: home)
        }
        record(shared, for: dependent, as: kind)
        return found
    }

    /// Searches for a key in a container and its parents.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - first: this container or its parent.
    ///   - isClosing: whether this container is being closed, so that nothing is built.
    ///   - isRecorded: whether the caller records a shared instance.
    /// - Returns: the result, and the shared instance if the result is one and is recorded.
    private func search(
        for key: ServiceKey, from first: Container?, isClosing: Bool, isRecorded: Bool
    ) -> (LookupResult, SharedInstance?) {
        var (isClosing, next) = (isClosing, first)
        // Not recursive, because containers can be nested as deeply as factories.
        while let container = next {
            let isForChild = container !== self
            let (found, shared) =
                isRecorded
                ? container.registry.withRead { $0.lookUpShared(key, in: container, isForChild: isForChild) }
                : (container.registry.withRead { $0.lookUp(key, in: container, isForChild: isForChild) }, nil)
            switch found {
            case .missing: break
            case .closing: isClosing = true
            default: return (isClosing ? withoutFactory(found) : found, shared)
            }
            next = container.parent
        }
        return (isClosing ? .closing : .missing, nil)
    }

    /// The result of a lookup that has begun in a container which is being closed, so that nothing is built.
    private func withoutFactory(_ found: LookupResult) -> LookupResult {
        guard case .registration(let registration, let home) = found, registration.target == nil else { return found }
        let living = home.registry.withRead { $0.current(of: registration)?.livingInstance }
        return living.map { .instance($0) } ?? .closed
    }

    /// Records a shared instance that a resolve from this container returns. This is the only place that records one.
    ///
    /// - Parameters:
    ///   - shared: the shared instance, which is complete, or part of the construction that asks.
    ///   - dependent: the shared instance whose factory or completion has asked for it, or nil.
    ///   - kind: how the dependent gets it.
    func record(_ shared: SharedInstance, for dependent: SharedInstance?, as kind: Dependency.Kind = .instance) {
        dependent?.taken.add(shared, as: kind)
        if hasOverrides, !shared.belongs(to: self) { ContainerLife.found(shared, from: self) }
    }
}

// MARK: - Registrations

extension Container {
    /// Whether a service is registered here or in a parent, for any arguments.
    func hasService(of key: ServiceKey) -> Bool {
        sequence(first: self, next: \.parent).contains { $0.registry.withRead { $0.hasService(of: key) } }
    }

    /// The registration of a key, and the container that has it: this container, or its nearest parent that has one.
    func registration(of key: ServiceKey) -> (registration: Registration, container: Container)? {
        for container in sequence(first: self, next: \.parent) {
            if let found = container.registry.withRead({ $0.registration(of: key) }) { return (found, container) }
        }
        return nil
    }

    /// The registration that builds the service of a key, also if the key only forwards to it.
    func builder(of key: ServiceKey) -> Registration? {
        var (seen, key) = ([key], key)
        while let registration = registration(of: key)?.registration {
            guard let target = registration.target else { return registration }
            if seen.contains(target) { return nil }
            seen.append(target)
            key = target
        }
        return nil
    }

    /// The registration that builds the service of a registration of this container or of a parent. It is the
    /// registration itself if that does not forward to another one, or to nothing.
    func builder(of registration: Registration) -> Registration {
        registration.target == nil ? registration : builder(of: registration.key) ?? registration
    }

    /// The registrations of this container without its parents.
    var ownRegistrations: [Registration] { registry.withRead { $0.registrations } }

    /// The registrations of this container, and the registrations of its parents whose keys it does not register
    /// itself.
    var allRegistrations: [Registration] {
        var (found, seen) = ([Registration](), Set<ServiceKey>())
        for container in sequence(first: self, next: \.parent) {
            found += container.ownRegistrations.filter { !seen.contains($0.key) }
            seen.formUnion(found.map(\.key))
        }
        return found
    }

    /// The outermost parent, or this container if it has no parent.
    var topmost: Container {
        var container = self
        while let parent = container.parent { container = parent }
        return container
    }
}
