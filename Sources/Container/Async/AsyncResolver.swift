/// The parameter from which an asynchronous factory resolves its dependencies and reads properties.
///
/// It is like a `Resolver`, but waits for services that are built asynchronously. It is not `Sendable`, so a factory
/// resolves its dependencies one after the other. To build shared services concurrently, use `async let` with
/// `Container.require(async:)`, or let `Container.start()` build them.
public struct AsyncResolver: PropertyReading {
    /// A synchronous resolver of the same factory or completion.
    let synchronous: Resolver

    init(_ synchronous: Resolver) { self.synchronous = synchronous }

    @usableFromInline
    init(container: Container) { self.init(Resolver(container: container)) }

    /// The properties of the container that the caller resolves from. The factory of a shared scope gets those of the
    /// container that has the registration.
    public var properties: PropertyStore { synchronous.properties }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension AsyncResolver: Sendable {}
