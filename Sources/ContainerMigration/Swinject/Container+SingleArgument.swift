public import Container

// Swinject's label for a single runtime argument.

extension Container {
    /// Resolves a service whose factory takes one runtime argument.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - argument: the argument. Its static type must be the type of the factory's parameter.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    @available(*, deprecated, message: "Write arguments:")
    public func resolve<Service, Argument: Sendable>(
        _ type: Service.Type, name: String? = nil, argument: Argument
    ) -> sending Service? {
        resolve(type, name: name, arguments: argument)
    }
}

extension Resolver {
    /// Resolves a service whose factory takes one runtime argument.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - argument: the argument. Its static type must be the type of the factory's parameter.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    @available(*, deprecated, message: "Write arguments:")
    public func resolve<Service, Argument: Sendable>(
        _ type: Service.Type, name: String? = nil, argument: Argument
    ) -> Service? {
        resolve(type, name: name, arguments: argument)
    }
}
