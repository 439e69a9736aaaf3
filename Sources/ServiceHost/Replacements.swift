import Container
import Properties
import SharedState

/// Writes which services were replaced, and when their former instances are closed. A replacement or a closing that takes
/// long is written after an interval, and whenever the time since its beginning has doubled.
struct Replacements: Sendable {
    private let log: ServiceLog
    private let interval = SlowStart.interval

    init(_ log: ServiceLog) { self.log = log }

    /// Watches the replacements that begin from now on.
    func watch(_ container: Container) {
        container.observeFollowing { event in
            switch event {
            case .began(let replacement): write(replacement, after: interval, next: interval)
            case .replaced(let service, let time, let changes, let keepsObject):
                let names = BoundedList(changes.map(\.name), limit: ListLimit.names).text
                var fields = ["service": service]
                if !changes.isEmpty { fields["changed"] = names }
                log.add(
                    ServiceLine.replaced.event(
                        service, time.inSeconds, changes.isEmpty ? nil : names,
                        keepsObject ? "the same object" : nil, fields: fields))
            case .recovered(let service, let since):
                let time = (ContinuousClock.now - since).inSeconds
                log.add(ServiceLine.upToDate.event(service, time, fields: ["service": service]))
            case .closing(let former): write(former, after: interval, next: interval)
            case .closed(let service, let time):
                let fields = ["service": service, "instance": "former"]
                log.add(
                    ServiceLine.formerClosed.event(service, time < interval ? nil : time.inSeconds, fields: fields))
            }
        }
    }

    private func write(_ former: ClosingFormer, after time: Duration, next: Duration) {
        Platform.run(after: time) {
            guard former.isRunning else { return }
            let time = (ContinuousClock.now - former.since).inSeconds
            let fields = ["service": former.service, "instance": "former"]
            log.add(ServiceLine.stillClosing.event(former.service, time, fields: fields))
            write(former, after: next, next: next * 2)
        }
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
