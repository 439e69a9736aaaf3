/// What a factory takes its dependencies and properties from.
///
/// It belongs to the call of one factory: what it resolves joins the graph of that call. It is not `Sendable`, so a
/// task cannot use it; a service that resolves later takes the `Container`. A resolver that is kept all the same starts
/// a new graph with each resolve.
public struct Resolver: PropertyReading {
    @usableFromInline let container: Container
    /// Identifies the call of the factory; 0 if there is none.
    let token: UInt64

    @usableFromInline
    init(container: Container, token: UInt64) {
        self.container = container
        self.token = token
    }

    /// The properties of the container that was asked; in a shared scope those of the container that has the
    /// registration.
    public var properties: PropertyStore { container.properties }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension Resolver: Sendable {}
