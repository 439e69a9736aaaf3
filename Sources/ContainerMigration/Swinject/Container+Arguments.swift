public import Container

// Overloads, and not one method with a parameter pack: the compiler would then report a typo in any factory as a pack
// that it cannot infer, at the line of `register`.

extension Container {
    /// Registers a factory for a service with four runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, message: "Let the factory take a struct of the values: it has up to three arguments")
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable, C: Sendable, D: Sendable>(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, A, B, C, D) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B, C, D)) in
            try factory(r, all.0, all.1, all.2, all.3)
        }
    }

    /// Registers a factory for a service with five runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, message: "Let the factory take a struct of the values: it has up to three arguments")
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable>(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, A, B, C, D, E) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B, C, D, E)) in
            try factory(r, all.0, all.1, all.2, all.3, all.4)
        }
    }

    /// Registers a factory for a service with six runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, message: "Let the factory take a struct of the values: it has up to three arguments")
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable>(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, A, B, C, D, E, F) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B, C, D, E, F)) in
            try factory(r, all.0, all.1, all.2, all.3, all.4, all.5)
        }
    }

    /// Registers a factory for a service with seven runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, message: "Let the factory take a struct of the values: it has up to three arguments")
    @discardableResult
    public func register<
        Service, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable
    >(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, A, B, C, D, E, F, G) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B, C, D, E, F, G)) in
            try factory(r, all.0, all.1, all.2, all.3, all.4, all.5, all.6)
        }
    }

    /// Registers a factory for a service with eight runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, message: "Let the factory take a struct of the values: it has up to three arguments")
    @discardableResult
    public func register<
        Service, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable
    >(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, A, B, C, D, E, F, G, H) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B, C, D, E, F, G, H)) in
            try factory(r, all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7)
        }
    }

    /// Registers a factory for a service with nine runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, message: "Let the factory take a struct of the values: it has up to three arguments")
    @discardableResult
    public func register<
        Service, A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable,
        I: Sendable
    >(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, A, B, C, D, E, F, G, H, I) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name) { (r, all: (A, B, C, D, E, F, G, H, I)) in
            try factory(r, all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7, all.8)
        }
    }
}
