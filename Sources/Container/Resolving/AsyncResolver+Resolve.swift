extension AsyncResolver {
    /// Resolves a service, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    nonisolated(nonsending) public func resolve<Service>(_ type: Service.Type, name: String? = nil) async -> Service? {
        await optionalInstance(ServiceKey(type, name), ())?.service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be those of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    nonisolated(nonsending) public func resolve<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) async -> Service? {
        let arguments = (first, (repeat each rest))
        let key = ServiceKey(service: type, arguments: Swift.type(of: arguments), qualifier: Qualifier(name: name))
        return await optionalInstance(key, arguments)?.service(as: type)
    }

    /// Resolves a service, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    nonisolated(nonsending) public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) async throws(ResolutionError) -> Service {
        try await requiredInstance(ServiceKey(type, name), ()).service(as: type)
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
        let arguments = (first, (repeat each rest))
        let key = ServiceKey(service: type, arguments: Swift.type(of: arguments), qualifier: Qualifier(name: name))
        return try await requiredInstance(key, arguments).service(as: type)
    }
}

// MARK: - Instances

extension AsyncResolver {
    /// Resolves a service whose type the caller does not know.
    nonisolated(nonsending) func resolve(_ key: ServiceKey) async throws(ResolutionError) {
        _ = try await requiredInstance(key, ())
    }

    nonisolated(nonsending) private func optionalInstance(
        _ key: ServiceKey, _ arguments: any Sendable
    ) async -> StoredInstance? {
        do throws(ResolutionError) {
            return try await instance(key, arguments)
        } catch {
            container.report(error)
            return nil
        }
    }

    nonisolated(nonsending) private func requiredInstance(
        _ key: ServiceKey, _ arguments: any Sendable
    ) async throws(ResolutionError) -> StoredInstance {
        if let instance = try await instance(key, arguments) { return instance }
        throw synchronous.missing(.notRegistered, key)
    }

    nonisolated(nonsending) private func instance(
        _ key: ServiceKey, _ arguments: any Sendable
    ) async throws(ResolutionError) -> StoredInstance? {
        if frame == nil { AsyncConstruction.current?.pending.take(key) }
        let found = synchronous.lookUp(key)
        switch found {
        case .registration(let registration, let levels): return try await provide(registration, levels, arguments)
        case .missing:
            guard let type = key.service as? any OptionalService.Type else { break }
            return type.wrap(try await instance(key.with(type.service), arguments))
        case .instance, .closed: break
        }
        return try synchronous.instance(found, key, arguments)
    }

    /// Returns an instance of a registration, in the graph of this resolver or in a new one.
    nonisolated(nonsending) private func provide(
        _ registration: Registration, _ levels: Int, _ arguments: any Sendable
    ) async throws(ResolutionError) -> StoredInstance {
        if let frame = synchronous.activeFrame, let graph {
            let request = Request(
                registration: registration, container: container, levels: levels, arguments: arguments, graph: graph,
                parent: frame)
            return try await request.instance()
        }
        let outer = Frame.inTask.flatMap { $0.isActive ? $0 : nil }
        let graph = Graph(of: outer?.user, isOutermost: true)
        let request = Request(
            registration: registration, container: container, levels: levels, arguments: arguments, graph: graph,
            parent: outer)
        defer { graph.dropCompletions() }
        let instance = try await request.instance()
        try await graph.complete()
        graph.settle()
        if synchronous.isOfContainer, let outer { outer.reportCapture(of: request) }
        return instance
    }
}
