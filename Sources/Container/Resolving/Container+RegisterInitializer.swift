extension Container {
    /// Registers an initializer or another function that builds a service. Its parameters are resolved by their types,
    /// without names. The new registration replaces an earlier one that has the same type and name and no runtime
    /// arguments.
    ///
    ///     container.register(Report.self, using: Report.init(clock:archive:))
    ///
    /// A parameter `A?` is nil if `A` is not registered. A parameter `[A]` needs a registration of `[A]`.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - initializer: builds an instance.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @_disfavoredOverload  // A trailing closure `{ (r: Resolver, id: Int) in … }` is a factory.
    @discardableResult
    public func register<Service, each Dependency>(
        _ type: Service.Type, name: String? = nil,
        using initializer: @escaping @Sendable (repeat each Dependency) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(type, name: name) { (r: Resolver) in try initializer(repeat r.require((each Dependency).self)) }
    }

    /// Registers an asynchronous initializer or another function that builds a service. Its parameters are resolved by
    /// their types, without names, one after another. The new registration replaces an earlier one that has the same
    /// type and name and no runtime arguments.
    ///
    /// A parameter `A?` is nil if `A` is not registered. A parameter `[A]` needs a registration of `[A]`.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - initializer: builds an instance. It may be isolated to an actor.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @_disfavoredOverload  // A trailing closure `{ (r: Resolver, id: Int) in … }` is a factory.
    @discardableResult
    public func register<Service, each Dependency>(
        _ type: Service.Type, name: String? = nil,
        using initializer: @escaping @Sendable (repeat each Dependency) async throws -> Service
    ) -> RegistrationEntry<Service> {
        register(type, name: name) { (r: AsyncResolver) in
            try await initializer(repeat r.require((each Dependency).self))
        }
    }
}
