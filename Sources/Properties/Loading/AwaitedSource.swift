import SharedState

/// A source that must be awaited, as a synchronous loader that returns the last awaited layer.
///
/// A store therefore treats it as any other source, and a synchronous reload keeps its layer.
package final class AwaitedSource: PropertyLoader {
    package let base: any AsyncPropertyLoader
    /// The maximum time of a load.
    private let timeout: Duration
    /// The last layer, or the error of the first load.
    private let last: Guarded<Result<PropertyLayer, any Error>>

    /// Loads a source for the first time.
    init(_ base: any AsyncPropertyLoader, timeout: Duration) async {
        self.base = base
        self.timeout = timeout
        last = Guarded(await base.layer(within: timeout))
    }

    /// Returns the last layer, or throws the error of the first load.
    package func load() throws -> PropertyLayer { try last.withLock { $0 }.get() }

    /// Loads the source again. If that fails, the last layer stays.
    package func loadAgain() async throws {
        let result = await base.layer(within: timeout)
        if case .failure(let error) = result { throw error }
        last.withLock { $0 = result }
    }

    /// Returns the report of an error of this source.
    package func report(_ error: any Error) -> ConfigurationErrors {
        ConfigurationErrors([LoaderFailure.located(error, base.typeName)])
    }
}
