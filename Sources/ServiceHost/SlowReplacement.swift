import Container
import SharedState

/// Writes which replacement of a following service takes long: after an interval, and whenever the time since its
/// beginning has doubled. Writes also which services are up to date again after a failed or slow replacement.
struct SlowReplacement: Sendable {
    private let log: ServiceLog
    private let interval = SlowStart.interval

    init(_ log: ServiceLog) { self.log = log }

    /// Watches the replacements that begin from now on.
    func watch(_ container: Container) {
        container.observeFollowing(
            began: { write($0, after: interval, next: interval) },
            recovered: { service, since in
                let time = (ContinuousClock.now - since).inSeconds
                log.add(ServiceLine.upToDate.event(service, time, fields: ["service": service]))
            })
    }

    /// Uses no task, because the factories may block all threads that run tasks.
    private func write(_ replacement: RunningReplacement, after time: Duration, next: Duration) {
        Platform.run(after: time) {
            guard replacement.isRunning else { return }
            let time = (ContinuousClock.now - replacement.since).inSeconds
            log.add(
                ServiceLine.stillReplacing.event(replacement.service, time, fields: ["service": replacement.service]))
            replacement.wasReported()
            write(replacement, after: next, next: next * 2)
        }
    }
}
