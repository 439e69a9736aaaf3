import SharedState

extension Container {
    /// The problems that the registrations and the built instances show: hooks that would never run, and services that
    /// must not be kept by those that have taken them.
    var lifetimeProblems: [ResolutionError] {
        var problems = allRegistrations.filter { !$0.options.closures.isEmpty && !$0.isKept }
            .map { ResolutionError(.neverClosed, path: [$0.key], detail: "\($0.options.scope)") }
        for container in sequence(first: self, next: \.parent) {
            // A service in `.child` sees the overrides of its container, and is not meant to live long.
            for shared in container.registry.withRead({ $0.complete }) where !shared.registration.isPerChild {
                // It may have taken a service from several containers.
                var keys: Set<ServiceKey> = []
                for take in shared.takes where !take.isDeferred && keys.insert(take.key).inserted {
                    problems += container.problems(with: take, of: shared.registration)
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

    /// The problems of a shared service of this container, the holder, with a service that it has taken.
    private func problems(with take: Take, of holder: Registration) -> [ResolutionError] {
        let key = take.key
        var problems: [ResolutionError] = []
        func add(_ reason: ResolutionError.Reason, _ detail: String? = nil) {
            problems.append(ResolutionError(reason, path: [holder.key, key], detail: detail))
        }
        guard let (taken, home) = registration(of: key) else { return problems }
        if let scope = taken.sharedScope, !scope.isWeak, ![.container, holder.sharedScope].contains(scope),
            // What the holder keeps of `.child` is its container's own, also if a parent registers it.
            taken.isPerChild || registration(of: holder.key)?.container === home
        {
            add(.shorterLife, "\(scope)")
        }
        // A container that is started lives longer than a drain time.
        if taken.follows, take.isHeld, !holder.follows || home !== self { add(.outdatedDependency, "\(holder.key)") }
        return problems
    }
}

#if DEBUG
    extension Container {
        /// An error for each object in `.graph` that a shared service and a service that takes both have got twice. In
        /// Swinject they may share it, because a shared service is built in the graph of the first service that takes it.
        ///
        /// - Parameter unshared: what records the services that the unshared services have taken.
        /// - Returns: an error for each pair of a shared service and an object that it has taken.
        func servicesBuiltAgain(for unshared: [SharedInstance]) -> [ResolutionError] {
            let shared = sequence(first: self, next: \.parent).flatMap { $0.registry.withRead { $0.complete } }
                .map { ($0.key, $0.takes) }
            // The service that takes both of them itself comes before those that take it.
            let all = (unshared.map { ($0.key, $0.takes) } + shared)
                .sorted { ($0.1.count, $0.0.description) < ($1.1.count, $1.0.description) }
            var found: [[ServiceKey]: ResolutionError] = [:]
            for (taker, takes) in all {
                let own = Set(takes.filter { !$0.isDeferred }.map(\.key))
                for (key, others) in shared where own.contains(key) && key != taker {
                    for again in others.map(\.key) where found[[key, again]] == nil {
                        guard own.contains(again) || again == taker else { continue }
                        let isObject = again.service is AnyObject.Type || "\(again.service)".hasPrefix("any ")
                        guard isObject, registration(of: again)?.registration.options.scope == .graph else { continue }
                        let other = again == taker ? "\(taker)" : "\(taker) → \(again)"
                        found[[key, again]] = ResolutionError(.builtAgain, path: [taker, key, again], detail: other)
                    }
                }
            }
            return found.values.sorted(byName: \.description)
        }
    }
#endif
