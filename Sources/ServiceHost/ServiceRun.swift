import Container
import PropertyLoadersEssentials
import SharedState

/// One run of a service, from its start to the end of its closing.
struct ServiceRun: Sendable {
    let container: Container
    private let log: ServiceLog
    private let times: StopTimes
    /// The signal at which the service writes its status, or nil.
    private let dumpSignal: UserSignal?
    /// Nil if the body is the answer to a command or an option.
    private let reloading: ServiceReloading?
    /// Nil if the body is an answer, which a process manager does not need to know of.
    private let manager: ProcessManager?
    private var isAnswering: Bool { reloading == nil }
    private let body: @Sendable (Container) async throws -> Void
    private let stop: SlowStop
    private let events: AsyncStream<Event>
    private let sender: AsyncStream<Event>.Continuation
    /// Whether the process goes on after the run, because its status was returned.
    private let isOver: Guarded<Bool>
    /// Gets the exit status of a start that has failed, or 0.
    private let startStatus = Signal<Int32>()

    /// EX_SOFTWARE of sysexits.h: the body did not end in time, or a service could not be closed.
    static let unclosed: Int32 = 70

    private enum Event: Sendable {
        /// The container has started.
        case started
        /// The start has failed, and the container is being closed.
        case failed
        /// The start has not ended in its time.
        case startLate
        /// A signal has asked the process to stop.
        case stop(isServing: Bool)
        /// The `delay` after a signal is over.
        case delayed
        /// The body has not ended in its time.
        case late
        /// The body has returned or thrown.
        case ended((any Error)?)
    }

    /// The result of the body.
    private struct End {
        var status: Int32 = 0
        /// Whether the body did not end in time.
        var isLate = false
    }

    /// The result of a run.
    struct Outcome {
        /// The status of the problem that has ended the start or the body, or 0.
        let problem: Int32
        /// Whether something did not end in time, or was not closed.
        let isUnclosed: Bool

        /// The exit status of a service.
        var status: Int32 { problem == 0 && isUnclosed ? ServiceRun.unclosed : problem }
    }

    init(
        _ container: Container, _ log: ServiceLog, _ times: StopTimes, _ reloading: ServiceReloading? = nil,
        _ manager: ProcessManager? = nil, dumpsAt signal: UserSignal? = nil, isOver: Guarded<Bool>,
        body: @escaping @Sendable (Container) async throws -> Void
    ) {
        (self.container, self.log, self.times, dumpSignal) = (container, log, times, signal)
        (self.reloading, self.manager) = (reloading, manager)
        (self.isOver, self.body) = (isOver, body)
        stop = SlowStop(container, log)
        (events, sender) = AsyncStream.makeStream()
    }

    /// Runs the start and the end of the service with a body that answers the user.
    ///
    /// - Parameters:
    ///   - log: the log, or nil for the log of the service.
    ///   - sources: the loaders of the sources.
    ///   - unknownKeys: what happens to unknown keys.
    ///   - answer: the body.
    /// - Returns: the exit status of the process. If a signal came before the end of the answer, and no problem was
    ///   found, it is 128 + the number of the signal: the process has not answered.
    func answering(
        log: ServiceLog? = nil, _ sources: PropertySources, _ unknownKeys: UnknownKeys?,
        _ answer: @escaping @Sendable (Container) async throws -> Void
    ) async -> Int32 {
        let isAnswered = Guarded(false)
        // A process that only answers does not serve on after a signal.
        let times = StopTimes(start: times.start, delay: .zero, body: times.body, close: times.close)
        let run = ServiceRun(container, log ?? self.log, times, isOver: isOver) { container in
            try await answer(container)
            isAnswered.withLock { $0 = Platform.stopSignal == nil }
        }
        let (outcome, endHandling) = await run.run(sources, unknownKeys)
        defer { endHandling() }
        if outcome.problem == 0, !isAnswered.withLock({ $0 }), let number = Platform.stopSignal { return 128 + number }
        return outcome.status
    }

    /// Runs the service.
    ///
    /// - Returns: the problem that has ended it, and whether everything was closed, and a function that ends the handling of
    ///   signals.
    func run(
        _ sources: PropertySources, _ unknownKeys: UnknownKeys?
    ) async -> (outcome: Outcome, endHandling: @Sendable () -> Void) {
        if container.failureHandler == nil { container.onFailure { log.add(ServiceEvent($0)) } }
        if !container.properties.hasWrongValueHandler {
            container.properties.onWrongValue { log.add(ServiceEvent(wrong: $0)) }
        }
        let endHandling = Platform.handleSignals(
            dumpsAt: dumpSignal, end: { reportEnd(by: $0) }, { handle(signal: $0) })
        if !Platform.handlesSignals {
            log.add(
                ServiceLine.warning.event(
                    text: "signals are not handled, because too many files are open: each one ends the process at "
                        + "once. Raise the limit (ulimit -n), and restart the service"))
        }
        Replacements(log).watch(container)
        let task = Task { await start(sources, unknownKeys) }
        let end = await end()
        task.cancel()
        return (await close(after: end), endHandling)
    }

