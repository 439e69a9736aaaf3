extension Container {
    /// Registers how a service is made. A registration of the same type, name and arguments replaces an earlier one.
    ///
    /// - Parameters:
    ///   - type: the type that it is asked for by, often a protocol.
    ///   - name: what tells it from other registrations of the type; nil is the default one.
    ///   - factory: makes an instance, with what it needs taken from its resolver.
    /// - Returns: the entry, for its scope and more. Without one the scope is `.graph`.
    @discardableResult
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, factory: @escaping @Sendable (Resolver) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(type, Qualifier(name: name)) { (r, _: Void) in try factory(r) }
    }

    /// Registers how a service is made from arguments that are given when it is resolved.
    ///
    /// A shared scope keeps the first instance, whatever arguments others give later.
    ///
    /// - Parameters:
    ///   - type: the type that it is asked for by, often a protocol.
    ///   - name: what tells it from other registrations of the type; nil is the default one.
    ///   - factory: makes an instance of the resolver and the arguments, whose types are part of what it is found by.
    /// - Returns: the entry, for its scope and more. Without one the scope is `.graph`.
    @discardableResult
    public func register<Service, First, each Rest>(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, First, repeat each Rest) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(type, Qualifier(name: name)) { (r, arguments: (First, (repeat each Rest))) in
            try factory(r, arguments.0, repeat each arguments.1)
        }
    }

    private func register<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier,
        factory: @escaping @Sendable (Resolver, Arguments) throws -> Service
    ) -> RegistrationEntry<Service> {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        return RegistrationEntry(Registration<Service, Arguments>(key: key, owner: self, factory: factory), in: self)
    }
}

// MARK: - Registrations for `replaceAll(with:)`

extension Container {
    /// Makes registrations of one service under several types, which share its instances.
    ///
    /// - Parameters:
    ///   - types: the types. Whether an instance is of each of them is found out when it is asked for.
    ///   - qualifier: the qualifier of all of them.
    ///   - scope: the scope of the instances. Where it shares them, they have to be safe to share.
    ///   - factory: makes an instance.
    /// - Returns: a registration for each type, in their order; none is in this container yet.
    package func registrations<Product>(
        of types: [Any.Type], _ qualifier: Qualifier, in scope: Scope,
        factory: @escaping @Sendable (Resolver) throws -> Product
    ) -> [AnyRegistration] {
        guard let type = types.first else { return [] }
        let first = registration(of: type, qualifier, in: scope) { r in
            try factory(r)
        }
        return [first] + types.dropFirst().map { first.forwarded(to: $0, qualifier) }
    }

    private func registration<Service>(
        of type: Service.Type, _ qualifier: Qualifier, in scope: Scope,
        factory: @escaping @Sendable (Resolver) throws -> Any
    ) -> AnyRegistration {
        let key = ServiceKey(service: type, arguments: Void.self, qualifier: qualifier)
        return Registration<Service, Void>(key: key, owner: self, traits: Traits(scope: scope)) { r, _ in
            if let service = try factory(r) as? Service { return service }
            throw ResolutionError(.wrongType, path: ThreadState.current.path, in: r.container, detail: "\(type)")
        }
    }

    /// Makes a registration that throws whenever its service is asked for.
    ///
    /// - Parameters:
    ///   - registration: the one whose place it takes.
    ///   - places: where the service is defined, for the message.
    package func duplicate(of registration: AnyRegistration, at places: String) -> AnyRegistration {
        func duplicate<Service>(_ type: Service.Type) -> AnyRegistration {
            Registration<Service, Void>(
                key: registration.key, owner: self, traits: Traits(scope: .transient)
            ) { r, _ in
                throw ResolutionError(.duplicate, path: ThreadState.current.path, in: r.container, detail: places)
            }
        }
        return duplicate(registration.key.service)
    }
}
