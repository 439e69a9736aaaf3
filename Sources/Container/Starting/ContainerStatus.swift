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
    /// The replaced instances of following services that are not closed, beginning with the earliest.
    public let formerServices: [FormerService]
    /// The status of the start in progress, or of the last start, or nil if there was no start.
    public let start: StartStatus?
    /// The status of the container's properties.
    public let properties: StoreStatus
}

/// The service that the closing of a container, or of one of its children, waits for.
package struct ClosingWait: Sendable {
    /// The name of the service.
    package let service: String
    /// Whether the service is still being built, so that nothing is closed yet.
    package let isConstruction: Bool
    /// Whether it is a replaced instance of the service.
    package let isFormer: Bool
    /// When the wait began.
    package let since: ContinuousClock.Instant
}

/// The phase of a container, and the readers of its phases. Only the phase of the topmost container is used.
struct PhaseReaders: Sendable {
    typealias Reader = AsyncStream<ContainerStatus.Phase>.Continuation

    private(set) var phase = ContainerStatus.Phase.starting
    var readers: [Int: Reader] = [:]
    /// The waits of the closings in progress, beginning with the earliest.
    var closings: [(instance: UInt64, wait: ClosingWait)] = []
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
