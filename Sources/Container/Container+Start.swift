extension Container {
    /// Resolves every registration that is marked `.eager()`, in this container and its parents, and throws all
    /// problems. Services that do not need each other are built concurrently.
    ///
    /// Call this method when the program starts. Afterwards, a synchronous resolve finds the eager services, including
    /// those that are built asynchronously. If a registration of a parent has the same key as one of this container,
    /// this method resolves only the latter.
    ///
    /// - Throws: a `VerificationError` with all problems. The services that could be built remain.
    public func start() async throws(VerificationError) {
        let roots = allRegistrations.filter { $0.options.isEager }
        let problems = await withTaskGroup(of: ResolutionError?.self) { group in
            for root in roots { group.addTask { await self.start(root) } }
            return await group.reduce(into: []) { problems, problem in problem.map { problems.append($0) } }
        }
        if let error = VerificationError(problems) { throw error }
    }

    /// Resolves an eager registration, and returns its problem, or nil.
    private func start(_ root: Registration) async -> ResolutionError? {
        do throws(ResolutionError) {
            if !root.key.hasNoArguments {
                let key = ServiceKey(root.key.service, root.key.qualifier.name)
                throw Resolver(container: self, token: 0).missing(.wrongArguments, key)
            }
            _ = try await root.provide(for: AsyncResolver(container: self), ())
            return nil
        } catch {
            return error
        }
    }
}
