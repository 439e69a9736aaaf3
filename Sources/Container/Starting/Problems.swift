import SharedState

extension Container {
    /// The problems that the registrations and the built instances show: hooks that would never run, and services that
    /// must not be kept by the services that depend on them.
    var lifetimeProblems: [ResolutionError] {
        var problems = allRegistrations.filter { !$0.options.life.closures.isEmpty && !$0.isKept }
            .map { ResolutionError(.neverClosed, path: [$0.key], detail: "\($0.options.scope)") }
        for container in sequence(first: self, next: \.parent) {
            for shared in container.holders {
                // It may have got a service from several containers.
                var keys: Set<ServiceKey> = []
                for dependency in shared.taken.dependencies
                where !dependency.isDeferred && keys.insert(dependency.key).inserted {
                    problems += container.problems(with: dependency, of: shared.registration)
                }
            }
            let followers = container.followers
            problems += followers.circles.map { holder, held in
                let keys = [followers.current[holder].key, followers.current[held].key]
                return ResolutionError(.outdatedDependency, path: keys, detail: names.text(of: keys[0]))
            }
        }
        return problems
    }

    /// Reports the shared services that have a `Provider` or a `Lazy` of a service which each child has for itself, and
    /// would get it from their own container, for all children. That is legal if only this container uses it.
    func reportSharedByChildren() {
        var reported: Set<[ServiceKey]> = []
        for container in sequence(first: self, next: \.parent) {
            for shared in container.holders {
                let all = shared.taken.dependencies
                let held = Set(all.filter { !$0.isDeferred }.map(\.key))
                for key in Set(all.filter(\.isDeferred).map(\.key)).subtracting(held)
                where container.registration(of: key).map({ $0.registration.isOfChildren }) == true
                    && reported.insert([shared.key, key]).inserted
                {
                    report(ResolutionError(.sharedByChildren, path: [shared.key, key]))
                }
            }
        }
    }

    /// The complete shared instances that may outlive a child. A service in `.child` sees the overrides of its container,
    /// and is not meant to live long.
    private var holders: [SharedInstance] {
        let (kept, current) = registry.withRead { ($0.life.closing.toClose, $0.allCurrent) }
        let weak = current.filter { $0.registration.isWeak && $0.phase.hasEnded }
        return (kept + weak).filter { !$0.registration.isPerChild }
    }

    /// The problems of a shared service of this container, the holder, with a service that it depends on.
    private func problems(with dependency: Dependency, of holder: Registration) -> [ResolutionError] {
        let key = dependency.key
        var problems: [ResolutionError] = []
        func add(_ reason: ResolutionError.Reason, _ detail: String? = nil) {
            problems.append(ResolutionError(reason, path: [holder.key, key], detail: detail))
        }
        guard let (found, home) = registration(of: key) else { return problems }
        if let scope = found.sharedScope, !scope.isWeak, ![.container, holder.sharedScope].contains(scope),
            // An instance in `.child` that the holder keeps belongs to the holder's container, also if a parent
            // registers the service.
            found.isPerChild || registration(of: holder.key)?.container === home
        {
            add(.shorterLife, "\(scope)")
        }
        // A container that is started lives longer than a drain time.
        if found.follows, dependency.isHeld, !holder.follows || home !== self {
            add(.outdatedDependency, names.text(of: holder.key))
        }
        return problems
    }
}
