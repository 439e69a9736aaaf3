import SharedState

/// The result of `register`. Its methods set the scope and other options of the registration.
///
/// Call the methods while you set up the container. A resolve that runs at the same time may use the earlier options.
public struct RegistrationEntry<Service>: Sendable {
    let container: Container
    private let key: ServiceKey
    private let id: UInt64

    @usableFromInline
    init(
        name: String?, arguments: Any.Type, in container: Container, fileID: StaticString, line: UInt,
        factory: @escaping @Sendable (Resolver, StoredInstance?) throws -> StoredInstance
    ) {
        let place = SourcePlace(fileID: fileID, line: line)
        self.init(name: name, arguments: arguments, in: container, .factory(factory), at: place)
    }

    init(
        name: String?, arguments: Any.Type, in container: Container, _ source: Registration.Source,
        at place: SourcePlace?
    ) {
        let key = ServiceKey(service: Service.self, arguments: arguments, qualifier: Qualifier(name: name))
        let options = RegistrationOptions(scope: container.defaultScope, place: place)
        let registration = Registration(key, options, source)
        (self.container, self.key, id) = (container, key, registration.id)
        container.insert(registration)
    }

    /// Sets a scope whose instances are not shared.
    ///
    /// - Parameter scope: `.transient` or `.graph`.
    /// - Returns: this entry.
    @discardableResult
    public func inObjectScope(_ scope: UnsharedScope) -> Self { change { $0.scope = scope.scope } }

    /// Sets a scope whose instances are shared, for a service that the compiler does not know to be `Sendable`.
    ///
    /// - Parameter scope: `.container`, `.weak`, `.session` or a scope of your own. The caller must make sure that
    ///   several threads can safely use an instance at once.
    /// - Returns: this entry.
    @discardableResult
    public func inObjectScope(unchecked scope: SharedScope) -> Self { change { $0.scope = .shared(scope) } }

    /// Adds a closure that runs after the factory of an instance. The closure can resolve a service that needs this
    /// service, so it can connect two services that need each other.
    ///
    /// The closure runs once for each instance, on the thread that ran the factory. For an unshared service, it runs
    /// after all factories of the same resolve have returned and before the resolve returns. For a shared service, it
    /// runs before anybody gets the instance, except the services that become complete together with it. If the closure
    /// throws, none of these is kept. A dependency without completions was complete before, and stays. A new instance may
    /// be built before the failed instance is closed.
    ///
    /// - Parameter completion: the closure. It gets a resolver and the instance.
    /// - Returns: this entry.
    @discardableResult
    public func initCompleted(_ completion: @escaping @Sendable (Resolver, Service) throws -> Void) -> Self {
        change { $0.completions.append(.synchronous { r, made in try completion(r, made.service(as: Service.self)) }) }
    }

    /// Adds an asynchronous closure that runs after the factory of an instance. The service is then built
    /// asynchronously, even if its factory is synchronous.
    ///
    /// - Parameter completion: the closure. It gets a resolver and the instance.
    /// - Returns: this entry.
    @discardableResult
    public func initCompleted(
        _ completion: nonisolated(nonsending) @escaping @Sendable (AsyncResolver, Service) async throws -> Void
    ) -> Self {
        change {
            $0.completions.append(.asynchronous { r, made in try await completion(r, made.service(as: Service.self)) })
        }
    }

    /// Registers other types that return the instances of this registration. Their runtime arguments are the same.
    ///
    /// A resolve by one of the other types resolves the service by its own type, and casts the instance. So a later
    /// registration of the service, in this container or in a child, overrides it for the other types, too.
    ///
    /// A conformance that is isolated to an actor is found only on that actor, and an instance that is resolved by it must
    /// not leave the actor.
    ///
    /// - Parameters:
    ///   - types: the types. A resolve or `verify()` fails with `.wrongType` if the service does not conform to a type.
    ///   - name: the name of the new registrations, or nil.
    /// - Returns: this entry.
    @discardableResult
    public func implements<each View>(_ types: repeat (each View).Type, name: String? = nil) -> Self {
        guard let registration = container.registry.withRead({ $0.registration(of: key) }) else { return self }
        var new: [Registration] = []
        repeat new.append(registration.forwarded(to: each types, Qualifier(name: name)))
        for forward in new where forward.key != key { container.insert(forward) }
        return self
    }
}

extension RegistrationEntry where Service: Sendable {
    /// Sets a scope whose instances are shared.
    ///
    /// - Parameter scope: `.container`, `.weak`, `.session` or a scope of your own.
    /// - Returns: this entry.
    @discardableResult
    public func inObjectScope(_ scope: SharedScope) -> Self { inObjectScope(unchecked: scope) }
}

extension RegistrationEntry {
    /// Changes the options of the registration. A key that has been registered again since then keeps its new
    /// registration.
    func change(_ change: (inout RegistrationOptions) -> Void) -> Self {
        container.change { $0.change(key, id, change) }
        return self
    }
}
