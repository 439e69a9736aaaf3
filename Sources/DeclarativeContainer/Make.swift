public import Container

extension Container {
    /// Resolves a service by its qualifier. The compiler can infer the type.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. By default it is inferred from the context.
    ///   - qualifier: the qualifier of the registration.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    public func make<Service>(
        _ type: Service.Type = Service.self, qualifier: Qualifier = .default
    ) throws(ResolutionError) -> sending Service {
        try require(type, name: qualifier.name)
    }
}

extension Resolver {
    /// Resolves a service by its qualifier. The compiler can infer the type.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. By default it is inferred from the context.
    ///   - qualifier: the qualifier of the registration.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    public func make<Service>(
        _ type: Service.Type = Service.self, qualifier: Qualifier = .default
    ) throws(ResolutionError) -> Service {
        try require(type, name: qualifier.name)
    }
}
