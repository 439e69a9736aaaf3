import Container
import PropertyLoadersEssentials
import SharedState

/// The run of a service, from its start to the end of its closing.
struct ServiceRun: Sendable {
    let container: Container
    /// The time from a signal to the end of the process, at most. The body has half of it.
    let stopTimeout: Duration
    /// Nil if the settings are not reloaded.
    let onChange: (@Sendable ([PropertyChange<PropertyEntry>]) -> Void)?
    let body: @Sendable (Container) async throws -> Void

    /// The longest time until a deadline, so that no sum overflows.
    static let longestTimeout = Duration.seconds(1_000_000_000)
    /// EX_SOFTWARE of sysexits.h: the service could not be stopped or closed as it should.
    private static let unclosed: Int32 = 70

    private enum Event: Sendable {
        case signal(ServiceSignal)
        /// The container has started.
        case started
        /// The start has failed, or the body has returned or thrown.
        case ended((any Error)?)
        /// The body has not ended in its time.
        case late
    }

    /// The result of everything but the closing.
    private struct End {
        var status: Int32 = 0
        /// The time at which the process must end, if a signal has stopped it.
        var deadline: ContinuousClock.Instant?
    }

    /// Runs the service.
    ///
    /// - Returns: the exit status of the process.
    func run(_ sources: [any PropertyLoader], _ unknownKeys: UnknownKeys?) async -> Int32 {
        if container.failureHandler == nil { container.onFailure { StandardError.writeLine("\($0)") } }
        let (events, sender) = AsyncStream.makeStream(of: Event.self)
        Platform.handleSignals { signal in
            sender.yield(.signal(signal))
            guard signal == .stop else { return }
            Platform.end(
                Self.unclosed, after: stopTimeout + .seconds(1),
                report: "the process did not end within \(stopTimeout) of the signal")
        }
        let start = Task {
            let event = await outcome(.started) { try await container.start(sources, unknownKeys: unknownKeys) }
            sender.yield(event)
        }
        let end = await end(of: start, events, sender)
        // In tenths of a second, because messages contain it.
        let tenths = (end.deadline.map { $0 - .now } ?? stopTimeout) / .milliseconds(100)
        let errors = await container.close(timeout: .milliseconds(100) * Int(tenths.rounded(.up)))
        return end.status == 0 && !errors.isEmpty ? Self.unclosed : end.status
    }

    /// Handles events until the container must be closed.
    private func end(
        of start: Task<Void, Never>, _ events: AsyncStream<Event>, _ sender: AsyncStream<Event>.Continuation
    ) async -> End {
        var end = End()
        // What runs after the start. The body begins only here, so that none begins after a signal.
        var tasks: [Task<Void, Never>] = []
        loop: for await event in events {
            switch event {
            case .started:
                for warning in container.properties.warnings { StandardError.writeLine("warning: \(warning)") }
                let run = Task { _ = sender.yield(await outcome(.ended(nil)) { try await body(container) }) }
                tasks = startReloading() + [run]
            case .signal(.reload):
                // During a start, nothing is lost: the watcher begins with a reload.
                if !tasks.isEmpty { Task { reload() } }
            case .signal(.stop):
                end.deadline = .now + stopTimeout
                if tasks.isEmpty { break loop }
                for task in tasks { task.cancel() }
                Task {
                    try? await Task.sleep(for: stopTimeout / 2)
                    sender.yield(.late)
                }
            case .late:
                end.status = Self.unclosed
                StandardError.writeLine(
                    "the service did not end within \(stopTimeout / 2) of the signal. Let it end when its task is "
                        + "cancelled, or give run(stopTimeout:) more time")
                break loop
            case .ended(let error?) where end.deadline == nil || !error.isCancellation:
                let report = ConfigurationErrors([error])
                StandardError.writeLine("\(report)")
                end.status = report.exitStatus
                break loop
            case .ended: break loop
            }
        }
        for task in tasks + [start] { task.cancel() }
        return end
    }

    /// Runs a phase, and returns an event: the given one, or the error.
    private func outcome(_ success: Event, after phase: () async throws -> Void) async -> Event {
        do {
            try await phase()
            return success
        } catch {
            return .ended(error)
        }
    }
}

// MARK: - Reloading

extension ServiceRun {
    /// Reloads the settings when their files change, and reports the changes.
    private func startReloading() -> [Task<Void, Never>] {
        guard let onChange else { return [] }
        let changes = container.changes()
        let watcher = PropertyWatcher(container, onFailure: Self.refuse)
        return [
            Task { try? await watcher.run() },
            Task { for await set in changes { onChange(set) } },
        ]
    }

    private func reload() {
        do throws(ConfigurationErrors) { try container.properties.reload() } catch { Self.refuse(error) }
    }

    @Sendable private static func refuse(_ error: ConfigurationErrors) {
        StandardError.writeLine("not reloaded: \(error)")
    }
}

extension Error {
    /// Whether a body throws this error because its task was cancelled.
    fileprivate var isCancellation: Bool {
        self is CancellationError || (self as? ResolutionError)?.reason == .cancelled
    }
}
