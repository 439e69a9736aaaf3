import SharedState

extension Frame {
    /// Reports a resolve that this factory or completion has begun from a captured container instead of its resolver,
    /// if a verification runs. The resolve began a graph of its own. It is not reported if that makes no difference.
    func reportCapture(of request: Request, in graph: Graph) {
        if graph.isEmpty { return }
        let containers = sequence(first: container, next: \.parent)
        guard containers.contains(where: { $0 === request.container }),
            let verification = containers.lazy.compactMap({ $0.registry.withRead { $0.verification } }).first(where: {
                _ in true
            })
        else { return }
        let closure = role == .factory ? "factory" : "completion"
        let detail =
            "the \(closure) of \(registration.key) resolves \(request.registration.key) from a captured container, "
            + "which begins another graph"
        verification.add(ResolutionError(.capturedContainer, path: request.path, detail: detail))
    }
}

// MARK: - Problems of registrations

extension Container {
    /// The problems that the registrations and the built instances show: hooks that would never run, services of a
    /// shorter life that others keep, and overrides that a shared service of a parent does not see.
    var lifetimeProblems: [ResolutionError] {
        let neverClosed = allRegistrations.filter { !$0.options.closures.isEmpty && !$0.isKept }
            .map { ResolutionError(.neverClosed, path: [$0.key], detail: "\($0.options.scope)") }
        var problems = neverClosed
        for container in sequence(first: self, next: \.parent) {
            for record in container.registry.withRead({ $0.closing.records }) {
                problems += container.shorterLives(in: record) + container.outdatedDependencies(in: record)
                problems += record.unseenOverrides(keys(below: record.registration))
            }
        }
        return problems
    }

    /// The registration of a key, and the container that has it.
    private func registration(of key: ServiceKey) -> (registration: Registration, container: Container)? {
        for container in sequence(first: self, next: \.parent) {
            if let found = container.registry.withRead({ $0.registration(of: key) }) { return (found, container) }
        }
        return nil
    }

    /// The keys that are registered in this container and its ancestors, up to the one that has a registration.
    private func keys(below registration: Registration) -> Set<ServiceKey> {
        var keys: Set<ServiceKey> = []
        for container in sequence(first: self, next: \.parent) {
            let own = container.ownRegistrations
            if own.contains(where: { $0 === registration }) { return keys }
            keys.formUnion(own.map(\.key))
        }
        return []
    }

    /// An error for each service that is registered beside a service of a longer life which keeps it.
    private func shorterLives(in record: ServiceRecord) -> [ResolutionError] {
        guard let scope = record.registration.sharedScope, scope != .child else { return [] }
        return record.takes.compactMap { take in
            guard !take.isDeferred, let (taken, container) = registration(of: take.key),
                registration(of: record.registration.key)?.container === container, let other = taken.sharedScope,
                !other.isWeak, ![.container, .child, scope].contains(other)
            else { return nil }
            return ResolutionError(.shorterLife, path: [record.registration.key, take.key], detail: "\(other)")
        }
    }
}

extension Container {
    /// An error for each following service that a service of this container keeps. A following service may keep one of
    /// the same container, because they are replaced together. One in `.child` is not meant to live long.
    private func outdatedDependencies(in record: ServiceRecord) -> [ResolutionError] {
        if record.registration.isPerChild { return [] }
        return record.takes.compactMap { take in
            guard !take.isDeferred, let (taken, container) = registration(of: take.key),
                (taken.target ?? taken).follows, !(record.registration.follows && container === self)
            else { return nil }
            return ResolutionError(.outdatedDependency, path: [record.registration.key, take.key])
        }
    }
}

extension ServiceRecord {
    /// An error for each service that this one has taken from its own container although a child overrides it.
    fileprivate func unseenOverrides(_ overridden: Set<ServiceKey>) -> [ResolutionError] {
        // If it is overridden too, the problem is the service that takes it instead of its override.
        if overridden.contains(registration.key) || registration.isPerChild { return [] }
        return takes.filter { overridden.contains($0.key) }.map { take in
            ResolutionError(
                .unseenOverride, path: [registration.key, take.key], detail: "\(registration.options.scope)")
        }
    }
}
