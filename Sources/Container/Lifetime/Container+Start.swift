extension Container {
    /// Starts a service: loads its sources, checks the declared keys, and builds all services that are in `.container`,
    /// so that one error reports all problems.
    ///
    ///     do {
    ///         try await container.start(sources)
    ///     } catch {
    ///         error.reportAndExit()
    ///     }
    ///
    /// The services of this container and its parents are built and kept. Asynchronous ones that do not need each other
    /// are built concurrently. Services with runtime arguments and those marked `.onDemand()` are left out. Unshared
    /// services are built only for others. Afterwards, a synchronous resolve finds also those that are built
    /// asynchronously.
    ///
    /// If a source cannot be loaded or a declared key is wrong, no service is built. If anything fails, this container is
    /// closed: what was built is closed in order, and the properties are as they were.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of the sources, in the order in which they are merged.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a service. By default they are
    ///     refused if a key is declared, and ignored otherwise.
    /// - Throws: all problems.
    nonisolated(nonsending) public func start(
        _ loaders: [any PropertyLoader] = [], unknownKeys: UnknownKeys? = nil
    ) async throws(ConfigurationErrors) {
        if !isOpen { throw ConfigurationErrors([ResolutionError(.closed, path: [ServiceKey(Container.self, nil)])]) }
        do throws(ConfigurationErrors) {
            let trial = try properties.beginTrial(loaders, unknownKeys)
            let problems = await buildAll() + lifetimeProblems
            try trial.end(failures: problems.withoutConsequences)
        } catch {
            await close()
            throw error
        }
    }

    /// Builds all shared services that `start` builds, and returns the problems.
    nonisolated(nonsending) private func buildAll() async -> [ResolutionError] {
        let roots = allRegistrations.filter {
            $0.sharedScope == .container && $0.key.hasNoArguments && !$0.options.isOnDemand
        }
        return await build(roots.filter(\.isAsync), roots.filter { !$0.isAsync })
    }

    /// Resolves services, and returns the problems.
    ///
    /// A service can fail because a synchronous factory needs an asynchronous service that does not exist yet. Then it
    /// is resolved again, as long as others succeed.
    nonisolated(nonsending) func build(_ asynchronous: [Registration], _ synchronous: [Registration]) async
        -> [ResolutionError]
    {
        var (open, problems) = (asynchronous, [ResolutionError]())
        while true {
            var again: [Registration] = []
            problems = await withTaskGroup(of: (Registration, ResolutionError)?.self) { group in
                for root in open { group.addTask { await self.problem(of: root).map { (root, $0) } } }
                return await group.reduce(into: []) { problems, failed in
                    guard let (root, problem) = failed else { return }
                    problems.append(problem)
                    if problem.reason == .asynchronous { again.append(root) }
                }
            }
            if again.isEmpty || again.count == open.count { break }
            open = again
        }
        for root in synchronous.sorted(by: { $0.key.description < $1.key.description }) {
            if let problem = await problem(of: root) { problems.append(problem) }
        }
        return problems
    }

    /// Resolves a service, and returns its problem, or nil.
    nonisolated(nonsending) private func problem(of root: Registration) async -> ResolutionError? {
        do throws(ResolutionError) {
            try await AsyncResolver(container: self).resolve(root.key)
            return nil
        } catch {
            return error
        }
    }
}

extension [ResolutionError] {
    /// The problems without those that only repeat another one at the end of a longer path, those of services that need
    /// an asynchronous one which has failed itself, and all but the first problem of each circle.
    var withoutConsequences: [ResolutionError] {
        var circles: Set<Set<ServiceKey>> = []
        let failed = Set(filter { $0.reason != .asynchronous }.compactMap(\.keys.first))
        return sorted { $0.path.lexicographicallyPrecedes($1.path) }.filter { problem in
            let path = problem.keys
            if problem.reason == .circular, let last = path.last, let start = path.firstIndex(of: last) {
                return circles.insert(Set(path[start...])).inserted
            }
            if problem.reason == .asynchronous, let last = path.last, failed.contains(last) { return false }
            return !contains { other in
                other.reason == problem.reason && other.keys.count < path.count
                    && path.suffix(other.keys.count).elementsEqual(other.keys)
            }
        }
    }
}
