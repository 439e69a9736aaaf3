import SharedState

extension Container {
    /// Starts a service: loads its sources, checks the declared keys, and builds all services that are in `.container`,
    /// so that one error reports all problems.
    ///
    ///     do {
    ///         try await container.start(sources)
    ///     } catch {
    ///         error.reportAndExit()
    ///     }
    ///
    /// The services of this container and its parents are built and kept. Asynchronous services that do not need each
    /// other are built concurrently. Services with runtime arguments and services that are marked `.onDemand()` are
    /// left out. Unshared services are built only for others. Afterwards, a synchronous resolve also finds the
    /// asynchronous services.
    ///
    /// It is also a problem if a registration has `onClose` in a scope whose instances are not closed, or if a service
    /// keeps a service of a shorter life, or the former instance of a service that follows its settings. `onFailure(_:)`
    /// gets the warnings `.sharedByChildren`, as in `verify()`.
    ///
    /// If a source cannot be loaded or a declared key is wrong, no service is built. If anything fails, this container
    /// is closed: the services that were built are closed in order, and then the properties are restored. No observer
    /// of the properties sees the sources before the start has succeeded.
    ///
    /// A second call waits for the first. If the first call fails, also because its task is cancelled, the second
    /// throws `.closed`. A container whose start has failed cannot be started again: make a new one.
    ///
    /// - Parameters:
    ///   - sources: the sources, in the order of the merge. Those that must be awaited are loaded concurrently, before
    ///     the others.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a service. By default they are
    ///     refused if a key is declared, and ignored otherwise.
    ///   - loadTimeout: the maximum time of each load of a source that must be awaited.
    ///   - closeTimeout: the time for closing the services that were built, if anything fails.
    /// - Throws: all problems.
    nonisolated(nonsending) public func start(
        _ sources: PropertySources = [], unknownKeys: UnknownKeys? = nil,
        loadTimeout: Duration = PropertyStore.defaultLoadTimeout, closeTimeout: Duration = defaultCloseTimeout
    ) async throws(ConfigurationErrors) {
        try await start(sources, unknownKeys, loadTimeout: loadTimeout, closeTimeout: closeTimeout) { _ in }
    }

    /// Starts a service with the sources of an array, as the other `start` does.
    nonisolated(nonsending) public func start(
        _ loaders: [any AsyncPropertyLoader], unknownKeys: UnknownKeys? = nil
    ) async throws(ConfigurationErrors) {
        try await start(PropertySources(loaders), unknownKeys: unknownKeys)
    }

    /// Starts a service as `start` does, calls a closure, and closes the container when the closure returns or throws. For a
    /// test:
    ///
    ///     try await makeContainer().withStart { container in
    ///         let orders = try container.require(Orders.self)
    ///         #expect(orders.isEmpty)
    ///     }
    ///
    /// If the start fails, the closure is not called. The container is closed also if the task is cancelled. `onFailure(_:)`
    /// gets the errors of closing.
    ///
    /// - Parameters:
    ///   - sources: the sources, in the order of the merge.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a service.
    ///   - closeTimeout: the time for closing the services. See `close(timeout:)`.
    ///   - body: uses the container. It is isolated as its caller is.
    /// - Returns: the result of the closure.
    /// - Throws: all problems of the start as `ConfigurationErrors`, or the error of the closure.
    nonisolated(nonsending) public func withStart<Result>(
        _ sources: PropertySources = [], unknownKeys: UnknownKeys? = nil,
        closeTimeout: Duration = defaultCloseTimeout, _ body: (Container) async throws -> sending Result
    ) async throws -> sending Result {
        try await start(sources, unknownKeys: unknownKeys, closeTimeout: closeTimeout)
        do {
            let result = try await body(self)
            await close(timeout: closeTimeout)
            return result
        } catch {
            await close(timeout: closeTimeout)
            throw error
        }
    }

