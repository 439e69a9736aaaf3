import SharedState

extension Container {
    /// Registers a factory for a service without runtime arguments. The new registration replaces an earlier
    /// registration that has the same type and name and also no runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - fileID: the file of the registration, for descriptions.
    ///   - line: the line of the registration, for descriptions.
    ///   - factory: builds an instance. It takes its dependencies from the resolver.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @inlinable
    @discardableResult
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @Sendable (Resolver) throws -> Service
    ) -> RegistrationEntry<Service> {
        RegistrationEntry(name: name, arguments: Void.self, in: self, fileID: fileID, line: line) { r, _ in
            StoredInstance(try factory(r))
        }
    }

    /// Registers an asynchronous factory for a service without runtime arguments. The new registration replaces an
    /// earlier registration that has the same type and name and also no runtime arguments.
    ///
    /// A shared instance is built in a task of its own, which goes on if the tasks that asked for it are cancelled. Only
    /// `close()` cancels it, or a change that makes a replacement useless.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - fileID: the file of the registration, for descriptions.
    ///   - line: the line of the registration, for descriptions.
    ///   - factory: builds an instance. It takes its dependencies from the resolver. It is not isolated: it awaits code
    ///     that must run on an actor, as in `{ r async throws in await Screen(try r.require(Theme.self)) }`.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: nonisolated(nonsending) @escaping @Sendable (AsyncResolver) async throws -> Service
    ) -> RegistrationEntry<Service> {
        let source = Registration.Source.asyncFactory { r in StoredInstance(try await factory(r)) }
        return RegistrationEntry(
            name: name, arguments: Void.self, in: self, source, at: SourcePlace(fileID: fileID, line: line))
    }
}

// MARK: - Runtime arguments

// Not one method with a parameter pack: the compiler would then report a typo in any factory as a pack that it cannot
// infer, at the line of `register`.

extension Container {
    /// Registers a factory for a service with a runtime argument, which the caller passes when it resolves the service.
    ///
    /// There can be up to three arguments, and the factory is synchronous. In a graph, resolves whose arguments are all
    /// `Hashable` and equal get the same instance, and other resolves a new instance. In a shared scope, the arguments
    /// of the first resolve build the instance. A later resolve with an argument that is not equal throws
    /// `.otherArguments`. An argument that is not `Hashable` is not compared.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - fileID: the file of the registration, for descriptions.
    ///   - line: the line of the registration, for descriptions.
    ///   - factory: builds an instance from the resolver and the argument, whose type is a part of the registration's
    ///     key.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable>(
        _ type: Service.Type, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @Sendable (Resolver, A) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name, at: SourcePlace(fileID: fileID, line: line)) { (r, a: A) in try factory(r, a) }
    }

    /// Registers a factory for a service with two runtime arguments. See the method for one argument.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - fileID: the file of the registration, for descriptions.
    ///   - line: the line of the registration, for descriptions.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable>(
        _ type: Service.Type, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @Sendable (Resolver, A, B) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name, at: SourcePlace(fileID: fileID, line: line)) { (r, all: (A, B)) in
            try factory(r, all.0, all.1)
        }
    }

    /// Registers a factory for a service with three runtime arguments. See the method for one argument.
    ///
    /// - Parameters:
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - fileID: the file of the registration, for descriptions.
    ///   - line: the line of the registration, for descriptions.
    ///   - factory: builds an instance from the resolver and the arguments.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, A: Sendable, B: Sendable, C: Sendable>(
        _ type: Service.Type, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
        factory: @escaping @Sendable (Resolver, A, B, C) throws -> Service
    ) -> RegistrationEntry<Service> {
        register(named: name, at: SourcePlace(fileID: fileID, line: line)) { (r, all: (A, B, C)) in
            try factory(r, all.0, all.1, all.2)
        }
    }

    /// Registers a factory whose runtime arguments are one value: the argument, or the tuple of several arguments.
    package func register<Service, Arguments>(
        named name: String?, at place: SourcePlace? = nil,
        factory: @escaping @Sendable (Resolver, Arguments) throws -> Service
    ) -> RegistrationEntry<Service> {
        let source = Registration.Source.factory { r, arguments in
            // Only an argument of the type `Void` has the same key as no argument.
            StoredInstance(try factory(r, (arguments ?? StoredInstance(())).service(as: Arguments.self)))
        }
        return RegistrationEntry(name: name, arguments: Arguments.self, in: self, source, at: place)
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
    ///   - place: where the service is defined.
    ///   - factory: builds an instance.
    /// - Returns: the registrations, which the caller adds to this container.
    package func registrations<Product>(
        of types: [Any.Type], _ qualifier: Qualifier, in scope: Scope, at place: SourcePlace,
        factory: @escaping @Sendable (Resolver) throws -> Product
    ) -> [Registration] {
        guard let type = types.first else { return [] }
        let isOwn = type == Product.self
        // The instance is kept with its own type, and cast at each resolve, as by `implements`.
        let key =
            isOwn
            ? ServiceKey(service: type, arguments: Void.self, qualifier: qualifier)
            : ServiceKey(hiding: Cast<Product>.self, for: type, qualifier)
        let source = Registration.Source.factory { r, _ in StoredInstance(try factory(r)) }
        let builder = Registration(key, RegistrationOptions(scope: scope, place: place), source)
        return [builder] + types.dropFirst(isOwn ? 1 : 0).map { builder.forwarded(to: $0, qualifier) }
    }

    /// Creates a registration whose factory always throws `.duplicate`.
    ///
    /// - Parameters:
    ///   - registration: the registration that it replaces.
    ///   - places: the places where the service is defined, for the message.
    /// - Returns: the registration.
    package func duplicate(of registration: Registration, at places: String) -> Registration {
        registration.failing(with: RegistrationFailure(reason: .duplicate, detail: places))
    }
}

// MARK: - Changes

extension Container {
    /// Adds a registration, or replaces the registration of the same key.
    func insert(_ registration: Registration) {
        var former: SharedInstance?
        change { registry in
            if !registry.isOpen { return Removed() }
            let removed = registry.add(registration)
            former = removed.entries.first?.shared
            return removed
        }
        ContainerLife.registered(registration.key, inPlaceOf: former, in: self)
    }
}

// MARK: - Initializers

extension Container {
    /// Registers an initializer or another function that builds a service. Its parameters are resolved by their types,
    /// without names. The new registration replaces an earlier registration that has the same type and name and no
    /// runtime arguments.
    ///
    ///     container.register(using: Report.init(clock:archive:))
    ///     container.register(using: SystemClock.init, as: (any Clock).self)
    ///
    /// A parameter `A?` is nil if `A` is not registered. A parameter `[A]` needs a registration of `[A]`.
    ///
    /// Write a factory if a parameter is `sending`: Swift 6.3 does not see here that other services may use the
    /// instance, too.
    ///
    /// - Parameters:
    ///   - initializer: builds an instance.
    ///   - type: the type by which callers resolve the service, often a protocol.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    ///   - fileID: the file of the registration, for descriptions.
    ///   - line: the line of the registration, for descriptions.
    /// - Returns: an entry whose methods set the scope and other options. The default scope is `.graph`.
    @discardableResult
    public func register<Service, each Dependency>(
        using initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
        as type: Service.Type = Service.self, name: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) -> RegistrationEntry<Service> {
        register(type, name: name, fileID: fileID, line: line) { (r: Resolver) in
            try initializer(repeat r.require((each Dependency).self))
        }
    }
}
