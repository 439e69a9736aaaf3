import Container
import Properties
import PropertyLoadersEssentials
import SharedState

/// Tells the process manager what the service does, by the notification protocol of systemd: datagrams to the socket that the
/// variable `NOTIFY_SOCKET` names. Without the variable, it does nothing.
///
/// A thread of its own sends them in order, so that a process manager that stalls does not stop the service. The variable
/// stays, so that a program which the service starts can use it, too.
final class ProcessManager: Sendable {
    /// The process manager of the service that runs in this process, for `Container.reportReady()`.
    static let current = Guarded<ProcessManager?>(nil)

    private let socket: NotifySocket?
    private let bodyReportsReady: Bool
    private let queue = LogQueue("ServiceHost.notify") { _ in }
    private let state = Guarded((isReady: false, isStopping: false))
    /// Gets a problem of the socket, once.
    private let problem: @Sendable (String) -> Void

    /// The maximum size of a status in bytes. systemd ignores a message of more than 4,096 bytes.
    private static let maximumSize = 1000

    /// Creates the sender of the messages of this process.
    ///
    /// - Parameters:
    ///   - address: the value of `NOTIFY_SOCKET`, or nil if it is not set.
    ///   - bodyReportsReady: whether the body reports when the service is ready. Otherwise the service is ready when it
    ///     has started.
    ///   - problem: gets the problem of an address that is not valid, or to which nothing can be sent.
    init(_ address: String?, bodyReportsReady: Bool, problem: @escaping @Sendable (String) -> Void) {
        (self.bodyReportsReady, self.problem) = (bodyReportsReady, problem)
        guard let address, !address.isEmpty else {
            socket = nil
            return
        }
        do throws(NotifySocket.Failure) {
            socket = try NotifySocket(address)
        } catch {
            socket = nil
            problem(error.text)
        }
    }

    // MARK: The life of a service

    /// Records that the start has ended.
    func reportStarted() { if !bodyReportsReady { reportReady() } }

    /// Sends that the service is ready, unless it has been sent or the service is stopping.
    func reportReady() {
        let isNew = state.withLock { state in
            if state.isReady || state.isStopping { return false }
            state.isReady = true
            return true
        }
        if isNew { send("READY=1") }
    }

    /// Sends that a reload begins. The caller must call `endReload(_:)` in any case: until then, the process manager waits.
    ///
    /// - Returns: whether it was sent. Before the service is ready, and when it is stopping, there is nothing to wait for.
    func beginReload() -> Bool {
        let (isReady, isStopping) = state.withLock { $0 }
        if !isReady || isStopping { return false }
        // systemd compares the time with the time of its request.
        send("RELOADING=1\nMONOTONIC_USEC=\(Platform.nanoseconds() / 1000)")
        return true
    }

    /// Sends that a reload has ended, or was refused or not taken.
    ///
    /// - Parameter wasSent: what `beginReload()` has returned.
    func endReload(_ wasSent: Bool) { if wasSent { send("READY=1") } }

    /// Sends that the service is stopping, once.
    func reportStopping() {
        let isNew = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        if isNew { send("STOPPING=1") }
    }

    /// Sends an event as the status, if its kind is one of `statusKinds`.
    func report(_ event: ServiceEvent) { if Self.statusKinds.contains(event.kind) { report(status: event.text) } }

    /// Sends a status, as a line of limited size without line breaks: the part after a line break would be another field.
    private func report(status: String) {
        let text = PrintableText.escaped(status)
        send("STATUS=\(text.utf8.count <= Self.maximumSize ? text : Self.beginning(of: text))", isKept: false)
    }

    private static let statusKinds: Set<ServiceEvent.Kind> = [
        .starting, .started, .reloaded, .refused, .recovered, .failed, .invalid, .stopping, .ended, .late,
    ]

    /// The beginning of a text that fits in a message.
    private static func beginning(of text: String) -> String {
        var (end, size) = (text.startIndex, 0)
        while end < text.endIndex {
            size += text[end].utf8.count
            if size > maximumSize { break }
            end = text.index(after: end)
        }
        return "\(text[..<end])…"
    }

    /// A process manager for the service of this process, whose problems are warnings.
    static func ofThisProcess(_ log: ServiceLog, bodyReportsReady: Bool) -> ProcessManager {
        let address = ProcessEnvironment.text(of: "NOTIFY_SOCKET")
        let manager = ProcessManager(address, bodyReportsReady: bodyReportsReady) {
            log.add(ServiceLine.warning.event(text: $0, fields: ["source": "NOTIFY_SOCKET"]))
        }
        current.withLock { $0 = manager }
        return manager
    }

    // MARK: Sending

    private func send(_ message: String, isKept: Bool = true) {
        guard let socket else { return }
        let line = LogQueue.Line(.info, size: message.utf8.count, isKept: isKept) { [problem] in
            if let error = socket.send(message) { problem(error.text) }
        }
        queue.add(line)
    }

    /// A signal that is sent when everything was sent that was added before.
    var sent: Signal<Void>? { socket == nil ? nil : queue.mark() }
}

extension Container {
    /// Tells the process manager that the service is ready, from the body of a `run` with `bodyReportsReady: true`.
    ///
    ///     await container.run(sources, bodyReportsReady: true) { container in
    ///         try await server.run(onListening: { container.reportReady() })
    ///     }
    ///
    /// The first call counts. Without `run`, or without the variable `NOTIFY_SOCKET`, it has no effect. The phase of the
    /// container's `status` does not depend on it.
    public func reportReady() { ProcessManager.current.withLock { $0 }?.reportReady() }
}
