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
