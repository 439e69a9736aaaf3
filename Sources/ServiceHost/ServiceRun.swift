import Container
import PropertyLoadersEssentials
import SharedState

/// The run of a service, from its start to the end of its closing.
struct ServiceRun: Sendable {
    let container: Container
    let log: ServiceLog
    let times: StopTimes
    /// Nil if the settings are not reloaded.
    let reloading: ServiceReloading?
    let body: @Sendable (Container) async throws -> Void

    /// EX_SOFTWARE of sysexits.h: the body did not end in time, or a service could not be closed.
    static let unclosed: Int32 = 70

    private enum Event: Sendable {
        /// SIGHUP.
        case hangup
        /// A signal has asked the process to stop.
        case stop(isServing: Bool)
        /// The container has started.
        case started
        /// The start has failed, and the container is being closed.
        case failed
        /// The body has returned or thrown.
        case ended((any Error)?)
        /// The `delay` after a signal is over.
        case delayed
        /// The body has not ended in its time.
        case late
    }

    /// The result of everything but the closing.
    private struct End {
        var status: Int32 = 0
        /// The parts of the service that did not end in time, for the last line of the log.
        var cut: [String] = []
    }

    /// Returns a run with another body, and without reloads.
    func with(
        log: ServiceLog? = nil, _ body: @escaping @Sendable (Container) async throws -> Void
    ) -> ServiceRun {
        ServiceRun(container: container, log: log ?? self.log, times: times, reloading: nil, body: body)
    }

    /// Runs the service.
    ///
    /// - Returns: the exit status of the process.
    func run(_ sources: [any AsyncPropertyLoader], _ unknownKeys: UnknownKeys?) async -> Int32 {
        if container.failureHandler == nil { container.onFailure { log.add(ServiceEvent($0)) } }
        let (events, sender) = AsyncStream.makeStream(of: Event.self)
        let slowStop = SlowStop(container, log)
        Platform.handleSignals { handle($0, sender, slowStop) }
        SlowReplacement(log).watch(container)
        let start = start(sources, unknownKeys, sender, slowStop)
        var end = await end(of: start.task, events, sender, slowStop)
        slowStop.begin(.closing)
        let deadline = Deadline(after: times.close)
        let errors = await container.close(timeout: times.close)
        // A start that was stopped while it loaded its sources has nothing to report.
        let isLoaded = container.startStatus?.isLoaded == true
        let startStatus = isLoaded ? await start.status.value(before: deadline) : start.status.sent
        deadline.cancel()
        if end.status == 0 { end.status = startStatus ?? 0 }
        end.cut += errors.filter { $0.reason == .closeFailed && $0.cause == nil }.map {
            $0.path.joined(separator: " → ")
        }
        if !end.cut.isEmpty {
            let count = end.cut.count == 1 ? "1 part" : "\(end.cut.count) parts"
            log.enqueue(ServiceLine.partsLate.event(count, end.cut.joined(separator: ", ")))
        }
        slowStop.end()
        await log.drain()
        return end.status == 0 && !errors.isEmpty ? Self.unclosed : end.status
    }

    /// Starts the container in a task.
    ///
    /// - Returns: the task, and the exit status, which is not 0 if the start has failed.
    private func start(
        _ sources: [any AsyncPropertyLoader], _ unknownKeys: UnknownKeys?,
        _ sender: AsyncStream<Event>.Continuation, _ slowStop: SlowStop
    ) -> (task: Task<Void, Never>, status: Signal<Int32>) {
        let slowStart = SlowStart(container, log)
        slowStart.watch()
        let status = Signal<Int32>()
        @Sendable func fail(_ error: ConfigurationErrors) {
            slowStop.begin(.closing)
            // After a signal, the start is cancelled, and that is not a problem.
            let error = Task.isCancelled ? error.withoutCancellations : error
            status.send(error.map { report(.invalid, $0) } ?? 0)
            sender.yield(.failed)
        }
        let task = Task {
            do throws(ConfigurationErrors) {
                try await container.start(sources, unknownKeys, closeTimeout: times.close, willClose: fail)
                slowStart.end()
                status.send(0)
                sender.yield(.started)
            } catch {
                // A container that was closed before is not closed again.
                if status.sent == nil { fail(error) }
            }
        }
        return (task, status)
    }

