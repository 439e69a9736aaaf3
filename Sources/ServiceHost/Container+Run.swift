public import Container
public import Properties
import PropertyLoadersEssentials
import SharedState

extension Container {
    /// Runs a service in this process, from its start to the exit of the process.
    ///
    ///     await container.run(.standardSources(file: "config.toml", environment: "APP")) { container in
    ///         try await container.require(Server.self).serve()
    ///     }
    ///
    /// The method starts the container as `start(_:unknownKeys:)` does, and runs the body. Meanwhile it reloads the
    /// settings when their files change or the process gets SIGHUP. A refused reload is reported, and the service goes
    /// on. SIGHUP also tries to replace the following services of this container again that could not be replaced.
    ///
    /// At SIGTERM or SIGINT, the phase of the container's `status` is `stopping`. The service goes on for `stopDelay`.
    /// Then the body is cancelled and has `stopTimeout` to end, and the services have `closeTimeout` to be closed. A
    /// start in progress is cancelled at once, and what it has built is closed. If the body returns or throws, the
    /// services are closed too. A second SIGTERM or SIGINT within a second of the first is ignored, because process
    /// managers and terminals often send one stop twice. A later one ends the process within a tenth of a second, and
    /// nothing else is closed.
    ///
    /// | status | when |
    /// |---|---|
    /// | 0 | the service has ended or was stopped, and everything was closed |
    /// | 64 | the command line is wrong |
    /// | 69 | a service could not be built, the start did not end in time, or the body has thrown another error |
    /// | 70 | the body did not end or a service was not closed in time, or its closing failed |
    /// | 74 | the answer to a command or an option could not be written |
    /// | 78 | the error is one of the configuration, also one that the body has thrown |
    /// | 128 + n | a signal with the number n came before the end of an answer, or was a second one that ended the process |
    ///
    /// If several apply, it is the first of 74, 64, 78, 69 and 70. `ConfigurationErrors.exitStatus` says when an unknown key
    /// does not count.
    ///
    /// What `print` writes to a pipe is not kept in memory until 4 KB have come together. The lines of the log are
    /// written by a thread for each stream, so that a reader that stalls does not stop the service. Up to 1,000 lines or
    /// 1,000,000 bytes wait for it. What does not fit is dropped, less urgent lines first, and counted in a line. The
    /// report of a failed start waits in any case. Lines that cannot be written, such as to a full disk, are counted
    /// likewise, and a line that was written in part is not joined with the next one. At its end, the process waits a
    /// second for its log. If it ends by a trap, such as a fatal error of Swift, the lines that wait are lost.
    /// `ServiceSignal.handle()` describes the handling of signals.
    ///
    /// If the variable `NOTIFY_SOCKET` is set, as by systemd for a unit of the type notify, the process manager gets a
    /// message when the service is ready, reloads at SIGHUP, and stops. It also gets the lines of the log about the
    /// start, reloads, failures and the end as the status of the service. A unit of the type notify-reload works, too:
    /// the end of each reload is a message, also of a refused reload.
    ///
    /// The process answers three options: `--help`, or `-h`, lists the declared settings, and `--version` prints the
    /// version. `--check` starts the container, verifies it (`verify()`), prints what the sources set, closes
    /// it and exits with the status that a service would have. It runs no body. With `--json`, the answer is an object
    /// with the problems and the warnings as events. If the first arguments are a command, such as
    /// `settings check` or `services`, the process answers it from the same sources and exits. `--help` lists the
    /// commands. The three options take no value. In other sources, their names are names of settings like any other.
    ///
    /// - Parameters:
    ///   - sources: the sources, which may have to be awaited. The options and the commands that the process answers are
    ///     not properties of them, and neither is the variable of the profile, such as `APP_PROFILE`, unless a setting
    ///     has its name.
    ///   - version: the version of the program.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a service: `.refused` or
    ///     `.ignored`. Nil, the default, refuses them if a key is declared, and ignores them otherwise.
    ///   - startTimeout: how long the start may take, or nil for any time. Then what is still being built is named, the rest
    ///     is closed, and the status is 69.
    ///   - stopDelay: how long the service goes on after a signal, so that load balancers stop sending requests before
    ///     it stops.
    ///   - stopTimeout: how long the body has to end, from its cancellation.
    ///   - closeTimeout: how long the services have to be closed. If, after a signal, the process has not ended a
    ///     second after the three times, because its tasks block their threads, a line says so, and half a second later
    ///     the process is ended.
    ///   - polling: the interval at which the files of the sources are checked, or nil if changes of sources are not
    ///     watched.
    ///   - reloadsAtHangup: whether SIGHUP reloads the settings. Otherwise it has no effect.
    ///   - dumpSignal: the signal at which the service writes its status, the values in force and its outdated services,
    ///     each as one line of JSON, with secrets masked. By default, no signal does.
    ///   - answersCommands: whether the first arguments may be a command. Then an argument that no source reads is refused,
    ///     because it may be a misspelt command or option. Turn it off for a service that has a command line of its own.
    ///   - passthrough: the names of the program's own options and words, without dashes, which are neither refused nor
    ///     properties. Arguments after `--` are never refused.
    ///   - bodyReportsReady: whether the body calls `reportReady()` when the service is ready, such as when it listens
    ///     on its port. By default, the process manager gets the message that it is ready when the start has ended.
    ///   - logFormat: how lines are written to the standard streams, and the variable or the option by which the user
    ///     chooses that.
    ///   - log: gets each line that the method writes: the changes of properties, problems and warnings. It is called on
    ///     a thread of its own, once at a time, and may block it. If it is nil, the default, the changes go to the standard
    ///     output, and everything else to the standard error stream. If `onFailure(_:)` was called, its handler gets the
    ///     errors of services instead.
    ///   - body: the service, which ends when its task is cancelled.
    public func run(
        _ sources: PropertySources, version: String? = nil, unknownKeys: UnknownKeys? = nil,
        startTimeout: Duration? = nil, stopDelay: Duration = .zero, stopTimeout: Duration = defaultCloseTimeout,
        closeTimeout: Duration = defaultCloseTimeout, polling: Duration? = .milliseconds(250),
        reloadsAtHangup: Bool = true, dumpsAt dumpSignal: UserSignal? = nil, answersCommands: Bool = true,
        passthrough: Set<String> = [], bodyReportsReady: Bool = false, logFormat: LogFormat = .style(.text),
        log: (@Sendable (ServiceEvent) -> Void)? = nil,
        body: @escaping @Sendable (Container) async throws -> Void
    ) async -> Never {
        Platform.prepareOutput()
        let run = ProcessRun(
            container: self, sources: sources, arguments: CommandLine.arguments, version: version,
            unknownKeys: unknownKeys,
            times: StopTimes(start: startTimeout, delay: stopDelay, body: stopTimeout, close: closeTimeout),
            polling: polling, reloadsAtHangup: reloadsAtHangup, dumpSignal: dumpSignal,
            answersCommands: answersCommands, passthrough: passthrough, bodyReportsReady: bodyReportsReady,
            logFormat: logFormat, log: log, body: body)
        Platform.end(await run.status().status)
    }

