/// A registration as `register` returns it: for its scope, its completion, and other types that it stands for.
///
/// Call its methods while the container is set up; where its service is resolved at the same time, that may get
/// the earlier state.
public final class RegistrationEntry<Service>: Sendable {
    private let container: Container
    /// Guarded by `Construction.monitor`.
    nonisolated(unsafe) private var registration: ServiceRegistration<Service>

    init(_ registration: ServiceRegistration<Service>, in container: Container) {
        self.container = container
        unsafe self.registration = registration
    }

    /// Sets a scope whose instances nobody shares.
    ///
    /// - Parameter scope: `.transient` or `.graph`.
    @discardableResult
    public func inObjectScope(_ scope: UnsharedScope) -> Self { change(.scope(Scope(scope))) }

    /// Sets a scope whose instances are shared, for a service of which the compiler cannot see that it is `Sendable`.
    ///
    /// - Parameter scope: `.container`, `.weak`, `.session` or one of your own. That its instances may be used from
    ///   several threads at once is yours to see to.
    @discardableResult
    public func inObjectScope(unchecked scope: SharedScope) -> Self { change(.scope(.shared(scope))) }

    /// Adds what is done when an instance is made and its factory has returned: the place to close a circle.
    ///
    /// It runs once for each instance, when no factory of the same resolve runs any more, and before the resolve returns.
    ///
    /// - Parameter completion: what to do with the resolver and the instance.
    @discardableResult
    public func initCompleted(_ completion: @escaping @Sendable (Resolver, Service) throws -> Void) -> Self {
        change(.completion(completion))
    }

    /// Makes other types, under the same arguments, stand for this registration.
    ///
    /// - Parameters:
    ///   - types: the types. Whether the service is of them is found out when it is asked for, and by `verify()`.
    ///   - name: what tells them from other registrations of theirs.
    @discardableResult
    public func implements<each View>(_ types: repeat (each View).Type, name: String? = nil) -> Self {
        repeat container.insert(current.forwarded(to: each types, Qualifier(name: name)))
        return self
    }

    /// Leaves it out of `verify()`: a factory that opens a connection, say. Whatever needs it is not verified either.
    @discardableResult
    public func withoutVerification() -> Self { change(.unverified) }
}

extension RegistrationEntry where Service: Sendable {
    /// Sets a scope whose instances are shared.
    ///
    /// - Parameter scope: `.container`, `.weak`, `.session` or one of your own.
    @discardableResult
    public func inObjectScope(_ scope: SharedScope) -> Self { inObjectScope(unchecked: scope) }
}

extension RegistrationEntry {
    private var current: ServiceRegistration<Service> { Construction.monitor.withLock { unsafe registration } }

    private func change(_ change: Change<Service>) -> Self {
        let old = current
        let new = old.with(change)
        container.insert(new, inPlaceOf: old)
        Construction.monitor.withLock { unsafe registration = new }
        return self
    }
}
