import Container
import SharedState

/// The phase of a run. Writes which part of the service a slow stop waits for: after an interval, and whenever the time
/// since the stop has doubled.
struct SlowStop: Sendable {
    /// A phase of a run. The phases follow each other in the order of the cases.
    enum Phase: Int, Sendable {
        case starting
        /// The body runs.
        case serving
        /// The body still runs after a signal, during `stopDelay`.
        case delay
        /// The body was cancelled, and has not ended.
        case body
        /// The services are closed one after another.
        case closing
        case ended

        fileprivate func isBefore(_ other: Phase) -> Bool { rawValue < other.rawValue }
    }

    private let container: Container
    private let log: ServiceLog
    private let interval = SlowStart.interval
    private let state = Guarded((phase: Phase.starting, since: ContinuousClock.now))

    init(_ container: Container, _ log: ServiceLog) { (self.container, self.log) = (container, log) }

    /// Begins a phase, unless it or a later one has begun.
    ///
    /// - Returns: whether it has begun now.
    @discardableResult
    func begin(_ phase: Phase) -> Bool { begin { _ in phase } == phase }

    /// Begins the stop that a signal asks for.
    ///
    /// - Returns: whether the body runs, so that the service goes on for the delay.
    func beginAtSignal() -> Bool { begin { $0 == .serving ? .delay : .closing } == .delay }

    /// Begins the closing at the deadline of the start.
    ///
    /// - Returns: whether the start has not ended, and no signal has come.
    func beginAtStartDeadline() -> Bool { begin { $0 == .starting ? .closing : $0 } != nil }

    /// Begins the phase that a function returns for the current one, unless a later one has begun.
    ///
    /// - Returns: the phase, or nil if it has not begun now.
    private func begin(_ next: (Phase) -> Phase) -> Phase? {
        let (former, phase) = state.withLock { state in
            let (former, phase) = (state.phase, next(state.phase))
            if former.isBefore(phase) { state = (phase, .now) }
            return (former, phase)
        }
        if former.isBefore(.delay), Phase.serving.isBefore(phase), phase != .ended {
            write(after: interval, next: interval)
        }
        return former.isBefore(phase) ? phase : nil
    }

    /// Whether a signal has arrived, or the closing has begun.
    var hasBegun: Bool { Phase.serving.isBefore(state.withLock { $0.phase }) }

    func end() { begin(.ended) }

    /// Uses no task, because the tasks of the service may block all threads.
    private func write(after time: Duration, next: Duration) {
        Platform.run(after: time) {
            let (phase, since) = state.withLock { $0 }
            if phase == .ended { return }
            if let event = event(phase, since) { log.add(event) }
            write(after: next, next: next * 2)
        }
    }

    private func event(_ phase: Phase, _ since: ContinuousClock.Instant) -> ServiceEvent? {
        guard phase == .body || phase == .closing, let delay = delay(in: phase) else { return nil }
        return ServiceLine.stillStopping.event(
            delay.text, (ContinuousClock.now - (delay.since ?? since)).inSeconds,
            fields: delay.service.map { ["service": $0] } ?? [:])
    }

    /// What the end of the process waits for, or nil if it waits for nothing known.
    var delay: String? { delay(in: state.withLock { $0.phase })?.text }

    private func delay(in phase: Phase) -> (text: String, service: String?, since: ContinuousClock.Instant?)? {
        switch phase {
        case .serving, .delay, .body: return ("the service itself", nil, nil)
        case .closing:
            return container.closingNow.map { wait in
                let part = wait.isConstruction ? "building" : wait.isFormer ? "closing the former" : "closing"
                return ("\(part) \(wait.service)", wait.service, wait.since)
            }
        case .starting, .ended: return nil
        }
    }
}
