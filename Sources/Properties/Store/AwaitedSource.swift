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
    }

    /// Loads a source for the first time.
    init(_ base: any AsyncPropertyLoader, timeout: Duration) async {
        (self.base, self.timeout) = (base, timeout)
        let result = await base.layer(within: timeout)
        state = Guarded(State(last: result))
        switch result {
        case .success(let layer): note(layer, layer.outage)
        case .failure(let error): note(nil, error)
        }
    }

    /// Returns the last layer, or throws the error of the first load.
    package func load() throws -> PropertyLayer { try state.withLock { $0.last }.get() }

    /// Loads the source again. If that fails, the last layer stays.
    package func loadAgain() async throws {
        let layer = try await base.layer(within: timeout).get()
        note(layer, layer.outage)
    }

    /// Records that the source could not be read, or that its changes have ended with an error.
    package func note(_ error: any Error) { note(nil, error) }

    /// Records a layer, if there is one, and the reason why the source could not be read, if it could not.
    private func note(_ layer: PropertyLayer?, _ error: (any Error)?) {
        // Made before the lock is taken, because the `description` of an error is user code.
        let report = error.map { self.report($0) }
        // The old state is released after unlocking: see `Lock`.
        let former = state.withLock { state in
            let former = state
            if let layer { state.last = .success(layer) }
            if report == nil { state.read = .now }
            state.failure = report.map { StoreStatus.Failure(error: $0, since: former.failure?.since ?? .now) }
            return former
        }
        withExtendedLifetime(former) {}
    }

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
