public import Container
public import Properties

extension Container {
    /// Runs a service in this process, from its start to the exit of the process.
    ///
    ///     await container.run(.standardSources(file: "config.toml", environment: "GREETER")) { container in
    ///         try await container.require(Server.self).serve()
    ///     }
    ///
    /// The method starts the container as `start(_:unknownKeys:)` does, and runs the body. Meanwhile it reloads the
    /// settings when their files change or the process gets SIGHUP. A refused reload is reported on the standard error
    /// stream, and the service goes on.
    ///
    /// When the body returns or throws, or at SIGTERM or SIGINT, also during the start, the method cancels the body,
    /// closes the container, and exits. A second SIGTERM or SIGINT ends the process at once.
    ///
    /// | status | when |
    /// |---|---|
    /// | 0 | the service has ended or was stopped, and everything was closed |
    /// | 69 | a service could not be built, or the body has thrown an error |
    /// | 70 | the body did not end or a service was not closed in time, or its closing failed |
    /// | 78 | the error is one of the configuration |
    /// | 128 + n | a second signal with the number n |
    ///
    /// Errors, and at the start warnings, are reported on the standard error stream, those of closing by `onFailure(_:)`
    /// if it was called. Each line that is printed is written at once, also to a pipe. `ServiceSignal.handle()` says what
    /// happens to signals.
    ///
    /// The process answers three options: `--help` lists the declared settings, and `--version` prints the version.
    /// `--check` starts the container, verifies it (`verify()`), prints all properties with their places, closes it and
    /// exits with the status that a service would have. It runs no body.
    ///
    /// - Parameters:
    ///   - sources: the loaders of the sources, of which some may have to be awaited. Write the command line as
    ///     `CommandLinePropertyLoader(passthrough: ["check", "help", "version"])`, as `standardSources` does.
    ///   - version: the version of the program.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a service. By default they are
    ///     refused if a key is declared, and ignored otherwise.
    ///   - stopTimeout: the time that the closing has at most, from the signal or the end of the body. After a signal,
    ///     the body has half of it. A process that has not ended a second later, because its tasks block their threads,
    ///     is ended.
    ///   - onChange: gets the changes of the properties after the start. By default, it prints a line for each.
    ///   - body: the service, which ends when its task is cancelled.
    public func run(
        _ sources: [any AsyncPropertyLoader], version: String? = nil, unknownKeys: UnknownKeys? = nil,
        stopTimeout: Duration = defaultCloseTimeout,
        onChange: @escaping @Sendable ([PropertyChange<PropertyEntry>]) -> Void = { $0.forEach { print($0) } },
        body: @escaping @Sendable (Container) async throws -> Void
    ) async -> Never {
        Platform.bufferLines()
        let options = ServiceOptions(CommandLine.arguments)
        if let answer = options.answer(properties, version: version) {
            print(answer)
            Platform.end(0)
        }
        let check: @Sendable (Container) async throws -> Void = { try await $0.printCheck() }
        let service = ServiceRun(
            container: self, stopTimeout: min(stopTimeout, ServiceRun.longestTimeout),
            onChange: options.isCheck ? nil : onChange, body: options.isCheck ? check : body)
        Platform.end(await service.run(sources, unknownKeys))
    }

    /// Builds also what a start does not build, and prints the properties.
    private func printCheck() async throws {
        try await verify()
        for entry in properties.entries { print(entry) }
        print("The configuration is valid, and all services can be built.")
    }
}
