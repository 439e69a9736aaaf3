extension Container {
    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for. `Container` returns this container.
    ///   - name: the registration's name; nil is the default one.
    /// - Returns: the instance, or nil if it is not registered or could not be made; the handler of `onFailure(_:)`
    ///   gets the error.
    @inlinable
    public func resolve<Service>(_ type: Service.Type, name: String? = nil) -> sending Service? {
        Resolver(container: self, token: 0).resolve(type, name: name)
    }

    /// Resolves a service whose factory takes one argument, in Swinject's spelling.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - argument: the argument. Its static type must be exactly that of the factory.
    /// - Returns: the instance, or nil if it is not registered or could not be made.
    public func resolve<Service, Argument: Sendable>(
        _ type: Service.Type, name: String? = nil, argument: Argument
    ) -> sending Service? {
        resolve(type, name: name, arguments: argument)
    }

    /// Resolves a service whose factory takes arguments.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - first: the first argument. The static types of all arguments must be exactly those of the factory.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil if it is not registered or could not be made; the handler of `onFailure(_:)`
    ///   gets the error.
    public func resolve<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) -> sending Service? {
        Resolver(container: self, token: 0).resolve(type, name: name, arguments: first, repeat each rest)
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for. `Container` returns this container.
    ///   - name: the registration's name; nil is the default one.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) throws(ResolutionError) -> sending Service {
        try Resolver(container: self, token: 0).require(type, name: name)
    }

    /// Resolves a service whose factory takes arguments.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - first: the first argument. The static types of all arguments must be exactly those of the factory.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    public func require<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) throws(ResolutionError) -> sending Service {
        try Resolver(container: self, token: 0).require(type, name: name, arguments: first, repeat each rest)
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for; by default the one that the caller expects.
    ///   - qualifier: the registration's qualifier.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    public func make<Service>(
        _ type: Service.Type = Service.self, qualifier: Qualifier = .default
    ) throws(ResolutionError) -> sending Service {
        try require(type, name: qualifier.name)
    }
}
