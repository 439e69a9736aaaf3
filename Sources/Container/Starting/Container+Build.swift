import SharedState

extension Container {
    /// Resolves services.
    ///
    /// A service can fail because a synchronous factory needs an asynchronous service that does not exist yet. Then it
    /// is resolved again, as long as other services succeed.
    ///
    /// - Parameter roots: the services. Asynchronous services are resolved first.
    /// - Returns: the problems.
    nonisolated(nonsending) func build(_ roots: [Registration]) async -> [ResolutionError] {
        var (open, problems) = (roots.filter { builder(of: $0).isAsync }, [ResolutionError]())
        while true {
            typealias Failure = (root: Registration, problem: ResolutionError)
            let failed = await withTaskGroup(of: Failure?.self) { group in
                for root in open {
                    group.addTask { await self.problem(of: root).map { (root, $0) } }
                }
                return await group.reduce(into: [Failure]()) { failed, one in if let one { failed.append(one) } }
            }
            let again = failed.filter { $0.problem.reason == .asynchronous }
            let isEnd = again.isEmpty || again.count == open.count
            problems += failed.map(\.problem).filter { isEnd || $0.reason != .asynchronous }
            if isEnd { break }
            open = again.map(\.root)
        }
        let synchronous = roots.filter { !builder(of: $0).isAsync }
        for root in synchronous.sorted(by: { $0.key.description < $1.key.description }) {
            if let problem = await problem(of: root) { problems.append(problem) }
        }
        return problems
    }

    /// Resolves a service, and returns its problem, or nil.
    nonisolated(nonsending) private func problem(of root: Registration) async -> ResolutionError? {
        do throws(ResolutionError) {
            let r = AsyncResolver(container: self)
            _ = try await r.requiredInstance(r.lookUp(root.key), root.key, nil)
            return nil
        } catch {
            return error
        }
    }
}

extension [ResolutionError] {
    /// The problems, except repetitions at the end of a longer path, problems of services that need a failed
    /// asynchronous service, and all but the first problem of each circle.
    var withoutConsequences: [ResolutionError] {
        var circles: Set<Set<ServiceKey>> = []
        let failed = Set(filter { $0.reason != .asynchronous }.compactMap(\.keys.first))
        let sorted = map { ($0, $0.keys.map(\.description)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
        return sorted.filter { problem in
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
