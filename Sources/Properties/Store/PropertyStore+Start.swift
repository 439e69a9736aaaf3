extension PropertyStore {
    /// Loads the sources of a service and checks everything, so that one error reports all problems.
    ///
    ///     do {
    ///         try store.applyAndVerify(sources, unknownKeys: .refused)
    ///     } catch {
    ///         error.reportAndExit()
    ///     }
    ///
    /// It is the same as `apply` and then `verify`, but it does not stop at the first problem. `Container` has a method
    /// of the same name, which also verifies the registrations.
    ///
    /// If a source cannot be loaded, the report contains the errors of all sources that cannot be loaded and the wrong
    /// values of the others. Missing keys, unknown keys and the function are not checked then: their problems may be
    /// consequences, and the function must not run with a part of the values.
    ///
    /// - Parameters:
    ///   - loaders: the loaders of the sources, in the order in which they are merged.
    ///   - unknownKeys: what happens to properties that are neither read nor declared.
    ///   - body: reads what the service reads. It sees the new values, which are taken back if there is a problem.
    /// - Throws: all problems. The store does not change.
    public func applyAndVerify(
        _ loaders: [any PropertyLoader], unknownKeys: UnknownKeys = .ignored, reads body: () throws -> Void = {}
    ) throws(ConfigurationErrors) {
        let loaded = LoadedSources(loaders, for: state)
        guard loaded.failures.isEmpty else { throw problems(loaded) }
        var former: [AppliedSource] = []
        do throws(PropertyLoadError) {
            _ = try changeLayers { state in
                former = state.sources
                state.apply(loaded.sources)
                return true
            }
        } catch {
            throw ConfigurationErrors([error])
        }
        guard let errors = verifyAll(unknownKeys, reads: body) else { return }
        change { $0.restore(former, inPlaceOf: loaded.sources) }
        throw errors
    }

    /// Returns the report of sources of which some cannot be loaded.
    private func problems(_ loaded: LoadedSources) -> ConfigurationErrors {
        var state = state
        state.apply(loaded.sources)
        let partial = MergedState(state, above: parent?.current)
        // A property of a source that cannot be loaded is missing, and so is one that a placeholder refers to.
        let problems = partial.problems(ownChecks, [], .ignored)
            .filter { $0.reason != .missing && $0.cause?.reason != .unresolved }
        return ConfigurationErrors(loaded.failures + problems, .unloadedSource)
    }
}

extension StoreState {
    /// Takes back the application of sources. Other sources that were applied meanwhile stay.
    fileprivate mutating func restore(_ former: [AppliedSource], inPlaceOf applied: [AppliedSource]) {
        let known = Set((former + applied).map(\.number))
        sources = former + sources.filter { !known.contains($0.number) }
    }
}
