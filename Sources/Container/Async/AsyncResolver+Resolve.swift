extension AsyncResolver {
    /// Resolves a service, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. `A?` is nil if `A` is not registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    nonisolated(nonsending) public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) async throws(ResolutionError) -> Service {
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return try await requiredInstance(found, key, nil).service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be those of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    nonisolated(nonsending) public func require<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) async throws(ResolutionError) -> Service {
        let arguments = (first, repeat each rest)
        let key = ServiceKey(service: type, arguments: Swift.type(of: arguments), qualifier: Qualifier(name: name))
        return try await requiredInstance(lookUp(key), key, StoredInstance(arguments)).service(as: type)
    }
}

// MARK: - Instances

extension AsyncResolver {
    /// Looks up a service. The shared service whose factory or completion asks, or has started the task that asks,
    /// records that it takes it.
    @usableFromInline
    func lookUp(_ key: ServiceKey) -> LookupResult {
        if synchronous.frame == nil, let user = PendingInstance.ofTask {
            user.take(key, from: synchronous.container)
            return synchronous.find(key, for: user)
        }
        return synchronous.lookUp(key)
    }

    @usableFromInline
    nonisolated(nonsending) func requiredInstance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: StoredInstance?
    ) async throws(ResolutionError) -> StoredInstance {
        if let instance = try await instance(found, key, arguments) { return instance }
        throw synchronous.missing(.notRegistered, key)
    }

    nonisolated(nonsending) private func instance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: StoredInstance?
    ) async throws(ResolutionError) -> StoredInstance? {
        switch found {
        case .registration(let registration, let home):
            return try await provide(registration, of: home, arguments)
        case .missing:
            guard let type = key.service as? any OptionalService.Type else { break }
            let service = key.with(type.service)
            return type.wrap(try await instance(lookUp(service), service, arguments))
        case .instance, .closed: break
        }
        return try synchronous.instance(found, key, arguments)
    }

    /// Returns an instance of a registration, in the graph of this resolver or in a new one.
    nonisolated(nonsending) private func provide(
        _ registration: Registration, of home: Container, _ arguments: StoredInstance?
    ) async throws(ResolutionError) -> StoredInstance {
        let outer = synchronous.activeFrame ?? Frame.inTask.flatMap { $0.isActive ? $0 : nil }
        let request = Request(
            registration: registration.target ?? registration, container: synchronous.container, home: home,
            arguments: arguments, parent: outer)
        return try request.view(of: await instance(for: request), as: registration)
    }

    nonisolated(nonsending) private func instance(
        for request: Request
    ) async throws(ResolutionError) -> StoredInstance {
        if request.registration.isShared { return try await request.shared() }
        if synchronous.activeFrame != nil, let graph = synchronous.graph {
            return try await request.unshared(in: graph)
        }
        let graph = Graph(of: synchronous.graph?.user ?? PendingInstance.ofTask)
        defer { graph.dropCompletions() }
        let instance = try await request.unshared(in: graph)
        try await graph.complete()
        return instance
    }
}
