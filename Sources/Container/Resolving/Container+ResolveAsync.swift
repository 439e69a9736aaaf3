extension Container {
    /// Resolves a service, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed. If it failed, the
    ///   handler of `onFailure(_:)` gets the error.
    @inlinable
    nonisolated(nonsending) public func resolve<Service>(
        async type: Service.Type, name: String? = nil
    ) async -> sending Service? {
        await AsyncResolver(container: self).resolve(type, name: name)
    }

    /// Resolves a service whose factory takes runtime arguments, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be those of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed. If it failed, the
    ///   handler of `onFailure(_:)` gets the error.
    nonisolated(nonsending) public func resolve<Service, First: Sendable, each Rest: Sendable>(
        async type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) async -> sending Service? {
        await AsyncResolver(container: self).resolve(type, name: name, arguments: first, repeat each rest)
    }

    /// Resolves a service, and waits for it if it is built asynchronously.
    ///
    /// If the task is cancelled while it waits, this method throws, and the construction goes on for other tasks that
    /// wait for it.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    nonisolated(nonsending) public func require<Service>(
        async type: Service.Type, name: String? = nil
    ) async throws(ResolutionError) -> sending Service {
        try await AsyncResolver(container: self).require(type, name: name)
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
        async type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) async throws(ResolutionError) -> sending Service {
        try await AsyncResolver(container: self).require(type, name: name, arguments: first, repeat each rest)
    }
}