    // MARK: - The start

    private func start(_ sources: PropertySources, _ unknownKeys: UnknownKeys?) async {
        let slowStart = SlowStart(container, log)
        slowStart.watch()
        watchStart()
        do throws(ConfigurationErrors) {
            try await container.start(
                sources, unknownKeys, closeTimeout: times.close, willClose: { handle(failureOfStart: $0, sources) })
            slowStart.end(onlyIfSlow: isAnswering)
            startStatus.send(0)
            sender.yield(.started)
        } catch {
            // A container that was closed before is not closed again.
            if startStatus.sent == nil { handle(failureOfStart: error, sources) }
        }
    }

    /// Ends a start that does not end in its time. It uses no task, because the factories may block all threads of tasks.
    private func watchStart() {
        guard let time = times.start else { return }
        Platform.run(after: time) {
            guard stop.beginAtStartDeadline() else { return }
            container.begin(.stopping)
            let building = (container.startStatus?.building ?? []).map(\.service)
            let isLoaded = container.startStatus?.isLoaded == true
            let open = isLoaded ? building.joined(separator: ", ") : "loading the sources"
            log.add(ServiceLine.startLate.event("\(time)", open.isEmpty ? nil : open))
            let report = ServiceLine.processLate.event("\(times.close)", "the deadline of its start")
            Platform.end(
                ConfigurationErrors.unavailableStatus, after: times.close + .seconds(1),
                unless: { [isOver] in isOver.withLock { $0 } }
            ) {
                log.addLast(report, waiting: .milliseconds(40))
            }
            sender.yield(.startLate)
        }
    }

    private func handle(failureOfStart error: ConfigurationErrors, _ sources: PropertySources) {
        stop.begin(.closing)
        // After a signal, the start is cancelled, and that is not a problem.
        let error = Task.isCancelled ? error.withoutCancellations : error
        startStatus.send(error.map { report(.invalid, $0.naming(sources)) } ?? 0)
        // The report is written before the hooks of the closing print anything.
        log.waitUntilWritten()
        sender.yield(.failed)
    }

    // MARK: - The body

    /// Runs the body after the start, and returns when the container must be closed.
    ///
    /// The body begins only here, so that it never begins after a signal.
    private func end() async -> End {
        // The body and the reloads.
        var tasks: [Task<Void, Never>] = []
        defer { for task in tasks { task.cancel() } }
        for await event in events {
            switch event {
            case .started where stop.begin(.serving):
                manager?.reportStarted()
                tasks = (reloading?.start() ?? []) + [Task { await runBody() }]
            case .started: break  // A signal has come before the end of the start. Its event follows.
            case .stop(isServing: true): Deadline(after: times.delay).whenReached { sender.yield(.delayed) }
            case .delayed:
                for task in tasks { task.cancel() }
                stop.begin(.body)
                Deadline(after: times.body).whenReached { sender.yield(.late) }
            case .late:
                log.add(ServiceLine.bodyLate.event("\(times.body)"))
                return End(isLate: true)
            case .ended(let error?):
                let error = stop.hasBegun ? error.withoutCancellation : error
                return End(status: error.map { report(isAnswering ? .invalid : .ended, $0) } ?? 0)
            case .ended(nil):
                await reportOwnEnd()
                return End()
            case .startLate: return End(status: ConfigurationErrors.unavailableStatus)
            case .failed, .stop: return End()
            }
        }
        return End()
    }

    /// Writes that the body has returned without a signal, before the hooks of the closing print anything.
    private func reportOwnEnd() async {
        if Platform.stopSignal != nil || isAnswering { return }
        log.add(ServiceLine.endedByItself.event())
        await log.drain()
    }

    /// Runs the body when the lines of the start are written, so that they come before those of the body.
    private func runBody() async {
        await log.drain()
        sender.yield(.ended(await bodyError()))
    }

