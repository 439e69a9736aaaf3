/// The parameter from which an asynchronous factory resolves its dependencies and reads properties.
///
/// It is like a `Resolver`, but waits for services that are built asynchronously. It is not `Sendable`, so a factory
/// resolves its dependencies one after the other. To build shared services concurrently, use `async let` with
/// `Container.require(async:)`, or let `Container.start()` build them.
public struct AsyncResolver: PropertyReading {
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

    /// A synchronous resolver of the same factory or completion.
    var synchronous: Resolver { Resolver(container: container, frame: frame, graph: graph) }

    /// The properties of the container that the caller resolves from. The factory of a shared scope gets those of the
    /// container that has the registration.
    public var properties: PropertyStore { container.properties }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension AsyncResolver: Sendable {}
