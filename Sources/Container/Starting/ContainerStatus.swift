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

/// A following service whose current instance is not built from the current properties.
public struct OutdatedService: Sendable, CustomStringConvertible {
    /// The name of the service, with its qualifier.
    public let service: String
    /// The changes of the properties that it, or an instance that it holds, was built from. Secrets are masked in the
    /// descriptions.
    public let changes: [PropertyChange<PropertyEntry>]
    /// The failures to replace it, or nil if none has failed.
    public let failure: Failure?

    /// The failures to replace a service, one after another.
    public struct Failure: Sendable {
        /// The last error, with the reason `.replacementFailed`.
        public let error: ResolutionError
        /// When the first of the replacements began.
        public let since: ContinuousClock.Instant
        /// The number of failures.
        public let count: Int
        /// When the next try begins, or nil if it is in progress, or if only a change or SIGHUP tries again.
        public let nextTry: ContinuousClock.Instant?
    }

    /// The name of the service, and the changes.
    public var description: String {
        changes.isEmpty ? service : "\(service): \(changes.map(\.description).joined(separator: ", "))"
    }
}

/// A replaced instance of a following service that is not closed.
public struct FormerService: Sendable {
    /// The name of the service, with its qualifier.
    public let service: String
    /// When another instance replaced it.
    public let replaced: ContinuousClock.Instant
    /// When its closing began, or nil if its drain time is not over, or another following instance holds it.
    public let closing: ContinuousClock.Instant?
    /// Whether its closing did not end within the `closeTimeout` of `followsSettings`. Nothing waits for it any more.
    public let isLate: Bool
}

/// What the closing of a container or one of its children waits for.
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

/// The phase of a container, and the readers of its phases. A lock guards it.
struct Lifecycle: Sendable {
    typealias Reader = AsyncStream<ContainerStatus.Phase>.Continuation

    private(set) var phase = ContainerStatus.Phase.starting
    var readers: [Int: Reader] = [:]
    /// The service that the closing in progress waits for.
    var closing: ClosingWait?
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