    private func bodyError() async -> (any Error)? {
        do {
            try await body(container)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - The stop

    /// Begins to stop, or to reload. It runs on the thread of the signals, so it must not block.
    private func handle(signal number: CInt) {
        switch ServiceSignal(number) {
        case .reload: reloading?.handleHangup()
        case .dump:
            // On a thread of its own, so that it also answers when the service hangs.
            Platform.run(after: .zero) { for event in ServiceDump.events(of: container) { log.add(event) } }
        default:
            container.begin(.stopping)
            manager?.reportStopping()
            let report = ServiceLine.processLate.event("\(times.total)", "the signal")
            Platform.end(
                Self.unclosed, after: times.total + .seconds(1), unless: { [isOver] in isOver.withLock { $0 } }
            ) {
                log.addLast(report, waiting: .milliseconds(40))
            }
            let isServing = stop.beginAtSignal()
            let delay = isServing && times.delay > .zero ? "\(times.delay)" : nil
            log.add(ServiceLine.stopping.event(Platform.name(number), delay))
            sender.yield(.stop(isServing: isServing))
        }
    }

    /// Writes what is still open when another signal ends the process.
    private func reportEnd(by number: CInt) {
        let building = (container.startStatus?.building ?? []).map(\.service)
        let open = stop.delay ?? (building.isEmpty ? nil : building.joined(separator: ", "))
        log.addLast(
            ServiceLine.secondSignal.event(Platform.name(number), open), waiting: .milliseconds(40))
    }

    /// Closes the services.
    private func close(after end: End) async -> Outcome {
        stop.begin(.closing)
        manager?.reportStopping()
        let deadline = Deadline(after: times.close)
        let errors = await container.close(timeout: times.close)
        // A start that was stopped while it loaded its sources has nothing to report.
        let isLoaded = container.startStatus?.isLoaded == true
        let startStatus = isLoaded ? await startStatus.value(before: deadline) : startStatus.sent
        deadline.cancel()
        let late = errors.filter { $0.reason == .closeFailed && $0.cause == nil }
        // A construction and the closing of the former instance may both be late.
        let names = late.map { ($0.isFormer ? "the former " : "") + $0.path.joined(separator: " → ") }
        let distinct = names.indices.filter { !names[..<$0].contains(names[$0]) }.map { names[$0] }
        let parts = (end.isLate ? ["the body"] : []) + distinct
        if !parts.isEmpty {
            let count = parts.count == 1 ? "1 part" : "\(parts.count) parts"
            log.add(ServiceLine.partsLate.event(count, parts.joined(separator: ", ")))
        }
        stop.end()
        await log.drain()
        return Outcome(
            problem: end.status == 0 ? startStatus ?? 0 : end.status, isUnclosed: end.isLate || !errors.isEmpty)
    }

    /// Reports an error that ends the service, and returns the exit status.
    private func report(_ line: ServiceLine, _ error: any Error) -> Int32 {
        let report = ConfigurationErrors([error])
        if report.problems.allSatisfy({ !$0.place.isEmpty }) {
            log.add(line, report, isKept: true)
        } else {
            // The description of an error may be only the name of an enum's case, so the type is written, too.
            log.add(ServiceLine.ended.event("\(type(of: error))", "\(error)"), isKept: true)
        }
        return report.exitStatus
    }
}

/// The times that a service has for its start, and after a signal, one after another.
struct StopTimes: Sendable {
    /// How long the start may take, or nil.
    let start: Duration?
    /// How long it goes on after the signal.
    let delay: Duration
    /// How long the body may take to end after its cancellation.
    let body: Duration
    /// How long the closing of the services may take.
    let close: Duration
    /// The sum of the three.
    let total: Duration

    init(start: Duration?, delay: Duration, body: Duration, close: Duration) {
        (self.delay, self.body, self.close) = (delay.bounded, body.bounded, close.bounded)
        self.start = start?.bounded
        total = self.delay + self.body + self.close
    }
}

extension Error {
    /// Whether a body throws this error because its task was cancelled.
    fileprivate var isCancellation: Bool {
        self is CancellationError || (self as? ResolutionError)?.reason == .cancelled
    }

    /// The error that a body has thrown after its cancellation, or nil if it is only the cancellation.
    fileprivate var withoutCancellation: (any Error)? {
        if let report = self as? ConfigurationErrors { return report.withoutCancellations }
        return isCancellation ? nil : self
    }
}

extension ConfigurationErrors {
    /// Returns the report with the paths that the user has chosen, if a problem may be one of a source.
    func naming(_ sources: PropertySources) -> ConfigurationErrors {
        let choices = sources.choices
        return choices.isEmpty || exitStatus == 69 ? self : adding(choices.joined(separator: " "))
    }

    /// The problems of a cancelled start that its cancellation has not caused, or nil if there are none.
    fileprivate var withoutCancellations: ConfigurationErrors? {
        func isCancellation(_ error: any Error) -> Bool {
            error.isCancellation || (error as? ResolutionError)?.reason == .closed
        }
        if !problems.contains(where: { isCancellation($0.error) }) { return self }
        // A service that was not built may read the unknown keys.
        let failures = problems.compactMap { $0.error as? ResolutionError }.filter { !isCancellation($0) }
        return failures.isEmpty ? nil : ConfigurationErrors(failures)
    }
}
