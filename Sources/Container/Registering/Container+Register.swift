extension Container {
    /// Registers a factory for a service without runtime arguments. The new registration replaces an earlier one that
    /// has the same type and name and also no runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance. It takes its dependencies from the resolver.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @inlinable
    @discardableResult
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, factory: @escaping @Sendable (Resolver) throws -> Service
    ) -> RegistrationEntry<Service> {
        RegistrationEntry(name: name, arguments: Void.self, in: self) { r, _ in StoredInstance(try factory(r)) }
    }

    /// Registers an asynchronous factory for a service without runtime arguments. The new registration replaces an
    /// earlier one that has the same type and name and also no runtime arguments.
    ///
    /// A shared instance is built in a task of its own, which goes on if the task that asked for it is cancelled. When
    /// all tasks that wait for the instance have been cancelled, the task of the construction is cancelled too.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance. It takes its dependencies from the resolver. It is not isolated: what must
    ///     run on an actor is awaited in it, as in `{ r async throws in await Screen(try r.require(Theme.self)) }`.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service>(
        _ type: Service.Type, name: String? = nil,
        factory: nonisolated(nonsending) @escaping @Sendable (AsyncResolver) async throws -> Service
    ) -> RegistrationEntry<Service> {
        let source = Registration.Source.asyncFactory { r in StoredInstance(try await factory(r)) }
        return RegistrationEntry(name: name, arguments: Void.self, in: self, source)
    }
}

// MARK: - Runtime arguments

// Not one method with a parameter pack: the compiler would then report a typo in any factory as a pack that it cannot
// infer, at the line of `register`.

extension Container {
    /// Registers a factory for a service with a runtime argument, which the caller passes when it resolves the service.
    ///
    /// There can be up to three arguments, and the factory is synchronous. In a shared scope, those of the first resolve
    /// build the instance. Later resolves return that instance, whatever their arguments are.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the argument, whose type is a part of the registration's
    ///     key.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable>(
        _ type: Service.Type, name: String? = nil, factory: @escaping @Sendable (Resolver, A) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, a: A) in try factory(r, a) }
    }

    /// Registers a factory for a service with two runtime arguments. See the method for one argument.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable>(
        _ type: Service.Type, name: String? = nil, factory: @escaping @Sendable (Resolver, A, B) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B)) in try factory(r, all.0, all.1) }
    }

    /// Registers a factory for a service with three runtime arguments. See the method for one argument.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable, C: Sendable>(
        _ type: Service.Type, name: String? = nil, factory: @escaping @Sendable (Resolver, A, B, C) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B, C)) in try factory(r, all.0, all.1, all.2) }
    }

    /// Registers a factory whose runtime arguments are one value: the argument, or the tuple of several arguments.
    package func register<Service, Arguments>(
        named name: String?, factory: @escaping @Sendable (Resolver, Arguments) throws -> Service
    ) -> RegistrationEntry<Service> {
        RegistrationEntry(name: name, arguments: Arguments.self, in: self) { r, arguments in
            // Only an argument of the type `Void` has the same key as no argument.
            StoredInstance(try factory(r, (arguments ?? StoredInstance(())).service(as: Arguments.self)))
        }
    }
}

// MARK: - Registrations for `replaceAll(with:)`

extension Container {
    /// Creates the registrations of one service under several types. All of them return the same instances.
    ///
    /// - Parameters:
    ///   - types: the types. A resolve throws `.wrongType` if the instance does not have the requested type.
    ///   - qualifier: the qualifier of all of them.
    ///   - scope: the scope of the instances. In a shared scope, several threads may use an instance at once.
    ///   - factory: builds an instance.
    /// - Returns: a registration for each type, in the order of `types`. The caller adds them to this container.
    package func registrations<Product>(
        of types: [Any.Type], _ qualifier: Qualifier, in scope: Scope,
        factory: @escaping @Sendable (Resolver) throws -> Product
    ) -> [Registration] {
        guard let type = types.first else { return [] }
        let key = ServiceKey(service: type, arguments: Void.self, qualifier: qualifier)
        let first = registration(type, key, in: scope) { r in try factory(r) }
        return [first] + types.dropFirst().map { first.forwarded(to: $0, qualifier) }
    }

    /// Creates a registration whose factory always throws `.duplicate`.
    ///
    /// - Parameters:
    ///   - registration: the registration that it replaces.
    ///   - places: the places where the service is defined, for the message.
    /// - Returns: the registration.
    package func duplicate(of registration: Registration, at places: String) -> Registration {
        self.registration(registration.key.service, registration.key, in: .transient) { _ in
            throw RegistrationFailure(reason: .duplicate, detail: places)
        }
    }

    private func registration<Service>(
        _ type: Service.Type, _ key: ServiceKey, in scope: Scope,
        factory: @escaping @Sendable (Resolver) throws -> Any
    ) -> Registration {
        let source = Registration.Source.factory { r, _ in
            if let instance = Form<Service>.stored(try factory(r)) { return instance }
            throw RegistrationFailure(reason: .wrongType, detail: "\(type)")
        }
        return Registration(type, key: key, options: RegistrationOptions(scope: scope), source)
    }
}
