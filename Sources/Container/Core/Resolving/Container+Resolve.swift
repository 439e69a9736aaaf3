extension Container {
    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. `Container` returns this container.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed. If it failed, the
    ///   handler of `onFailure(_:)` gets the error.
    @inlinable
    public func resolve<Service>(_ type: Service.Type, name: String? = nil) -> sending Service? {
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return Resolver(container: self).optionalInstance(found, key, nil)?.service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be the types of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed. If it failed, the
    ///   handler of `onFailure(_:)` gets the error.
    public func resolve<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) -> sending Service? {
        Resolver(container: self).resolve(type, name: name, arguments: first, repeat each rest)
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. `Container` returns this container.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) throws(ResolutionError) -> sending Service {
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return try Resolver(container: self).requiredInstance(found, key, nil).service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be the types of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    public func require<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) throws(ResolutionError) -> sending Service {
        try Resolver(container: self).require(type, name: name, arguments: first, repeat each rest)
    }
}

// MARK: - With await

extension Container {
    /// Resolves a service, and waits for it if it is built asynchronously.
    ///
    /// If the task is cancelled while it waits, this method throws, and the construction goes on for other tasks that
    /// wait for it.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. `A?` is nil if `A` is not registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    nonisolated(nonsending) public func require<Service>(
        async type: Service.Type, name: String? = nil
    ) async throws(ResolutionError) -> sending Service {
        try await AsyncResolver(container: self).require(type, name: name)
    }
}