    /// Runs a service as `run` does, and returns the exit status instead of ending the process.
    ///
    ///     let status = await makeContainer().runUntilStopped(
    ///         .standardSources(file: "config.toml", environment: "APP", arguments: ["--check"]), arguments: ["--check"]
    ///     ) { _ in }
    ///     #expect(status == 0)
    ///
    /// It is for tests of a whole service: its start, its answers and its end. When it returns, the container is
    /// closed, and the signals have the handlers that they had before. While it runs, the process is the service's: a
    /// signal to stop that comes more than a second after the first one ends it, and so does a body or a start that
    /// blocks all threads past its times. The cancellation of the task stops the service as a signal does, but without
    /// `stopDelay`. If several of these runs go on at once, only the last one gets the signals.
    ///
    /// - Parameters:
    ///   - sources: the sources, as in `run`. Give those that read arguments the same arguments.
    ///   - arguments: the arguments of the service, without the program's name. By default it has none, because the
    ///     arguments of the process belong to the test runner.
    ///   - version: the version of the program.
    ///   - unknownKeys: what happens to properties that are neither declared nor read by a service.
    ///   - startTimeout: how long the start may take, or nil for any time.
    ///   - stopDelay: how long the service goes on after a signal.
    ///   - stopTimeout: how long the body has to end, from its cancellation.
    ///   - closeTimeout: how long the services have to be closed.
    ///   - polling: the interval at which the files of the sources are checked, or nil if changes are not watched.
    ///   - answersCommands: whether the first arguments may be a command.
    ///   - passthrough: the names of the program's own options and words, without dashes.
    ///   - log: gets each line, as in `run`.
    ///   - body: the service, which ends when its task is cancelled.
    /// - Returns: the status that the process would have, as in the table of `run`.
    public func runUntilStopped(
        _ sources: PropertySources, arguments: [String] = [], version: String? = nil, unknownKeys: UnknownKeys? = nil,
        startTimeout: Duration? = nil, stopDelay: Duration = .zero, stopTimeout: Duration = defaultCloseTimeout,
        closeTimeout: Duration = defaultCloseTimeout, polling: Duration? = .milliseconds(250),
        answersCommands: Bool = true, passthrough: Set<String> = [], log: (@Sendable (ServiceEvent) -> Void)? = nil,
        body: @escaping @Sendable (Container) async throws -> Void
    ) async -> Int32 {
        let program = CommandLine.arguments.first ?? "service"
        let run = ProcessRun(
            container: self, sources: sources, arguments: [program] + arguments, version: version,
            unknownKeys: unknownKeys,
            times: StopTimes(start: startTimeout, delay: stopDelay, body: stopTimeout, close: closeTimeout),
            polling: polling, reloadsAtHangup: true, dumpSignal: nil, answersCommands: answersCommands,
            passthrough: passthrough, bodyReportsReady: false, logFormat: .style(.text), log: log, body: body)
        let (status, endHandling) = await run.status()
        run.isOver.withLock { $0 = true }
        endHandling()
        // An answer without a start leaves the container open.
        await close()
        return status
    }
}

