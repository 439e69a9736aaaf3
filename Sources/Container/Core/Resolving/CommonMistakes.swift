// Calls that do not compile, and what to write instead. Without these declarations, the compiler names another mistake, or
// fails to produce a diagnostic.

/// What the compiler names where the value of a read without a type is used: `let port = try r.require("port")`. Say the
/// type: `let port = try r.require("port", as: Int.self)`.
public enum ReadWithoutType {}

extension PropertyReading {
    /// Not available: a read needs the type of its value.
    @available(*, unavailable, message: "Say the type of the value: require(\"api.timeout\", as: Int.self)")
    public func require(_ name: String) throws(PropertyError) -> ReadWithoutType { fatalError() }

    /// Not available: a read needs the type of its value.
    @available(*, unavailable, message: "Say the type of the value: require(key, as: Int.self)")
    public func require(_ key: PropertyKey) throws(PropertyError) -> ReadWithoutType { fatalError() }

    /// Not available: a resolve needs the type of the service.
    @available(*, unavailable, message: "Say the type of the service: require(Orders.self)")
    public func require<Service>() throws -> Service { fatalError() }
}

extension Container {
    /// Not available: a declaration needs the type of the settings.
    @available(*, unavailable, message: "Write the type: declare(ServerSettings.self, at: \"server\")")
    public func declare<T: Settings>(_ settings: T, at name: String? = nil) { fatalError() }

    /// Not available: the entry of the registration sets the scope.
    @available(*, unavailable, message: "Write the scope behind the closure: { r in … }.inObjectScope(.container)")
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, scope: SharedScope, factory: (Resolver) throws -> Service
    ) { fatalError() }

    /// An asynchronous initializer needs a factory.
    @available(
        *, unavailable,
        message: "Write a factory: register(Database.self) { r in try await Database(url: r.require(…)) }"
    )
    public func register<Service, each Dependency>(
        using initializer: @Sendable (repeat each Dependency) async throws -> Service
    ) -> RegistrationEntry<Service> { fatalError() }
}
