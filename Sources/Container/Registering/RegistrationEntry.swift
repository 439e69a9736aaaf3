import SharedState

/// The result of `register`, which sets the scope of a registration, its completion, and other types for it.
///
/// Call its methods while the container is set up. A resolve that runs at the same time may use the earlier settings.
public final class RegistrationEntry<Service>: Sendable {
    private let container: Container
    private let state: Guarded<State>

    private struct State {
        var registration: Registration
        /// The registrations that forward to it.
        var forwards: [Registration] = []
    }

    @usableFromInline
    init(
        name: String?, arguments: Any.Type, in container: Container,
        factory: @escaping @Sendable (Resolver, Any) throws -> AnyObject
    ) {
        let key = ServiceKey(service: Service.self, arguments: arguments, qualifier: Qualifier(name: name))
        let registration = Registration(
            Service.self, key: key, options: RegistrationOptions(), owner: container, .factory(factory))
        self.container = container
        state = Guarded(State(registration: registration))
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
    /// - Parameter scope: `.container`, `.weak`, `.session` or one of your own. The caller must make sure that several
    ///   threads may use an instance at once.
    /// - Returns: this entry.
    @discardableResult
    public func inObjectScope(unchecked scope: SharedScope) -> Self { change { $0.scope = .shared(scope) } }

    /// Adds a closure that runs when the factory of an instance has returned: the place to close a circle.
    ///
    /// It runs once for each instance, when no factory of the same resolve runs any more, and before the resolve
    /// returns. If another thread resolves a shared instance before that, the other thread runs the closure, so that
    /// neither waits for factories of the other. If it throws, no shared instance that is made of this one is kept.
    ///
    /// - Parameter completion: the closure. It gets a resolver and the instance.
    /// - Returns: this entry.
    @discardableResult
    public func initCompleted(_ completion: @escaping @Sendable (Resolver, Service) throws -> Void) -> Self {
        let isBoxed = Box<Service>.isBoxed
        return change {
            $0.completions.append { r, stored in
                try completion(r, StoredInstance(stored, isBoxed: isBoxed).service(as: Service.self))
            }
        }
    }

    /// Registers other types, with the same arguments, that share the instances of this registration.
    ///
    /// They forward to this registration, whatever is registered later for its own type, here or in a child. The first
    /// resolve of a shared instance by such a type casts it; later ones are as fast as by its own type. In the weak
    /// scope each resolve casts it.
    ///
    /// - Parameters:
    ///   - types: the types. A resolve, and `verify()`, checks that the service conforms to them.
    ///   - name: the name of the new registrations.
    /// - Returns: this entry.
    @discardableResult
    public func implements<each View>(_ types: repeat (each View).Type, name: String? = nil) -> Self {
        let registration = state.withLock { $0.registration }
        var new: [Registration] = []
        repeat new.append(registration.forwarded(to: each types, Qualifier(name: name)))
        new.removeAll { $0.key == registration.key }
        for forward in new { container.insert(forward) }
        state.withLock { $0.forwards += new }
        return self
    }

    /// Excludes it from `verify()`: for example a factory that opens a connection. Services that need it are not
    /// verified either.
    @discardableResult
    public func withoutVerification() -> Self { change { $0.isVerified = false } }
}

extension RegistrationEntry where Service: Sendable {
    /// Sets a scope whose instances are shared.
    ///
    /// - Parameter scope: `.container`, `.weak`, `.session` or one of your own.
    /// - Returns: this entry.
    @discardableResult
    public func inObjectScope(_ scope: SharedScope) -> Self { inObjectScope(unchecked: scope) }
}

extension RegistrationEntry {
    /// Replaces the registration and those that forward to it, except where another one has been registered meanwhile.
    private func change(_ change: (inout RegistrationOptions) -> Void) -> Self {
        let old = state.withLock { $0 }
        let registration = old.registration.with(change)
        let forwards = old.forwards.map { registration.forwarded(to: $0.key.service, $0.key.qualifier) }
        container.insert(registration, inPlaceOf: old.registration)
        for (forward, old) in zip(forwards, old.forwards) { container.insert(forward, inPlaceOf: old) }
        // The former state is released outside the lock: what its closures have captured may run a user's `deinit`.
        var former = State(registration: registration, forwards: forwards)
        state.withLock { swap(&$0, &former) }
        return self
    }
}
