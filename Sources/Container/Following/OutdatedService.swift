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
