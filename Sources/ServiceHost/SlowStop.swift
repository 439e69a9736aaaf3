import Container
import SharedState

/// Writes which part of the service a slow stop waits for: after an interval, and whenever the time since the signal
/// has doubled.
struct SlowStop: Sendable {
    /// A part of the stop.
    enum Phase: Sendable {
        /// The service still serves, during `stopDelay`.
        case delay
        /// The body was cancelled, and has not ended.
        case body
        /// The services are closed one after another.
        case closing
        case ended
    }

    private let container: Container
    private let log: ServiceLog
    private let interval = SlowStart.interval
    private let state = Guarded((phase: Phase?.none, since: ContinuousClock.now))

    init(_ container: Container, _ log: ServiceLog) { (self.container, self.log) = (container, log) }

    /// Begins a part. The first part begins with the signal.
    func begin(_ phase: Phase) {
        let isFirst = state.withLock { state in
            defer { state = (phase, .now) }
            return state.phase == nil
        }
        if isFirst, phase != .ended { write(after: interval, next: interval) }
    }

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

    private func event(_ phase: Phase?, _ since: ContinuousClock.Instant) -> ServiceEvent? {
        switch phase {
        case .body:
            return ServiceLine.stillStopping.event("the service itself", (ContinuousClock.now - since).inSeconds)
        case .closing:
            guard let wait = container.closingNow else { return nil }
            return ServiceLine.stillStopping.event(
                "\(wait.isConstruction ? "building" : "closing") \(wait.service)",
                (ContinuousClock.now - wait.since).inSeconds, fields: ["service": wait.service])
        case .delay, .ended, nil: return nil
        }
    }
}
