import Container
import PropertyLoadersEssentials
import SharedState

/// Reloads the settings of a running service, and writes what has changed to its log.
struct ServiceReloading: Sendable {
    let container: Container
    let log: ServiceLog
    /// The interval at which the watcher checks the files, or nil for no watcher.
    let polling: Duration?
    /// Whether SIGHUP reloads the settings.
    let reloadsAtHangup: Bool
    /// The texts of the settings that wait for a restart and of the warnings, as last written.
    private let written = Guarded<Set<String>>([])

    init(_ container: Container, _ log: ServiceLog, polling: Duration?, reloadsAtHangup: Bool) {
        (self.container, self.log, self.polling, self.reloadsAtHangup) = (container, log, polling, reloadsAtHangup)
    }

    /// Starts the tasks of a service that has started.
    ///
    /// - Parameter isRequested: whether SIGHUP has arrived during the start.
    /// - Returns: the tasks, which run until they are cancelled.
    func start(_ isRequested: Bool) -> [Task<Void, Never>] {
        writeNews(container.properties.status.pendingRestart)
        let changes = container.changes()
        if isRequested { reloadAtHangup() }
        return [
            Task { try? await watch() },
            Task { for await set in changes { for change in set { log.add(ServiceEvent(change)) } } },
        ]
    }

    private func watch() async throws {
        guard let polling else { return }
        let watcher = PropertyWatcher(
            container, polling: polling, onFailure: { log.add(.refused, $0, prefix: Self.prefix) }, onReload: writeNews)
        try await watcher.run()
    }

    private static let prefix = "not reloaded: "

    /// Reloads the settings in a task, and writes the result to the log.
    func reloadAtHangup() {
        guard reloadsAtHangup else { return refuse("the service does not reload its settings at SIGHUP") }
        Task {
            let former = container.snapshot
            do throws(ConfigurationErrors) {
                let pending = try container.properties.reload()
                let changes = container.snapshot.changes(since: former).count
                log.add(ServiceEvent(.reloaded, .info, Self.text(changes, pending.count)))
                written.withLock { $0.subtract(pending.map(\.description)) }
                writeNews(pending)
            } catch {
                log.add(.refused, error, prefix: Self.prefix)
            }
        }
    }

    private static func text(_ changes: Int, _ pending: Int) -> String {
        let changed = changes == 0 ? "nothing has" : changes == 1 ? "1 property has" : "\(changes) properties have"
        let waiting = pending == 1 ? "1 setting waits" : "\(pending) settings wait"
        return "reloaded: \(changed) changed" + (pending == 0 ? "" : "; \(waiting) for a restart")
    }

    /// Writes that a request to reload is refused.
    func refuse(_ reason: String) { log.add(ServiceEvent(.refused, .warning, Self.prefix + reason)) }

    /// Writes the settings that wait for a restart, and the warnings, which were not written after the last reload.
    @Sendable private func writeNews(_ pending: [PendingRestart]) {
        let events = container.properties.warnings.map { ServiceEvent($0) } + pending.map { ServiceEvent($0) }
        let texts = Set(events.map(\.text))
        let former = written.withLock { written in
            defer { written = texts }
            return written
        }
        for event in events where !former.contains(event.text) { log.add(event) }
    }
}
