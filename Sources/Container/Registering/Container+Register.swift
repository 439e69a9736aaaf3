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

    func register<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier,
        factory: @escaping @Sendable (Resolver, Arguments) throws -> Service
    ) -> RegistrationEntry<Service> {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        return RegistrationEntry(Registration<Service, Arguments>(key: key, owner: self, factory: factory), in: self)
    }
}
