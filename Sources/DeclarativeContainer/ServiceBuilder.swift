public import Container

/// The result builder of `Prototype`, `Singleton` and `Session` blocks and of containers.
///
/// `Content` is the kind of block. It determines which expressions the block accepts: `Prototype` accepts any service,
/// `SharedScope` only services that are `Sendable` or `unchecked:`, and `Container` the three kinds of blocks.
@resultBuilder
public enum ServiceBuilder<Content> {
    /// Joins the services of several statements.
    public static func buildBlock(_ lists: ServiceList<Content>...) -> ServiceList<Content> {
        ServiceList(joining: lists)
    }
    /// Builds an `if` without `else`.
    public static func buildOptional(_ list: ServiceList<Content>?) -> ServiceList<Content> { list ?? ServiceList() }
    /// Builds the first branch of an `if` or `switch`.
    public static func buildEither(first list: ServiceList<Content>) -> ServiceList<Content> { list }
    /// Builds the second branch of an `if` or `switch`.
    public static func buildEither(second list: ServiceList<Content>) -> ServiceList<Content> { list }
    /// Builds a `for` loop.
    public static func buildArray(_ lists: [ServiceList<Content>]) -> ServiceList<Content> {
        ServiceList(joining: lists)
    }
}

extension ServiceBuilder where Content == Prototype {
    /// Accepts a service of any type.
    public static func buildExpression<Product, Proof>(_ service: Service<Product, Proof>) -> ServiceList<Content> {
        ServiceList(service)
    }
}

extension ServiceBuilder where Content == SharedScope {
    /// Accepts a service that is `Sendable`, or that was created with `unchecked:`.
    public static func buildExpression<Product, Proof: Sendable>(_ service: Service<Product, Proof>) -> ServiceList<
        Content
    > {
        ServiceList(service)
    }
}

extension ServiceBuilder where Content == Container {
    /// Accepts services that have a new instance for each resolve.
    public static func buildExpression(_ prototype: Prototype) -> ServiceList<Content> {
        prototype.services.forContainer
    }
    /// Accepts services that have one instance in the container.
    public static func buildExpression(_ singleton: Singleton) -> ServiceList<Content> {
        singleton.services.forContainer
    }
    /// Accepts services that have one instance in each session.
    public static func buildExpression(_ session: Session) -> ServiceList<Content> { session.services.forContainer }
}

/// A block of services that have a new instance for each resolve (the scope `.transient`).
public struct Prototype {
    package let services: ServiceList<Prototype>
    /// Creates a block of services.
    public init(@ServiceBuilder<Prototype> _ services: () -> ServiceList<Prototype>) {
        self.services = services().inScope(.transient)
    }
}

/// A block of services that have one instance in the container (the scope `.container`).
public struct Singleton {
    package let services: ServiceList<SharedScope>
    /// Creates a block of services, which must be `Sendable` unless they are `unchecked:`.
    public init(@ServiceBuilder<SharedScope> _ services: () -> ServiceList<SharedScope>) {
        self.services = services().inScope(.shared(.container))
    }
}

/// A block of services that have one instance until `Container.resetSession()` (the scope `.session`).
public struct Session {
    package let services: ServiceList<SharedScope>
    /// Creates a block of services, which must be `Sendable` unless they are `unchecked:`.
    public init(@ServiceBuilder<SharedScope> _ services: () -> ServiceList<SharedScope>) {
        self.services = services().inScope(.shared(.session))
    }
}
