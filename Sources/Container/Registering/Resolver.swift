/// The parameter from which a factory resolves its dependencies and reads properties.
///
/// A resolver belongs to one call of a factory. The instances that it resolves join the graph of that call. It is not
/// `Sendable`, so a task cannot use it. A service that resolves later must keep the `Container` instead: after the
/// factory has returned, each resolve of its resolver starts a new graph.
public struct Resolver: PropertyReading {
    @usableFromInline let container: Container
    /// A number that identifies the call of the factory or completion, or 0 for an outermost resolve.
    let token: UInt64

    @usableFromInline
    init(container: Container, token: UInt64) {
        self.container = container
        self.token = token
    }

    /// The properties of the container that the caller resolves from. The factory of a shared scope gets those of the
    /// container that has the registration.
    public var properties: PropertyStore { container.properties }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension Resolver: Sendable {}
