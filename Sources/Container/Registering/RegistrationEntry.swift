import SharedState

/// The result of `register`. Its methods set the scope and other options of the registration.
///
/// Call the methods while you set up the container. A resolve that runs at the same time may use the earlier options.
public struct RegistrationEntry<Service>: Sendable {
    private let container: Container
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
    /// runs before anybody outside of the construction gets the instance. If the closure throws, no instance that was
    /// built together with this instance is kept. A new instance may be built before the failed instance is closed.
    ///
    /// - Parameter completion: the closure. It gets a resolver and the instance.
    /// - Returns: this entry.
    @discardableResult
    public func initCompleted(_ completion: @escaping @Sendable (Resolver, Service) throws -> Void) -> Self {
        change { $0.completions.append(.synchronous { r, made in try completion(r, made.service(as: Service.self)) }) }
    }

    /// Adds a closure that closes an instance when its container is closed, or its scope is reset. Only instances of
    /// shared scopes that are not weak are closed.
    ///
    /// Several closures run in the reverse order of their addition.
    ///
    /// - Parameter close: the closure. It gets the instance.
    /// - Returns: this entry.
    @discardableResult
    public func onClose(_ close: @escaping @Sendable (Service) throws -> Void) -> Self {
        change { $0.closures.append(.synchronous { try close($0.service(as: Service.self)) }) }
    }

    /// Adds an asynchronous closure that closes an instance when its container is closed, or its scope is reset. Only
    /// instances of shared scopes that are not weak are closed.
    ///
    /// Several closures run in the reverse order of their addition.
    ///
    /// - Parameter close: the closure. It gets the instance. Its task is cancelled when the timeout of the closing
    ///   expires. It must not block its thread: if as many closures block as the machine has cores, the timeout has no
    ///   effect.
    /// - Returns: this entry.
    @discardableResult
    public func onClose(_ close: @escaping @Sendable (Service) async throws -> Void) -> Self {
        change { $0.closures.append(.asynchronous { try await close($0.service(as: Service.self)) }) }
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

    /// Replaces the instance when a property changes that its factory has read.
    ///
    ///     container.register(Database.self) { r async throws in
    ///         try await Database.open(r.settings(DatabaseSettings.self))
    ///     }
    ///     .inObjectScope(.container)
    ///     .onClose { try await $0.shutdown() }
    ///     .followsSettings(draining: .seconds(30))
    ///
    /// All properties, tables and settings types count that the factory and the completions read through their
    /// resolver, also names that no source has. The reads of the unshared services that they take count, too. After a
    /// change, a new instance is built in the background, independently of other services. When it is complete, every
    /// resolve returns it, and the former instance is closed after the drain time.
    ///
    /// If it cannot be built, the former instance stays, and `onFailure(_:)` gets the error. The construction is tried
    /// again after a pause, which doubles with each failure, and at once after a change of a property that the factory
    /// has read. Pass nil for the pauses if only such changes, or SIGHUP in `run`, should try again, for example because
    /// the database locks an account after several tries with a wrong password.
    ///
    /// Another shared service must take this service as a `Provider`, or follow its settings, too. Then it is replaced
    /// after this service. A service of a request's child may hold this service, because the child is assumed to end
    /// within the drain time: afterwards, the former instance is closed although the child holds it. The scope must be
    /// `.container`.
    ///
    /// - Parameters:
    ///   - draining: the time from the replacement to the closing of the former instance. If another following instance
    ///     still holds it, it is closed after that instance.
    ///   - closeTimeout: the time for closing the former instance. Then the task of its closing is cancelled,
    ///     `onFailure(_:)` gets an error, and nothing waits for it any more, neither what it holds nor `close(timeout:)`.
    ///   - retrying: the first and the longest pause before a failed replacement is tried again, or nil. No pause is
    ///     shorter than ten milliseconds.
    /// - Returns: this entry.
    @discardableResult
    public func followsSettings(
        draining: Duration = .seconds(30), closeTimeout: Duration = Container.defaultCloseTimeout,
        retrying: ClosedRange<Duration>? = .seconds(5)...(.seconds(300))
    ) -> Self {
        container.observeSettings()
        return change { ($0.draining, $0.closeTimeout, $0.retrying) = (draining, closeTimeout, retrying) }
    }

    /// Adds a closure that runs when a new instance of a following service has replaced the former instance.
    ///
    /// - Parameter body: the closure, for a log. It gets the changes that have led to the replacement, with secrets
    ///   masked in their descriptions.
    /// - Returns: this entry.
    @discardableResult
    public func onReplace(_ body: @escaping @Sendable ([PropertyChange<PropertyEntry>]) -> Void) -> Self {
        change { $0.replaceClosures.append(body) }
    }

    /// Leaves the service out of `Container.start()` and `verify()`: it is built when it is first resolved.
    @discardableResult
    public func onDemand() -> Self { change { $0.isOnDemand = true } }

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
    private func change(_ change: (inout RegistrationOptions) -> Void) -> Self {
        container.change { $0.change(key, id, change) }
        return self
    }
}
