@_exported public import Container

/// Sets up the global container, which `@Inject` and `@SafeInject` take from.
///
///     GlobalContainer {
///         Prototype { Service { _ in Report() } }
///         Singleton { Service { c in try Store(clock: c.make()) } }
///     }
public struct GlobalContainer {
    /// Puts services in the place of all that the global container had. Its properties stay.
    ///
    /// - Parameter services: `Prototype`, `Singleton` and `Session`, with `if`, `switch` and `for` between them.
    @discardableResult
    public init(@ServiceBuilder<Container> _ services: () -> ServiceList) {
        services().replaceAll(in: .global)
    }

    /// Removes every registration of the global container, with its instance.
    public static func resetGlobalContainer() { Container.global.removeAll() }
}

extension Container {
    /// The container that `@Inject` takes from: this task's, or else the process's.
    public static var global: Container { taskGlobal ?? processGlobal }

    private static let processGlobal = Container()
    @TaskLocal static var taskGlobal: Container?

    /// Replaces the global container for some code and the child tasks that it starts: for tests that run in parallel.
    ///
    /// Objects with an `@Inject` that are made in it take from it for good.
    ///
    /// - Parameters:
    ///   - container: the container to use.
    ///   - body: the code.
    public static func withGlobal<Result>(
        _ container: Container, _ body: () throws -> Result
    ) rethrows -> Result {
        try $taskGlobal.withValue(container, operation: body)
    }

    /// Replaces the global container for some code and the child tasks that it starts: for tests that run in parallel.
    ///
    /// Objects with an `@Inject` that are made in it take from it for good.
    ///
    /// - Parameters:
    ///   - container: the container to use.
    ///   - isolation: the actor that the code runs on.
    ///   - body: the code.
    public static func withGlobal<Result>(
        _ container: Container, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $taskGlobal.withValue(container, operation: body, isolation: isolation)
    }
}
