public import Container

/// The result of `register` in Swinject.
@available(*, deprecated, renamed: "RegistrationEntry")
public typealias ServiceEntry<Service> = RegistrationEntry<Service>

extension RegistrationEntry {
    /// The scope of the registration.
    @available(*, unavailable, message: "Keep the scope beside the registration: an entry does not show it")
    public var objectScope: ObjectScope { .graph }

    /// Sets a scope whose instances are shared, for a service that the compiler does not know to be `Sendable`.
    ///
    /// - Parameter scope: the scope. Several threads may use an instance at once.
    /// - Returns: this entry.
    @available(
        *, deprecated, renamed: "inObjectScope(unchecked:)",
        message: "The service is not Sendable: make it Sendable, or take responsibility with inObjectScope(unchecked:)"
    )
    @discardableResult
    public func inObjectScope(_ scope: SharedScope) -> Self { inObjectScope(unchecked: scope) }

    /// Sets the scope.
    ///
    /// - Parameter scope: the scope. If its instances are shared, several threads may use an instance at once.
    /// - Returns: this entry.
    @available(*, deprecated, message: "Declare the scope as a SharedScope. This call stays as it is")
    @_disfavoredOverload
    @discardableResult
    public func inObjectScope(_ scope: ObjectScope) -> Self {
        switch scope.scope {
        case .transient: inObjectScope(.transient)
        case .graph: inObjectScope(.graph)
        case .shared(let scope): inObjectScope(unchecked: scope)
        }
    }
}
