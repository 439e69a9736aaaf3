import SharedState

extension Resolver {
    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    @inlinable
    public func resolve<Service>(_ type: Service.Type, name: String? = nil) -> Service? {
        let found = container.lookUp(type, name)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return optionalInstance(found, type, name)?.service(as: type)
    }

    /// Resolves a service whose factory takes one runtime argument. The parameter is named as in Swinject.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - argument: the argument. Its static type must be that of the factory's parameter.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    public func resolve<Service, Argument>(
        _ type: Service.Type, name: String? = nil, argument: Argument
    ) -> Service? {
        resolve(type, name: name, arguments: argument)
    }

    /// Resolves a service whose factory takes runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be those of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    public func resolve<Service, First, each Rest>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) -> Service? {
        let arguments = (first, (repeat each rest))
        let key = ServiceKey(service: type, arguments: Swift.type(of: arguments), qualifier: Qualifier(name: name))
        return optionalInstance(container.lookUp(key), key, arguments)?.service(as: type)
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) throws(ResolutionError) -> Service {
        let found = container.lookUp(type, name)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return try requiredInstance(found, type, name).service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be those of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    public func require<Service, First, each Rest>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) throws(ResolutionError) -> Service {
        let arguments = (first, (repeat each rest))
        let key = ServiceKey(service: type, arguments: Swift.type(of: arguments), qualifier: Qualifier(name: name))
        return try requiredInstance(container.lookUp(key), key, arguments).service(as: type)
    }

    /// Resolves a service by its qualifier. The compiler can infer the type.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. By default it is inferred from the context.
    ///   - qualifier: the qualifier of the registration.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    public func make<Service>(
        _ type: Service.Type = Service.self, qualifier: Qualifier = .default
    ) throws(ResolutionError) -> Service {
        try require(type, name: qualifier.name)
    }
}

// MARK: - Instances

extension Resolver {
    @usableFromInline
    func optionalInstance(_ found: LookupResult, _ type: Any.Type, _ name: String?) -> StoredInstance? {
        optionalInstance(found, ServiceKey(type, name), ())
    }

    @usableFromInline
    func requiredInstance(
        _ found: LookupResult, _ type: Any.Type, _ name: String?
    ) throws(ResolutionError) -> StoredInstance {
        try requiredInstance(found, ServiceKey(type, name), ())
    }

    private func optionalInstance(_ found: LookupResult, _ key: ServiceKey, _ arguments: Any) -> StoredInstance? {
        do throws(ResolutionError) {
            return try instance(found, key, arguments)
        } catch {
            container.report(error)
            return nil
        }
    }

    @inline(__always)
    private func requiredInstance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: Any
    ) throws(ResolutionError) -> StoredInstance {
        if let instance = try instance(found, key, arguments) { return instance }
        throw missing(.notRegistered, key)
    }

    // Each dependency of a graph passes through the following two methods and `requiredInstance`. They are inlined into
    // one function, and what is rare is not, which makes the resolve of a graph 5 % faster.

    /// Returns the instance that a lookup has found, or the one that the found registration provides. Returns nil if
    /// there is no registration. See `unregistered` for the types that need none.
    @inline(__always)
    func instance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: Any
    ) throws(ResolutionError) -> StoredInstance? {
        if Container.isVerifying { recordLookup(of: key) }
        switch found {
        case .instance(let instance): return instance
        case .registration(let registration):
            return try opened(try registration.provide(for: self, arguments), of: registration)
        case .closed: throw closed(key)
        case .missing(let hasOtherArguments): return try unregistered(key, arguments, hasOtherArguments)
        }
    }

    /// Throws `.closed` if the container was closed while it built the instance. Then it closes this instance too.
    @inline(__always)
    func opened(
        _ stored: AnyObject, of registration: Registration
    ) throws(ResolutionError) -> StoredInstance {
        if registration.isSharing { try checkOpen(registration) }
        return StoredInstance(stored, isBoxed: registration.isBoxed)
    }

    @inline(never)
    private func checkOpen(_ registration: Registration) throws(ResolutionError) {
        if registration.owner(for: container).isClosed { throw closed(registration.key) }
    }

    @inline(never)
    private func recordLookup(of key: ServiceKey) { Worker.current.recordLookup(of: key, in: container) }

    private func closed(_ key: ServiceKey) -> ResolutionError {
        ResolutionError(.closed, path: Worker.current.path(to: key))
    }

    func missing(_ reason: ResolutionError.Reason, _ key: ServiceKey) -> ResolutionError {
        let registered = container.allRegistrations.map(\.key)
        let path = Worker.current.path(to: reason == .notRegistered ? key.required : key)
        return ResolutionError(reason, path: path, registered: registered)
    }
}
