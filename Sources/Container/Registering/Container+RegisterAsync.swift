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

    /// Registers an asynchronous factory for a service with runtime arguments, which the caller passes when it resolves
    /// the service.
    ///
    /// In a shared scope, the arguments of the first resolve build the instance. Later resolves return that instance,
    /// whatever their arguments are.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments. The types of the arguments are a part of
    ///     the registration's key.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil,
        factory:
            nonisolated(nonsending) @escaping @Sendable (AsyncResolver, First, repeat each Rest) async throws -> Service
    ) -> RegistrationEntry<Service> {
        typealias Arguments = (First, (repeat each Rest))
        let source = Registration.Source.asyncFactory { r, arguments in
            guard let arguments = arguments?.service(as: Arguments.self) else { preconditionFailure("no arguments") }
            return StoredInstance(try await factory(r, arguments.0, repeat each arguments.1))
        }
        return RegistrationEntry(name: name, arguments: Arguments.self, in: self, source)
    }
}
