import SharedState

/// The state of a service, for its health and readiness endpoints.
public struct ContainerStatus: Sendable {
    /// A part of the life of a service.
    public enum Phase: String, Sendable, CaseIterable {
        /// The service has not started, or its start is in progress.
        case starting
        /// The start has succeeded.
        case ready
        /// A signal has asked the process to stop, or the container is closing or closed. The service may still serve,
        /// but nothing new should be sent to it.
        case stopping
    }

    /// The phase of the container, or of its topmost parent.
    public let phase: Phase
    /// The following services whose current instance is not built from the current properties, sorted by name.
    public let outdatedServices: [OutdatedService]
    /// The status of the start in progress, or of the last start, or nil if there was no start.
    public let start: StartStatus?
    /// The status of the container's properties.
    public let properties: StoreStatus

    /// The status as a JSON object, with ages in seconds and with secrets masked.
    public var json: String {
        let outdated = outdatedServices.map { JsonText.quoted($0.service) }.joined(separator: ", ")
        return """
            {
              "phase": "\(phase)",
              "outdatedServices": [\(outdated)],
              "start": \(start?.json ?? "null"),
              "properties": \(properties.json.parts(between: "\n").joined(separator: "\n  "))
            }
            """
    }
}

extension Container {
    /// The status of the service at this time.
    public var status: ContainerStatus {
        ContainerStatus(
            phase: phase, outdatedServices: outdatedServices, start: startStatus, properties: properties.status)
    }

    /// The current phase of the service, and each later one, as a sequence for one reader.
    ///
    ///     for await phase in container.phases { readiness.set(phase == .ready) }
    ///
    /// The sequence ends after `.stopping`. A child container has the phases of its topmost parent.
    public var phases: AsyncStream<ContainerStatus.Phase> {
        let (phases, reader) = AsyncStream.makeStream(of: ContainerStatus.Phase.self)
        guard let lifecycle = topmostLifecycle, let number = lifecycle.withLock({ $0.add(reader) }) else {
            return phases
        }
        reader.onTermination = { [weak lifecycle] _ in
            _ = lifecycle?.withLock { $0.readers.removeValue(forKey: number) }
        }
        return phases
    }

    /// The current phase of the service.
    package var phase: ContainerStatus.Phase { topmostLifecycle?.withLock { $0.phase } ?? .starting }

    /// The service whose closing is in progress in this container or one of its children, and since when.
    package var closingNow: (service: String, since: ContinuousClock.Instant)? {
        topmostLifecycle?.withLock { $0.closing.map { ($0.key.description, $0.since) } }
    }

    /// Records that the closing of a service begins, or that it has ended if the key is nil.
    func begin(closing key: ServiceKey?) {
        topmostLifecycle?.withLock { $0.closing = key.map { ($0, .now) } }
    }

    /// The number of readers of `phases`, for tests.
    package var phaseReaders: Int { topmostLifecycle?.withLock { $0.readers.count } ?? 0 }

    /// Begins a later phase. Nothing happens if this container has a parent, or if the phase has begun already.
    package func begin(_ phase: ContainerStatus.Phase) {
        // Outside of the lock, because the end of a sequence removes its reader. A reader that has got `.stopping` from
        // another thread ignores later phases.
        for reader in lifecycle?.withLock({ $0.begin(phase) }) ?? [] {
            reader.yield(phase)
            if phase == .stopping { reader.finish() }
        }
    }

    private var topmostLifecycle: Guarded<Lifecycle>? {
        sequence(first: self, next: \.parent).lazy.compactMap(\.lifecycle).first
    }
}

/// The phase of a container, and the readers of its phases. A lock guards it.
struct Lifecycle: Sendable {
    typealias Reader = AsyncStream<ContainerStatus.Phase>.Continuation

    private(set) var phase = ContainerStatus.Phase.starting
    var readers: [Int: Reader] = [:]
    /// The service whose closing is in progress, and since when.
    var closing: (key: ServiceKey, since: ContinuousClock.Instant)?
    private var next = 0

    /// Passes the phase to a new reader.
    ///
    /// - Returns: its number, or nil if no other phase follows.
    mutating func add(_ reader: Reader) -> Int? {
        reader.yield(phase)
        if phase == .stopping {
            reader.finish()
            return nil
        }
        next += 1
        readers[next] = reader
        return next
    }

    /// Begins a phase.
    ///
    /// - Returns: the readers that must get it; none if the phase has begun already.
    mutating func begin(_ new: ContainerStatus.Phase) -> [Reader] {
        guard phase.order < new.order else { return [] }
        phase = new
        return Array(readers.values)
    }
}

extension ContainerStatus.Phase {
    fileprivate var order: Int {
        switch self {
        case .starting: 0
        case .ready: 1
        case .stopping: 2
        }
    }
}
