extension Container {
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
        let source = Registration.Source.asyncFactory { r, _ in StoredInstance(try await factory(r)) }
        return RegistrationEntry(name: name, arguments: Void.self, in: self, source)
    }
}

// MARK: - Runtime arguments

extension Container {
    /// Registers an asynchronous factory for a service with a runtime argument. See the methods for synchronous factories.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the argument.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable>(
        _ type: Service.Type, name: String? = nil,
        factory: nonisolated(nonsending) @escaping @Sendable (AsyncResolver, A) async throws -> Service
    ) -> RegistrationEntry<Service> {
        register(name) { (r, a: A) in try await factory(r, a) }
    }

    /// Registers an asynchronous factory for a service with two runtime arguments. See the methods for synchronous factories.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable>(
        _ type: Service.Type, name: String? = nil,
        factory: nonisolated(nonsending) @escaping @Sendable (AsyncResolver, A, B) async throws -> Service
    ) -> RegistrationEntry<Service> {
        register(name) { (r, all: (A, B)) in try await factory(r, all.0, all.1) }
    }

    /// Registers an asynchronous factory for a service with three runtime arguments. See the methods for synchronous factories.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable, C: Sendable>(
        _ type: Service.Type, name: String? = nil,
        factory: nonisolated(nonsending) @escaping @Sendable (AsyncResolver, A, B, C) async throws -> Service
    ) -> RegistrationEntry<Service> {
        register(name) { (r, all: (A, B, C)) in try await factory(r, all.0, all.1, all.2) }
    }

    private func register<Service, Arguments>(
        _ name: String?,
        factory: nonisolated(nonsending) @escaping @Sendable (AsyncResolver, Arguments) async throws -> Service
    ) -> RegistrationEntry<Service> {
        let source = Registration.Source.asyncFactory { r, arguments in
            StoredInstance(try await factory(r, (arguments ?? StoredInstance(())).service(as: Arguments.self)))
        }
        return RegistrationEntry(name: name, arguments: Arguments.self, in: self, source)
    }
}
