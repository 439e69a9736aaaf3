import Container
import SharedState

/// Writes which service a slow start waits for: after an interval, and whenever the time since the start has doubled.
package struct SlowStart: Sendable {
    let container: Container
    let log: ServiceLog
    private let interval = Self.interval

    /// The time after which a start takes long. Tests change it.
    @TaskLocal package static var interval = Duration.seconds(2)

    init(_ container: Container, _ log: ServiceLog) { (self.container, self.log) = (container, log) }

    /// Watches the start, which begins now.
    func watch() { write(after: interval, next: interval) }

    /// Uses no task, because the factories of the start may block all threads that run tasks.
    private func write(after time: Duration, next: Duration) {
        Platform.run(after: time) {
            guard container.phase == .starting, container.startStatus?.isInProgress != false else { return }
            for event in container.startStatus.map(Self.events) ?? [] { log.add(event) }
            write(after: next, next: next * 2)
        }
    }

    /// Writes the duration of a successful start.
    ///
    /// - Parameter onlyIfSlow: whether nothing is written of a start that did not take long.
    func end(onlyIfSlow: Bool) {
        guard let status = container.startStatus else { return }
        let isSlow = status.duration >= interval, count = status.built.count
        if onlyIfSlow, !isSlow { return }
        let slowest = isSlow ? status.built.prefix(3).map { "\($0.service) \($0.duration.inSeconds)" } : []
        log.add(
            ServiceLine.started.event(
                status.duration.inSeconds, count == 0 ? nil : count == 1 ? "1 service" : "\(count) services",
                slowest.isEmpty ? nil : slowest.joined(separator: ", ")))
    }

    private static func events(of status: StartStatus) -> [ServiceEvent] {
        if !status.isLoaded { return [ServiceLine.loading.event(status.duration.inSeconds)] }
        return status.building.map { service in
            let awaited = service.waitsFor.isEmpty ? nil : service.waitsFor.joined(separator: ", ")
            return ServiceLine.starting.event(
                service.service, service.duration.inSeconds, awaited, fields: ["service": service.service])
        }
    }
}