    /// Starts a service as the public method does.
    ///
    /// - Parameters:
    ///   - sources: the sources, in the order of the merge.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a service.
    ///   - loadTimeout: the maximum time of each load of a source that must be awaited.
    ///   - closeTimeout: the time for closing the services that were built, if anything fails.
    ///   - willClose: gets the problems before this container is closed, which may take long.
    /// - Throws: all problems.
    nonisolated(nonsending) package func start(
        _ sources: PropertySources, _ unknownKeys: UnknownKeys?,
        loadTimeout: Duration = PropertyStore.defaultLoadTimeout, closeTimeout: Duration,
        willClose: (ConfigurationErrors) -> Void
    ) async throws(ConfigurationErrors) {
        try checkIsOpen()
        let turn = await beginStart()
        defer { turn.send(()) }
        try checkIsOpen()
        let progress = StartProgress()
        registry.withWrite { $0.life.starting.progress = progress }
        defer { progress.end() }
        var trial: SourceTrial?
        do throws(ConfigurationErrors) {
            let started = try properties.beginTrial(
                await PropertyStore.awaited(sources, timeout: loadTimeout), unknownKeys,
                pending: allRegistrations.isEmpty ? nil : Self.pendingServices)
            trial = started
            progress.endLoading()
            let problems = separated(await buildAll()).problems + lifetimeProblems
            reportSharedByChildren()
            let named = problems.withoutConsequences.map { $0.named(names) }
            if let errors = started.problems(named) { throw errors }
            started.publish()
            begin(.ready)
        } catch {
            registry.withWrite { $0.life.starting.hasFailed = true }
            willClose(error)
            // The hooks still read the properties that the services were built with.
            await close(timeout: closeTimeout)
            trial?.forget()
            throw error
        }
    }

    /// - Throws: `.closed`, unless the container is open.
    func checkIsOpen() throws(ConfigurationErrors) {
        if !isOpen { throw ConfigurationErrors([closed([ServiceKey(Container.self, nil)])]) }
    }

    /// Waits until no other start runs.
    ///
    /// - Returns: the signal to send at the end of this start.
    nonisolated(nonsending) private func beginStart() async -> Signal<Void> {
        let own = Signal<Void>()
        while let other = registry.withWrite({ $0.life.starting.begin(own) }) {
            _ = await other.value()
            registry.withWrite { $0.life.starting.end(other) }
        }
        return own
    }

    /// The services that a start builds after its sources are checked.
    private static let pendingServices = PendingReaders(
        unloadedSource: "Missing keys, unknown keys and services are checked when all sources can be loaded.",
        unknownKeys: "Not every service was built: a key that only those services read is listed as unknown.")

    /// Builds all shared services that `start` builds, and returns the problems.
    nonisolated(nonsending) private func buildAll() async -> [ResolutionError] {
        await build(
            allRegistrations.filter { registration in
                let builder = builder(of: registration)
                return builder.sharedScope == .container && registration.key.hasNoArguments
                    && !builder.options.life.isOnDemand
            })
    }
}

extension RegistrationEntry {
    /// Leaves the service out of `Container.start()` and `verify()`: it is built when it is first resolved.
    @discardableResult
    public func onDemand() -> Self { change { $0.life.isOnDemand = true } }
}

/// The part of a container's state that is about starting.
struct StartingState {
    /// Whether a start has failed, which closes the container.
    var hasFailed = false
    /// Sent at the end of the start in progress, or of the last start. Nil if there was none.
    private var start: Signal<Void>?
    /// The progress of the start in progress, or of the last start.
    var progress: StartProgress?
    var phases = PhaseReaders()

    /// Begins a start, unless another start is in progress.
    ///
    /// - Returns: the signal that the other start sends at its end.
    mutating func begin(_ signal: Signal<Void>) -> Signal<Void>? {
        if let start { return start }
        start = signal
        return nil
    }

    /// Records that a start has ended.
    mutating func end(_ signal: Signal<Void>) { if start === signal { start = nil } }
}
