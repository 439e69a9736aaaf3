extension Container {
    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for. `Container` itself gives this container.
    ///   - name: the registration's name; nil is the default one.
    /// - Returns: the instance, or nil where it is not registered or could not be made; `onFailure(_:)` hears why.
    public func resolve<Service>(_ type: Service.Type, name: String? = nil) -> sending Service? {
        resolve(type, Qualifier(name: name), (), 0)
    }

    /// Resolves a service whose factory takes one argument, in Swinject's spelling.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - argument: the argument. Its static type has to be exactly that of the factory.
    /// - Returns: the instance, or nil where it is not registered or could not be made.
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
    ///   - first: the first argument. The static types of all have to be exactly those of the factory.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil where it is not registered or could not be made; `onFailure(_:)` hears why.
    public func resolve<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) -> sending Service? {
        resolve(type, Qualifier(name: name), (first, (repeat each rest)), 0)
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for. `Container` itself gives this container.
    ///   - name: the registration's name; nil is the default one.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path that led there.
    public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) throws(ResolutionError) -> sending Service {
        try require(type, Qualifier(name: name), (), 0)
    }

    /// Resolves a service whose factory takes arguments.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - first: the first argument. The static types of all have to be exactly those of the factory.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path that led there.
    public func require<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) throws(ResolutionError) -> sending Service {
        try require(type, Qualifier(name: name), (first, (repeat each rest)), 0)
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for; without it, the one that is wanted.
    ///   - qualifier: the registration's qualifier.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path that led there.
    public func make<Service>(
        _ type: Service.Type = Service.self, qualifier: Qualifier = .default
    ) throws(ResolutionError) -> sending Service {
        try require(type, qualifier, (), 0)
    }
}

// MARK: - For containers and resolvers

extension Container {
    func resolve<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments, _ token: UInt64
    ) -> Service? {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        do throws(ResolutionError) {
            guard let found = unsafe find(key) else { return try unregistered(type, key) }
            return try unsafe provide(type, found, arguments, token)
        } catch {
            report(error)
            return nil
        }
    }

    func require<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments, _ token: UInt64
    ) throws(ResolutionError) -> Service {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        guard let found = unsafe find(key) else {
            if let service = try unregistered(type, key) { return service }
            throw ResolutionError(.notRegistered, path: ThreadState.current.path(to: key), in: self)
        }
        return try unsafe provide(type, found, arguments, token)
    }

    @inline(__always)
    private func provide<Service, Arguments>(
        _ type: Service.Type, _ found: Unmanaged<AnyRegistration>, _ arguments: Arguments, _ token: UInt64
    ) throws(ResolutionError) -> Service {
        let thread = ThreadState.current
        let graph = token == 0 ? nil : thread.graph(of: token)
        // The table found it by the identities of its service and its arguments, so it is of this type.
        let registration = unsafe unsafeDowncast(
            found.takeUnretainedValue(), to: Registration<Service, Arguments>.self)
        return try registration.provide(for: self, arguments, on: thread, in: graph)
    }

    /// The container itself, which needs no registration.
    private func unregistered<Service>(_ type: Service.Type, _ key: ServiceKey) throws(ResolutionError) -> Service? {
        if type == Container.self, key.hasNoArguments, key.qualifier == .default { return self as? Service }
        // One of this very key has come in between: then it has come too late.
        if registrations(like: key).allSatisfy({ $0.key == key }) { return nil }
        throw ResolutionError(.wrongArguments, path: ThreadState.current.path(to: key), in: self)
    }

    private func report(_ error: ResolutionError) {
        if error.reason == .unverified { return }
        if let handler = failureHandler { return handler(error) }
        #if DEBUG
            writeStandardError(error.description)
        #endif
    }
}
