@_exported public import Container

/// Sets up the global container, from which `@Inject` and `@SafeInject` resolve their values.
///
///     GlobalContainer {
///         Prototype { Service { _ in Report() } }
///         Singleton { Service { c in try Store(clock: c.make()) } }
///     }
public struct GlobalContainer {
    /// Replaces all services of the global container. The properties do not change.
    ///
    /// - Parameter services: a builder of `Prototype`, `Singleton` and `Session` blocks. It may use `if`, `switch` and
    ///   `for`.
    @discardableResult
    public init(@ServiceBuilder<Container> _ services: () -> ServiceList<Container>) {
        services().replaceAll(in: .global)
    }

    /// Removes all registrations and instances of the global container.
    public static func resetGlobalContainer() { Container.global.removeAll() }
}

extension Container {
    /// The container from which `@Inject` resolves. Inside `withGlobal` it is the container of the task, otherwise the
    /// container of the process.
    public static var global: Container { taskGlobal ?? processGlobal }

    private static let processGlobal = Container()

    /// Replaces the global container for a closure, the child tasks that it starts, and the factories that run for what
    /// it resolves or starts, for example in parallel tests.
    ///
    /// It does not reach what runs without a caller: the factory that replaces a service which follows its settings, and
    /// the closures of `onClose`. Let them take their services from `r`.
    ///
    /// An object with an `@Inject` that the closure creates resolves from this container for its whole life, and keeps
    /// the container until the property is first read.
    ///
    /// - Parameters:
    ///   - container: the container to use.
    ///   - body: the closure.
    /// - Returns: the result of the closure.
    public static func withGlobal<Result>(
        _ container: Container, _ body: () throws -> Result
    ) rethrows -> Result {
        try $taskGlobal.withValue(container, operation: body)
    }

    /// Replaces the global container for a closure, the child tasks that it starts, and the factories that run for what
    /// it resolves or starts, for example in parallel tests.
    ///
    /// It does not reach what runs without a caller: the factory that replaces a service which follows its settings, and
    /// the closures of `onClose`. Let them take their services from `r`.
    ///
    /// An object with an `@Inject` that the closure creates resolves from this container for its whole life, and keeps
    /// the container until the property is first read.
    ///
    /// - Parameters:
    ///   - container: the container to use.
    ///   - isolation: the actor that the closure runs on.
    ///   - body: the closure.
    /// - Returns: the result of the closure.
    public static func withGlobal<Result>(
        _ container: Container, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $taskGlobal.withValue(container, operation: body, isolation: isolation)
    }
}
