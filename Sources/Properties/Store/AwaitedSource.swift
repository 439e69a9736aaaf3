import SharedState

/// A source that must be awaited, as a synchronous loader that returns the last awaited layer.
///
/// A store therefore treats it as any other source, and a synchronous reload keeps its layer.
package final class AwaitedSource: PropertyLoader {
    package let base: any AsyncPropertyLoader
    /// The maximum time of a load.
    private let timeout: Duration
    private let state: Guarded<State>

    private struct State {
        /// The last layer, or the error of the first load.
        var last: Result<PropertyLayer, any Error>
        /// The time at which the source was last read, or nil if it never was.
        var read: ContinuousClock.Instant?
        var failure: StoreStatus.Failure?

        mutating func note(_ error: any Error, _ source: String) {
            let report = ConfigurationErrors([LoaderFailure.located(error, source)])
            failure = StoreStatus.Failure(error: report, since: failure?.since ?? .now)
        }

        mutating func note(_ result: Result<PropertyLayer, any Error>, _ source: String) {
            switch result {
            case .success(let layer):
                last = result
                if let outage = layer.outage { return note(outage, source) }
                (read, failure) = (.now, nil)
            case .failure(let error): note(error, source)
            }
        }
    }

    /// Loads a source for the first time.
    init(_ base: any AsyncPropertyLoader, timeout: Duration) async {
        self.base = base
        self.timeout = timeout
        let result = await base.layer(within: timeout)
        var state = State(last: result)
        state.note(result, base.typeName)
        self.state = Guarded(state)
    }

    /// Returns the last layer, or throws the error of the first load.
    package func load() throws -> PropertyLayer { try state.withLock { $0.last }.get() }

    /// Loads the source again. If that fails, the last layer stays.
    package func loadAgain() async throws {
        let result = await base.layer(within: timeout)
        if case .failure(let error) = result { throw error }
        state.withLock { $0.note(result, base.typeName) }
    }

    /// Records that the source could not be read, or that its changes have ended with an error.
    package func note(_ error: any Error) { state.withLock { $0.note(error, base.typeName) } }

    /// The last time at which the store had the values of the source, and the failure since then.
    var freshness: (confirmed: ContinuousClock.Instant?, failure: StoreStatus.Failure?) {
        let (read, failure) = state.withLock { ($0.read, $0.failure) }
        return (read.flatMap { max($0, base.confirmed ?? $0) } ?? base.confirmed, failure)
    }

    /// Returns the report of an error of this source.
    package func report(_ error: any Error) -> ConfigurationErrors {
        ConfigurationErrors([LoaderFailure.located(error, base.typeName)])
    }
}
