/// The parameter from which an asynchronous factory resolves its dependencies and reads properties.
///
/// It is like a `Resolver`, but waits for services that are built asynchronously. It is not `Sendable`, so a factory
/// resolves its dependencies one after the other. To build shared services concurrently, use `async let` with
/// `Container.require(async:)`, or mark them `.eager()`.
public struct AsyncResolver: PropertyReading {
    @usableFromInline let container: Container
    /// A number that identifies the call of the factory or completion, or 0 for an outermost resolve.
    let token: UInt64
    /// The `Worker` that runs the factory or completion, or nil for an outermost resolve.
    let worker: (any AnyObject & Sendable)?

    @usableFromInline
    init(container: Container) { self.init(container: container, token: 0, worker: nil) }

    init(container: Container, token: UInt64, worker: (any AnyObject & Sendable)?) {
        self.container = container
        self.token = token
        self.worker = worker
    }

    /// The properties of the container that the caller resolves from. The factory of a shared scope gets those of the
    /// container that has the registration.
    public var properties: PropertyStore { container.properties }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension AsyncResolver: Sendable {}