/// One run of a service in this process, or its answer to an option or a command.
private struct ProcessRun {
    let container: Container
    let sources: PropertySources
    /// The program's path and its arguments.
    let arguments: [String]
    let version: String?
    let unknownKeys: UnknownKeys?
    let times: StopTimes
    let polling: Duration?
    let reloadsAtHangup: Bool
    let dumpSignal: UserSignal?
    let answersCommands: Bool
    let passthrough: Set<String>
    let bodyReportsReady: Bool
    let logFormat: LogFormat
    let log: (@Sendable (ServiceEvent) -> Void)?
    let body: @Sendable (Container) async throws -> Void
    /// Whether the process goes on after the run.
    let isOver = Guarded(false)

    /// The end of the process before a start, with a line for the standard error stream, or nil.
    private struct EarlyEnd: Error {
        var text: String?
        let status: Int32
    }

    /// Runs the service, or answers an option or a command.
    ///
    /// - Returns: the exit status, and a function that ends the handling of signals.
    func status() async -> (status: Int32, endHandling: @Sendable () -> Void) {
        do throws(EarlyEnd) {
            return try await statusOfRun()
        } catch {
            if let text = error.text { StandardError.writeLine(text) }
            return (error.status, {})
        }
    }

    private func statusOfRun() async throws(EarlyEnd) -> (status: Int32, endHandling: @Sendable () -> Void) {
        let help = ServiceHelp(sources, options: logFormat.help ?? "", dumpsAt: dumpSignal)
        let arguments = ServiceArguments(
            arguments, container.properties, answersCommands: answersCommands, passthrough: passthrough, logFormat)
        let (options, command) = try answerOptions(arguments, help)
        let sources = arguments.without(command, in: sources)
        let log = ServiceLog(write: log, as: try style())
        let answers = ServiceRun(container, log, times, isOver: isOver, body: body)
        if let command { return (await answers.answer(command, sources.withoutKeeping, unknownKeys), {}) }
        if options.isCheck {
            return (await answers.check(sources.withoutKeeping, unknownKeys, isJSON: options.isJSON), {})
        }
        let manager = ProcessManager.ofThisProcess(log, bodyReportsReady: bodyReportsReady)
        let reported = log.reporting(to: manager)
        let reloading = ServiceReloading(
            container, reported, manager, polling: polling, reloadsAtHangup: reloadsAtHangup)
        let service = ServiceRun(
            container, reported, times, reloading, manager, dumpsAt: dumpSignal, isOver: isOver, body: body)
        let (outcome, endHandling) = await service.run(sources, unknownKeys)
        if arguments.isFirstRefused(by: sources) {
            log.add(arguments.remark)
            await log.drain()
        }
        return (outcome.status, endHandling)
    }

    /// Answers `--help` and `--version`.
    ///
    /// - Returns: the options, and the command, or nil.
    /// - Throws: the end of the process if it has answered, or if the command line is wrong.
    private func answerOptions(
        _ arguments: ServiceArguments, _ help: ServiceHelp
    ) throws(EarlyEnd) -> (ServiceOptions, ServiceCommand?) {
        do {
            let options = try ServiceOptions(self.arguments, hasCommands: arguments.answersCommands)
            if let answer = options.answer(container.properties, version: version, help) {
                try Platform.writeAnswer("\(answer)\n")
                throw EarlyEnd(status: 0)
            }
            let command = try arguments.command()
            try arguments.refuseUnread(by: arguments.without(command, in: sources), command)
            return (options, command)
        } catch let end as EarlyEnd {
            throw end
        } catch let error as UsageError {
            throw EarlyEnd(text: error.text, status: UsageError.status)
        } catch {
            throw EarlyEnd(text: (error as? OutputError)?.text ?? "\(error)", status: OutputError.status)
        }
    }

