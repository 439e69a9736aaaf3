public import Container

extension Container {
    /// Creates a container and registers services.
    ///
    /// - Parameters:
    ///   - parent: the container that resolves services without a registration here.
    ///   - registeringClosure: registers the services.
    @available(*, deprecated, message: "Write 'let container = Container()' and register the services after it")
    public convenience init(parent: Container? = nil, registeringClosure: (Container) -> Void) {
        self.init(parent: parent)
        registeringClosure(self)
    }

    /// Creates a container with a default scope.
    ///
    /// - Parameters:
    ///   - parent: the container that resolves services without a registration here.
    ///   - defaultObjectScope: the scope of registrations without a scope. If its instances are shared, several threads
    ///     may use an instance at once.
    @available(*, deprecated, renamed: "init(parent:uncheckedDefaultObjectScope:)")
    @_disfavoredOverload
    public convenience init(parent: Container? = nil, defaultObjectScope: ObjectScope) {
        self.init(parent: parent, defaultScope: defaultObjectScope.scope)
    }

    /// Creates a container with a default scope, and registers services.
    ///
    /// - Parameters:
    ///   - parent: the container that resolves services without a registration here.
    ///   - defaultObjectScope: the scope of registrations without a scope. If its instances are shared, several threads
    ///     may use an instance at once.
    ///   - registeringClosure: registers the services.
    @available(*, deprecated, message: "Create the container first, and register the services after it")
    public convenience init(
        parent: Container? = nil, defaultObjectScope: ObjectScope, registeringClosure: (Container) -> Void
    ) {
        self.init(parent: parent, defaultScope: defaultObjectScope.scope)
        registeringClosure(self)
    }

    /// Returns a child of the container, as in Swinject. A service that is registered in the child is not registered in
    /// the container.
    @available(*, deprecated, message: "Every thread may use every container: use the container itself")
    public func synchronize() -> Container { Container(parent: self) }

    /// Returns the resolver of a child of the container, for a variable or a parameter of the type `Resolver`.
    @available(
        *, deprecated,
        message: "Every thread may use every container: pass the container on, or its resolver to code on this thread"
    )
    @_disfavoredOverload
    public func synchronize() -> Resolver { (synchronize() as Container).resolver }

    /// Returns whether a service is registered, in this container or one of its parents, with any runtime arguments.
    ///
    /// - Parameters:
    ///   - serviceType: the type by which callers resolve the service.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: whether a registration exists.
    @available(*, deprecated, renamed: "hasRegistration(of:name:)")
    public func hasAnyRegistration<Service>(of serviceType: Service.Type, name: String? = nil) -> Bool {
        hasRegistration(of: serviceType, name: name)
    }

    /// Registers an initializer, as in SwinjectAutoregistration.
    ///
    /// - Parameters:
    ///   - service: the type by which callers resolve the service.
    ///   - name: the name of the registration, or nil.
    ///   - initializer: builds an instance. Its parameters are resolved by their types.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, renamed: "register(using:as:name:)")
    @discardableResult
    public func autoregister<Service, each Dependency>(
        _ service: Service.Type, name: String? = nil,
        initializer: @escaping @Sendable (repeat each Dependency) -> Service
    ) -> RegistrationEntry<Service> {
        register(using: initializer, as: service, name: name)
    }

    /// Registers another type for the service of an entry, in the container of the entry.
    ///
    /// - Parameters:
    ///   - type: the other type.
    ///   - name: the name of the new registration, or nil.
    ///   - service: the entry.
    @available(*, deprecated, message: "Call implements(_:name:) of the entry")
    public func forward<Type, Service>(
        _ type: Type.Type, name: String? = nil, to service: RegistrationEntry<Service>
    ) {
        service.implements(type, name: name)
    }
}

// MARK: - Resets

extension Container {
    /// Removes the instances of a scope in this container and its parents.
    ///
    /// - Parameter scope: the scope.
    @available(*, deprecated, renamed: "reset(_:)")
    public func resetObjectScope(_ scope: SharedScope) { reset(scope) }

    /// Removes the instances of a scope in this container and its parents.
    ///
    /// - Parameter scope: the scope.
    @available(*, deprecated, renamed: "reset(_:)")
    @_disfavoredOverload
    public func resetObjectScope(_ scope: ObjectScope) {
        if case .shared(let scope) = scope.scope { reset(scope) }
    }

    /// Removes the instances of a single service in a scope, in this container and its parents.
    ///
    /// - Parameters:
    ///   - scope: the scope.
    ///   - serviceType: the type by which callers resolve the service, with any name and arguments.
    @available(*, deprecated, message: "Give the service a scope of its own, and reset that with reset(_:)")
    public func resetObjectScope(_ scope: SharedScope, serviceType: Any.Type) { reset(scope, service: serviceType) }

    /// Removes the instances of a single service in a scope, in this container and its parents.
    ///
    /// - Parameters:
    ///   - scope: the scope.
    ///   - serviceType: the type by which callers resolve the service, with any name and arguments.
    @available(*, deprecated, message: "Give the service a scope of its own, and reset that with reset(_:)")
    @_disfavoredOverload
    public func resetObjectScope(_ scope: ObjectScope, serviceType: Any.Type) {
        if case .shared(let scope) = scope.scope { reset(scope, service: serviceType) }
    }
}
