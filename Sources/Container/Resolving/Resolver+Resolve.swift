extension Resolver {
    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    @inlinable
    public func resolve<Service>(_ type: Service.Type, name: String? = nil) -> Service? {
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return optionalInstance(found, key, nil)?.service(as: type)
    }

    /// Resolves a service whose factory takes one runtime argument. The parameter is named as in Swinject.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - argument: the argument. Its static type must be that of the factory's parameter.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    public func resolve<Service, Argument: Sendable>(
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
    public func resolve<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) -> Service? {
        let arguments = (first, repeat each rest)
        let key = ServiceKey(service: type, arguments: Swift.type(of: arguments), qualifier: Qualifier(name: name))
        return optionalInstance(lookUp(key), key, StoredInstance(arguments))?.service(as: type)
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
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return try requiredInstance(found, key, nil).service(as: type)
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
    public func require<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) throws(ResolutionError) -> Service {
        let arguments = (first, repeat each rest)
        let key = ServiceKey(service: type, arguments: Swift.type(of: arguments), qualifier: Qualifier(name: name))
        return try requiredInstance(lookUp(key), key, StoredInstance(arguments)).service(as: type)
    }
}

// MARK: - Instances

extension Resolver {
    /// Looks up a service. The shared service whose factory or completion asks records that it takes it.
    @usableFromInline
    func lookUp(_ key: ServiceKey) -> LookupResult {
        let user = activeFrame?.user
        user?.take(key, from: container)
        return find(key, for: user)
    }

    @usableFromInline
    func optionalInstance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: StoredInstance?
    ) -> StoredInstance? {
        do throws(ResolutionError) {
            return try instance(found, key, arguments)
        } catch {
            container.report(error)
            return nil
        }
    }

    @usableFromInline
    func requiredInstance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: StoredInstance?
    ) throws(ResolutionError) -> StoredInstance {
        if let instance = try instance(found, key, arguments) { return instance }
        throw missing(.notRegistered, key)
    }

    /// Returns the instance that a lookup has found, or the one that the found registration provides. Returns nil if
    /// there is no registration. See `unregistered` for the types that need none.
    func instance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: StoredInstance?
    ) throws(ResolutionError) -> StoredInstance? {
        switch found {
        case .instance(let instance): return instance
        case .registration(let registration, let home): return try provide(registration, of: home, arguments)
        case .closed: throw ResolutionError(.closed, path: path(to: key))
        case .missing: return try unregistered(key, arguments)
        }
    }

    /// Returns an instance of a registration, in the graph of this resolver or in a new one.
    private func provide(
        _ registration: Registration, of home: Container, _ arguments: StoredInstance?
    ) throws(ResolutionError) -> StoredInstance {
        let thread = ResolvingThread.current
        let request = Request(
            registration: registration.target ?? registration, container: container, home: home, arguments: arguments,
            parent: thread.frame ?? activeFrame)
        return try request.view(of: instance(for: request, on: thread), as: registration)
    }

    private func instance(
        for request: Request, on thread: ResolvingThread
    ) throws(ResolutionError) -> StoredInstance {
        if request.registration.isShared { return try request.shared(on: thread) }
        if activeFrame != nil, let graph { return try request.unshared(in: graph, on: thread) }
        let graph = Graph(of: thread.frame?.user)
        defer { graph.dropCompletions() }
        let instance = try request.unshared(in: graph, on: thread)
        try graph.complete(on: thread)
        return instance
    }

    private func path(to key: ServiceKey) -> [ServiceKey] {
        (ResolvingThread.current.frame ?? activeFrame).path(to: key)
    }

    func missing(_ reason: ResolutionError.Reason, _ key: ServiceKey) -> ResolutionError {
        let registered = container.allRegistrations.map(\.key)
        return ResolutionError(
            reason, path: path(to: reason == .notRegistered ? key.required : key), registered: registered)
    }
}