    /// The style that the user has chosen for the lines.
    private func style() throws(EarlyEnd) -> LogFormat.Style {
        do {
            return try logFormat.style(Array(arguments.dropFirst()), ProcessEnvironment.text)
        } catch let error as UsageError {
            throw EarlyEnd(text: error.text, status: UsageError.status)
        } catch {
            throw EarlyEnd(text: (error as? LogFormat.Mistake)?.text ?? "\(error)", status: LogFormat.Mistake.status)
        }
    }
}

extension PropertySources {
    /// The sources for a check or a command.
    fileprivate var withoutKeeping: PropertySources {
        PropertySources(loaders.map { ($0 as? any KeepingLoader)?.withoutKeeping ?? $0 })
    }
}

extension ServiceRun {
    /// Starts the service, builds also the services that a start does not build, prints the properties, and closes
    /// everything.
    ///
    /// - Returns: the exit status.
    fileprivate func check(
        _ sources: PropertySources, _ unknownKeys: UnknownKeys?, isJSON: Bool
    ) async -> Int32 {
        if isJSON { return await checkAsJSON(sources, unknownKeys) }
        let failure = Guarded<OutputError?>(nil)
        let status = await answering(sources, unknownKeys) { container in
            let unbuilt = try await container.verifyAll()
            // A start writes them, too.
            for warning in container.properties.warnings {
                StandardError.writeLine(ServiceLog.text(of: ServiceEvent(warning)))
            }
            var lines = container.properties.entries.map { "\($0)\n" }.joined()
            for (names, reason) in [
                (unbuilt.ofChildren, "since a child container gives a part of them"),
                (unbuilt.onDemand, "since they are built on demand, or with arguments"),
            ] where !names.isEmpty {
                lines += "Not built, \(reason): \(names.joined(separator: ", "))\n"
            }
            do throws(OutputError) {
                try Platform.writeAnswer(lines + "The configuration is valid, and all services can be built.\n")
            } catch {
                failure.withLock { $0 = error }
            }
        }
        guard let failure = failure.withLock({ $0 }) else { return status }
        StandardError.writeLine(failure.text)
        return OutputError.status
    }

    /// Makes the same check, and prints one JSON object: the problems and the warnings, as events, and the values.
    ///
    /// - Returns: the exit status.
    private func checkAsJSON(_ sources: PropertySources, _ unknownKeys: UnknownKeys?) async -> Int32 {
        let events = Guarded<[ServiceEvent]>([]), unbuilt = Guarded<[String]>([])
        let log = ServiceLog(write: { event in events.withLock { $0.append(event) } })
        // Factories and hooks may print, too, and scripts read the answer.
        let output = Platform.redirectOutput()
        let values = Guarded<String?>(nil)
        let status = await answering(log: log, sources, unknownKeys) { container in
            let (ofChildren, onDemand) = try await container.verifyAll()
            let text = container.properties.allValues.json
            values.withLock { $0 = text }
            unbuilt.withLock { $0 = ofChildren + onDemand }
            for warning in container.properties.warnings { log.add(ServiceEvent(warning)) }
        }
        await log.drain()
        Platform.restoreOutput(output)
        let all = events.withLock { $0 }, found = values.withLock { $0 }
        // A signal came before the check was complete. Without a problem, its answer would look like that of a valid
        // configuration.
        if found == nil, !all.contains(where: { $0.level == .error }) {
            StandardError.writeLine("The check has no answer, because it was ended before it was complete.")
            return status
        }
        func list(_ level: ServiceEvent.Level) -> String {
            JsonText.lines(of: all.filter { $0.level == level }.map(\.json))
        }
        let names = unbuilt.withLock { $0 }.map(JsonString.quoted).joined(separator: ", ")
        do throws(OutputError) {
            try Platform.writeAnswer(
                "{\"problems\": \(list(.error)), \"warnings\": \(list(.warning)), \"notBuilt\": [\(names)], "
                    + "\"values\": \(found ?? "{}")}\n")
            return status
        } catch {
            StandardError.writeLine(error.text)
            return OutputError.status
        }
    }

    /// Answers a command of the command line, such as `settings get`, from the sources.
    ///
    /// - Returns: the exit status.
    fileprivate func answer(
        _ command: ServiceCommand, _ sources: PropertySources, _ unknownKeys: UnknownKeys?
    ) async -> Int32 {
        do throws(OutputError) {
            return try await ServiceAnswer(command: command, unknownKeys: unknownKeys, service: self).print(sources)
        } catch {
            StandardError.writeLine(error.text)
            return OutputError.status
        }
    }
}
