@_exported public import Container

/// Sets up the global container, from which `@Inject` and `@SafeInject` resolve.
///
///     GlobalContainer {
///         Prototype { Service { _ in Report() } }
///         Singleton { Service { c in try Store(clock: c.make()) } }
///     }
public struct GlobalContainer {
    /// Replaces all services of the global container. Its properties stay.
    ///
    /// - Parameter services: `Prototype`, `Singleton` and `Session`, with `if`, `switch` and `for` between them.
    @discardableResult
    public init(@ServiceBuilder<Container> _ services: () -> ServiceList) {
        services().replaceAll(in: .global)
    }

    /// Removes every registration of the global container and its instance.
    public static func resetGlobalContainer() { Container.global.removeAll() }
}

extension Container {
    /// The container that `@Inject` resolves from: that of this task, or else that of the process.
    public static var global: Container { taskGlobal ?? processGlobal }

    private static let processGlobal = Container()
    @TaskLocal static var taskGlobal: Container?

    /// Replaces the global container for a closure and the child tasks that it starts, for example in parallel tests.
    ///
    /// An object with an `@Inject` that the closure creates resolves from this container for its whole life.
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

    /// Replaces the global container for a closure and the child tasks that it starts, for example in parallel tests.
    ///
    /// An object with an `@Inject` that the closure creates resolves from this container for its whole life.
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
