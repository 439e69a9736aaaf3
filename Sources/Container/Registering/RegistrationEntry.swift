import SharedState

/// A registration as `register` returns it: for its scope, its completion, and other types that it stands for.
///
/// Call its methods while the container is set up; where its service is resolved at the same time, that may get
/// the earlier state.
public final class RegistrationEntry<Service>: Sendable {
    private let container: Container
    /// Guarded by `Container.monitor`.
    nonisolated(unsafe) private var registration: Registration
    /// Those that stand for it. Guarded by `Container.monitor`.
    nonisolated(unsafe) private var forwards: [Registration] = []

    @usableFromInline
    init(
        name: String?, arguments: Any.Type, in container: Container,
        factory: @escaping @Sendable (Resolver, Any) throws -> AnyObject
    ) {
        let key = ServiceKey(service: Service.self, arguments: arguments, qualifier: Qualifier(name: name))
        self.container = container
        unsafe registration = Registration(
            Service.self, key: key, options: RegistrationOptions(), owner: container, .factory(factory))
        container.insert(unsafe registration)
    }

    /// Sets a scope whose instances nobody shares.
    ///
    /// - Parameter scope: `.transient` or `.graph`.
    @discardableResult
    public func inObjectScope(_ scope: UnsharedScope) -> Self { change { $0.scope = scope.scope } }

    /// Sets a scope whose instances are shared, for a service of which the compiler cannot see that it is `Sendable`.
    ///
    /// - Parameter scope: `.container`, `.weak`, `.session` or one of your own. That its instances may be used from
    ///   several threads at once is yours to see to.
    @discardableResult
    public func inObjectScope(unchecked scope: SharedScope) -> Self { change { $0.scope = .shared(scope) } }

    /// Adds what is done when an instance is made and its factory has returned: the place to close a circle.
    ///
    /// It runs once for each instance, when no factory of the same resolve runs any more, and before the resolve
    /// returns. Where another thread resolves a shared instance before that, the other thread runs it, so that neither
    /// waits for the other's factories. Where it throws, no shared instance that is made of this one is kept.
    ///
    /// - Parameter completion: what to do with the resolver and the instance.
    @discardableResult
    public func initCompleted(_ completion: @escaping @Sendable (Resolver, Service) throws -> Void) -> Self {
        let isBoxed = Box<Service>.isBoxed
        return change {
            $0.completions.append { r, stored in
                try completion(r, StoredInstance(stored, isBoxed: isBoxed).service(as: Service.self))
            }
        }
    }

    /// Makes other types, under the same arguments, stand for this registration and share its instances.
    ///
    /// They stand for this one registration, whatever is registered later for its own type, here or in a child. Once a
    /// shared instance has been asked for as such a type, that is as fast as by its own; in the weak scope it is cast
    /// each time.
    ///
    /// - Parameters:
    ///   - types: the types. Whether the service is of them is found out when it is asked for, and by `verify()`.
    ///   - name: what tells them from other registrations of theirs.
    @discardableResult
    public func implements<each View>(_ types: repeat (each View).Type, name: String? = nil) -> Self {
        let (registration, _) = state
        var new: [Registration] = []
        repeat new.append(registration.forwarded(to: each types, Qualifier(name: name)))
        new.removeAll { $0.key == registration.key }
        for forward in new { container.insert(forward) }
        Container.monitor.withLock { unsafe forwards += new }
        return self
    }

    /// Leaves it out of `verify()`: a factory that opens a connection, say. Whatever needs it is not verified either.
    @discardableResult
    public func withoutVerification() -> Self { change { $0.isVerified = false } }
}

extension RegistrationEntry where Service: Sendable {
    /// Sets a scope whose instances are shared.
    ///
    /// - Parameter scope: `.container`, `.weak`, `.session` or one of your own.
    @discardableResult
    public func inObjectScope(_ scope: SharedScope) -> Self { inObjectScope(unchecked: scope) }
}

extension RegistrationEntry {
    private var state: (Registration, [Registration]) {
        Container.monitor.withLock { unsafe (registration, forwards) }
    }

    /// Puts a changed registration in place, for those that stand for it too, as far as nothing else has been registered there.
    private func change(_ change: (inout RegistrationOptions) -> Void) -> Self {
        let (old, oldForwards) = state
        let new = old.with(change)
        let newForwards = oldForwards.map { new.forwarded(to: $0.key.service, $0.key.qualifier) }
        container.insert(new, inPlaceOf: old)
        for (forward, old) in zip(newForwards, oldForwards) { container.insert(forward, inPlaceOf: old) }
        // The former one is let go of outside the monitor: what its completions have captured may run a user's `deinit`.
        var former = (new, newForwards)
        Container.monitor.withLock {
            unsafe swap(&registration, &former.0)
            unsafe swap(&forwards, &former.1)
        }
        return self
    }
}
