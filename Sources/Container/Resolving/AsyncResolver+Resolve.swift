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
    /// The worker that runs the factory or completion to which this resolver belongs, or nil.
    var activeWorker: Worker? { worker as? Worker }

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
        throw try synchronously { r throws(ResolutionError) in r.missing(.notRegistered, key) }
    }

    nonisolated(nonsending) private func instance(
        _ key: ServiceKey, _ arguments: any Sendable
    ) async throws(ResolutionError) -> StoredInstance? {
        let found = container.lookUp(key)
        switch found {
        case .instance(let instance): return instance
        case .registration(let registration):
            let stored = try await registration.provide(for: self, arguments)
            return try synchronously { r throws(ResolutionError) in try r.opened(stored, of: registration) }
        case .missing, .closed:
            if case .missing(hasOtherArguments: false) = found, let type = key.service as? any OptionalService.Type {
                return StoredInstance(type.wrap(try await instance(key.with(type.service), arguments)), isBoxed: true)
            }
            return try synchronously { r throws(ResolutionError) in try r.instance(found, key, arguments) }
        }
    }

    /// Calls a closure with a synchronous resolver of the same factory.
    private func synchronously<Result>(
        _ body: (Resolver) throws(ResolutionError) -> Result
    ) throws(ResolutionError) -> Result {
        let r = Resolver(container: container, token: token)
        guard let activeWorker else { return try body(r) }
        return try activeWorker.asCurrent { () throws(ResolutionError) in try body(r) }
    }
}
