/// The parameter from which a factory resolves its dependencies and reads properties.
///
/// A resolver belongs to one call of a factory. The instances that it resolves join the graph of that call. It is not
/// `Sendable`, so a task cannot use it. A service that resolves later must keep the `Container` instead: after the
/// factory has returned, each resolve of its resolver starts a new graph.
public struct Resolver: PropertyReading {
    @usableFromInline let container: Container
    /// The factory or completion that it belongs to, or nil.
    let frame: Frame?
    /// The graph of that factory or completion, or nil.
    let graph: Graph?

    @usableFromInline
    init(container: Container) { self.init(container: container, frame: nil, graph: nil) }

    init(container: Container, frame: Frame?, graph: Graph?) {
        (self.container, self.frame, self.graph) = (container, frame, graph)
    }

    /// The factory or completion that it belongs to, if it still runs.
    var activeFrame: Frame? { frame.flatMap { $0.isActive ? $0 : nil } }

    /// Looks up a service for the factory or completion. That of a replacement finds new instances.
    func find(_ key: ServiceKey) -> LookupResult { find(key, for: activeFrame?.user) }

    func find(_ key: ServiceKey, for user: PendingInstance?) -> LookupResult {
        if let user, let registration = user.replacement?.registrations[key], user.container === container {
            return .registration(registration, of: container)
        }
        return container.lookUp(key)
    }

    /// The properties of the container that the caller resolves from. The factory of a shared scope gets those of the
    /// container that has the registration.
    public var properties: PropertyStore {
        if let user = frame?.user, let properties = user.properties, user.container === container { return properties }
        return container.properties
    }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension Resolver: Sendable {}
