import Container
import PropertyLoadersEssentials
import SharedState

/// Reloads the settings of a running service, and writes the changes, and the beginning and the end of problems, to its
/// log.
struct ServiceReloading: Sendable {
    let container: Container
    let log: ServiceLog
    /// The interval at which the watcher checks the files, or nil for no watcher.
    let polling: Duration?
    /// Whether SIGHUP reloads the settings.
    let reloadsAtHangup: Bool
    private let manager: ProcessManager
    private let written = Guarded(Written())
    /// The signals that were not answered. Several of them get one answer.
    private let hangups: AsyncStream<Void>
    private let hangup: AsyncStream<Void>.Continuation

    /// The problems that were written and are not over.
    private struct Written {
        /// The warnings about sources. A warning that has moved to another line is the same warning.
        var warnings: [WrittenWarning: String] = [:]
        /// The lines about the settings that wait for a restart, by name.
        var pending: [String: String] = [:]
        /// Whether the last reload was refused.
        var isRefused = false
        /// The sources that cannot be read, and the times of their first failures.
        var failing: [String: ContinuousClock.Instant] = [:]
    }

    init(
        _ container: Container, _ log: ServiceLog, _ manager: ProcessManager, polling: Duration?, reloadsAtHangup: Bool
    ) {
        (self.container, self.log, self.manager) = (container, log, manager)
        (self.polling, self.reloadsAtHangup) = (polling, reloadsAtHangup)
        (hangups, hangup) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts the tasks of a service that has started.
    ///
    /// - Returns: the tasks, which run until they are cancelled.
    func start() -> [Task<Void, Never>] {
        writeNews(container.properties.status.pendingRestart)
        let changes = container.changes()
        return [
            Task { try? await watch() },
            Task { await answerHangups() },
            Task { for await set in changes { for change in set { log.add(ServiceEvent(change)) } } },
        ]
    }

    private func watch() async throws {
        guard let polling else { return }
        let watcher = PropertyWatcher(container, polling: polling, onFailure: writeRefusal, onReload: writeNews)
        try await watcher.run()
    }

    /// Reloads the settings after SIGHUP, or when the service has started. It runs on the thread of the signals, so it
    /// must not block.
    func handleHangup() {
        if container.phase == .stopping { return log.add(ServiceLine.stoppingHangup.event()) }
        guard reloadsAtHangup else {
            let wasSent = manager.beginReload()
            log.add(ServiceLine.noHangup.event())
            return manager.endReload(wasSent)
        }
        hangup.yield()
    }

    /// Answers one SIGHUP after another, because two concurrent reloads could record in the wrong order which sources
    /// fail.
    private func answerHangups() async {
        // The end of the service does not cancel a reload: it would be refused, and say so.
        for await _ in hangups { await Task { await reloadAtHangup() }.value }
    }

    /// Reloads the settings, and writes the result to the log. Replacements of services that have failed are tried again
    /// at once.
    private func reloadAtHangup() async {
        let wasSent = manager.beginReload()
        defer { manager.endReload(wasSent) }
        let former = container.snapshot
        do throws(ConfigurationErrors) {
            let (pending, failures) = try await container.properties.reloadAll()
            let changes = container.snapshot.changes(since: former).count
            let notAsked = failures.isEmpty ? nil : failures.map { "\($0)" }.joined(separator: "; ")
            log.add(
                ServiceLine.reloaded.event(
                    Self.text(ofChanges: changes), Self.text(ofPending: pending.count), notAsked,
                    level: failures.isEmpty ? .info : .warning))
            // The answer to SIGHUP repeats which settings wait for a restart.
            written.withLock { written in for setting in pending { written.pending[setting.name] = nil } }
            writeNews(pending, isAsked: true)
        } catch {
            writeRefusal(error)
        }
        container.retryReplacements()
    }

    private static func text(ofChanges count: Int) -> String {
        switch count {
        case 0: "nothing has"
        case 1: "1 property has"
        default: "\(count) properties have"
        }
    }

    private static func text(ofPending count: Int) -> String? {
        switch count {
        case 0: nil
        case 1: "1 setting waits"
        default: "\(count) settings wait"
        }
    }

    /// Writes why the settings stay as they are.
    @Sendable private func writeRefusal(_ report: ConfigurationErrors) {
        let status = container.properties.status
        if status.refusal != nil { written.withLock { $0.isRefused = true } }
        writeRecoveries(status)
        log.add(.refused, report, prefix: "not reloaded: ")
    }

    /// Writes the news after a reload: warnings, settings that wait for a restart, and problems that are over.
    @Sendable private func writeNews(_ pending: [PendingRestart]) { writeNews(pending, isAsked: false) }

    private func writeNews(_ pending: [PendingRestart], isAsked: Bool) {
        let properties = container.properties, warnings = properties.warnings
        let events = Dictionary(pending.map { ($0.name, ServiceEvent($0)) }) { $1 }
        let former = written.withLock { written in
            let former = written
            written.warnings = Dictionary(warnings.map { (WrittenWarning($0), "\($0.origin)") }) { $1 }
            written.pending = events.mapValues(\.text)
            written.isRefused = false
            return former
        }
        // The answer to SIGHUP says that the settings are valid.
        if former.isRefused, !isAsked { log.add(ServiceLine.valid.event()) }
        writeRecoveries(properties.status)
        for name in former.pending.keys.sorted() where events[name] == nil {
            let value = (try? properties.explain(name))?.value?.valueText ?? "none"
            log.add(ServiceLine.notPending.event(name, value, fields: ["key": name]))
        }
        let current = Set(warnings.map { WrittenWarning($0) })
        let over = former.warnings.filter { !current.contains($0.key) }
        for (warning, place) in over.sorted(by: { ($0.value, $0.key.problem) < ($1.value, $1.key.problem) }) {
            log.add(ServiceLine.warningOver.event(place, warning.problem, fields: ["source": place]))
        }
        for warning in warnings where former.warnings[WrittenWarning(warning)] == nil { log.add(ServiceEvent(warning)) }
        for (name, event) in events.sorted(by: { $0.key < $1.key }) where former.pending[name] != event.text {
            log.add(event)
        }
    }

    /// Writes which sources can be read again.
    private func writeRecoveries(_ status: StoreStatus) {
        let failing = Dictionary(status.sources.compactMap { source in source.failure.map { (source.name, $0.since) } })
        { $1 }
        let former = written.withLock { written in
            defer { written.failing = failing }
            return written.failing
        }
        for (source, since) in former.sorted(by: { $0.key < $1.key }) where failing[source] == nil {
            let time = (ContinuousClock.now - since).inSeconds
            log.add(ServiceLine.sourceBack.event(source, time, fields: ["source": source]))
        }
    }
}

extension Duration {
    /// The time in seconds with one decimal, or with two if it is less than a tenth of a second.
    var inSeconds: String {
        let hundredths = Int((self / .milliseconds(10)).rounded())
        if hundredths < 10 { return "0.0\(hundredths) s" }
        let tenths = Int((self / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

/// A warning about a source, whichever line it is at.
private struct WrittenWarning: Hashable {
    let source: String
    let problem: String

    init(_ warning: PropertyLoadError) {
        source = warning.origin.label ?? warning.origin.source.description
        problem = PrintableText.escaped(warning.problem)
    }
}
