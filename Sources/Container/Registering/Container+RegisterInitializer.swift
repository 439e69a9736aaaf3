extension Container {
    /// Registers an initializer or another function that builds a service. Its parameters are resolved by their types,
    /// without names. The new registration replaces an earlier one that has the same type and name and no runtime
    /// arguments.
    ///
    ///     container.register(using: Report.init(clock:archive:))
    ///     container.register(using: SystemClock.init, as: (any Clock).self)
    ///
    /// A parameter `A?` is nil if `A` is not registered. A parameter `[A]` needs a registration of `[A]`.
    ///
    /// Write a factory if a parameter is `sending`: Swift 6.3 does not see here that others may use the instance too.
    ///
    /// - Parameters:
    ///   - initializer: builds an instance.
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, each Dependency>(
        using initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        as type: Service.Type = Service.self, name: String? = nil
    ) -> RegistrationEntry<Service> {
        register(type, name: name) { (r: Resolver) in try initializer(repeat r.require((each Dependency).self)) }
    }
}