    /// Passes a signal on, and begins to stop. It runs on the thread of the signals, so it must not block.
    private func handle(_ number: CInt, _ sender: AsyncStream<Event>.Continuation, _ slowStop: SlowStop) {
        switch ServiceSignal(number) {
        case .reload:
            if container.phase == .stopping {
                if reloading != nil { log.enqueue(ServiceLine.stoppingHangup.event()) }
            } else {
                sender.yield(.hangup)
            }
        case .stop:
            container.begin(.stopping)
            let report = ServiceLine.processLate.event("\(times.total)")
            Platform.end(Self.unclosed, after: times.total + .seconds(1)) { log.add(report) }
            let isServing = slowStop.beginAtSignal()
            let delay = isServing && times.delay > .zero ? "\(times.delay)" : nil
            log.enqueue(ServiceLine.stopping.event(Platform.name(number), delay))
            sender.yield(.stop(isServing: isServing))
        }
    }

    /// Handles events until the container must be closed.
    private func end(
        of start: Task<Void, Never>, _ events: AsyncStream<Event>, _ sender: AsyncStream<Event>.Continuation,
        _ slowStop: SlowStop
    ) async -> End {
        var end = End()
        var isReloadRequested = false
        // Runs the body and the reloads after the start. The body begins only here, so that it never begins after a
        // signal.
        var tasks: [Task<Void, Never>] = []
        func send(_ event: Event, after time: Duration) {
            Task {
                try? await Task.sleep(for: time)
                sender.yield(event)
            }
        }
        loop: for await event in events {
            switch event {
            case .started where slowStop.begin(.serving):
                tasks = (reloading?.start(isReloadRequested) ?? []) + [Task { sender.yield(.ended(await bodyError())) }]
            // A signal has come before. Its event follows.
            case .started: break
            case .hangup:
                if tasks.isEmpty { isReloadRequested = true } else { reloading?.reloadAtHangup() }
            case .stop(isServing: true): send(.delayed, after: times.delay)
            case .stop:
                start.cancel()
                break loop
            case .delayed:
                for task in tasks { task.cancel() }
                slowStop.begin(.body)
                send(.late, after: times.body)
            case .late:
                end = End(status: Self.unclosed, cut: ["the body"])
                log.enqueue(ServiceLine.bodyLate.event("\(times.body)"))
                break loop
            case .failed: break loop
            case .ended(let error?) where !slowStop.hasBegun || !error.isCancellation:
                end.status = report(.ended, error)
                break loop
            case .ended: break loop
            }
        }
        for task in tasks { task.cancel() }
        return end
    }

    private func bodyError() async -> (any Error)? {
        do {
            try await body(container)
            return nil
        } catch {
            return error
        }
    }

    /// Reports an error that ends the service, and returns the exit status.
    private func report(_ line: ServiceLine, _ error: any Error) -> Int32 {
        let report = ConfigurationErrors([error])
        if report.problems.allSatisfy({ !$0.place.isEmpty }) {
            log.add(line, report)
        } else {
            // The description of an error may be only the name of an enum's case, so the type is written, too.
            log.add(ServiceLine.ended.event("\(type(of: error))", "\(error)"))
        }
        return report.exitStatus
    }
}

/// The times that a service has after a signal, one after another.
struct StopTimes: Sendable {
    /// How long it goes on after the signal.
    let delay: Duration
    /// How long the body has to end after its cancellation.
    let body: Duration
    /// How long its services have to be closed.
    let close: Duration
    /// The sum of the three.
    let total: Duration

    /// The longest time until a deadline, so that no sum overflows.
    private static let longest = Duration.seconds(1_000_000_000)

    init(delay: Duration, body: Duration, close: Duration) {
        func bounded(_ time: Duration) -> Duration { max(.zero, min(time, Self.longest)) }
        (self.delay, self.body, self.close) = (bounded(delay), bounded(body), bounded(close))
        total = self.delay + self.body + self.close
    }
}

extension Error {
    /// Whether a body throws this error because its task was cancelled.
    fileprivate var isCancellation: Bool {
        self is CancellationError || (self as? ResolutionError)?.reason == .cancelled
    }
}

extension ConfigurationErrors {
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
