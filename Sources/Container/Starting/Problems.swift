import SharedState

extension Container {
    /// The problems that the registrations and the built instances show: hooks that would never run, and services that
    /// must not be kept by the services that depend on them.
    var lifetimeProblems: [ResolutionError] {
        var problems = allRegistrations.filter { !$0.options.closures.isEmpty && !$0.isKept }
            .map { ResolutionError(.neverClosed, path: [$0.key], detail: "\($0.options.scope)") }
        for container in sequence(first: self, next: \.parent) {
            // A service in `.child` sees the overrides of its container, and is not meant to live long.
            for shared in container.registry.withRead({ $0.complete }) where !shared.registration.isPerChild {
                // It may have got a service from several containers.
                var keys: Set<ServiceKey> = []
                for dependency in shared.dependencies
                where !dependency.isDeferred && keys.insert(dependency.key).inserted {
                    problems += container.problems(with: dependency, of: shared.registration)
                }
            }
            let followers = container.followers
            problems += followers.circles.map { holder, held in
                let keys = [followers.current[holder].key, followers.current[held].key]
                return ResolutionError(.outdatedDependency, path: keys, detail: keys[0].description)
            }
        }
        return problems
    }

    /// The problems of a shared service of this container, the holder, with a service that it depends on.
    private func problems(with dependency: SharedInstance.Dependency, of holder: Registration) -> [ResolutionError] {
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
            add(.outdatedDependency, "\(holder.key)")
        }
        return problems
    }
}
