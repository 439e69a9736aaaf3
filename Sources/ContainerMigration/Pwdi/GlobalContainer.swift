public import Container
public import DeclarativeContainer

/// The global container.
@available(*, deprecated, renamed: "Container.global")
public var globalContainer: Container { .global }

extension Prototype {
    /// The services of the block, one in each list.
    @available(*, deprecated, message: "A block has no public parts. Put it in a container, and resolve from that")
    public var factories: [ServiceList<Prototype>] { services.split }
}

extension Singleton {
    /// The services of the block, one in each list.
    @available(*, deprecated, message: "A block has no public parts. Put it in a container, and resolve from that")
    public var factories: [ServiceList<SharedScope>] { services.split }
}

extension Session {
    /// The services of the block, one in each list.
    @available(*, deprecated, message: "A block has no public parts. Put it in a container, and resolve from that")
    public var factories: [ServiceList<SharedScope>] { services.split }
}
