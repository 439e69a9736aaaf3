public import Container

/// Collects the services between the braces of `Prototype`, `Singleton`, `Session` and a container.
///
/// `Content` identifies the braces, and so decides what they may contain.
@resultBuilder
public enum ServiceBuilder<Content> {
    /// Joins statements.
    public static func buildBlock(_ lists: ServiceList...) -> ServiceList { ServiceList(joining: lists) }
    /// An `if` without `else`.
    public static func buildOptional(_ list: ServiceList?) -> ServiceList { list ?? ServiceList() }
    /// The first branch of an `if` or `switch`.
    public static func buildEither(first list: ServiceList) -> ServiceList { list }
    /// The second branch of an `if` or `switch`.
    public static func buildEither(second list: ServiceList) -> ServiceList { list }
    /// A `for`.
    public static func buildArray(_ lists: [ServiceList]) -> ServiceList { ServiceList(joining: lists) }
}

extension ServiceBuilder where Content == Prototype {
    /// A service, of any type.
    public static func buildExpression<Product, Proof>(_ service: Service<Product, Proof>) -> ServiceList {
        ServiceList(service)
    }
}

extension ServiceBuilder where Content == SharedScope {
    /// A service that is `Sendable`, or `unchecked:`.
    public static func buildExpression<Product, Proof: Sendable>(_ service: Service<Product, Proof>) -> ServiceList {
        ServiceList(service)
    }
}

extension ServiceBuilder where Content == Container {
    /// Services with a new instance for each resolve.
    public static func buildExpression(_ prototype: Prototype) -> ServiceList { prototype.services }
    /// Services with one instance.
    public static func buildExpression(_ singleton: Singleton) -> ServiceList { singleton.services }
    /// Services with one instance in each session.
    public static func buildExpression(_ session: Session) -> ServiceList { session.services }
}

/// Services with a new instance for each resolve: `.transient`.
public struct Prototype {
    let services: ServiceList
    /// Collects the services.
    public init(@ServiceBuilder<Prototype> _ services: () -> ServiceList) {
        self.services = services().inScope(.transient)
    }
}

/// Services with one instance in the container: `.container`.
public struct Singleton {
    let services: ServiceList
    /// Collects the services, which must be `Sendable`.
    public init(@ServiceBuilder<SharedScope> _ services: () -> ServiceList) {
        self.services = services().inScope(.shared(.container))
    }
}

/// Services with one instance until `Container.resetSession()`: `.session`.
public struct Session {
    let services: ServiceList
    /// Collects the services, which must be `Sendable`.
    public init(@ServiceBuilder<SharedScope> _ services: () -> ServiceList) {
        self.services = services().inScope(.shared(.session))
    }
}
