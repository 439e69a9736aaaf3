/// A service that could not be resolved: what is wrong, and the path that led there.
///
/// It keeps its container alive, for its description; so keep that, where you keep errors in what the container holds.
public struct ResolutionError: Error, Sendable {
    /// What kind of failure it is. More may come, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// What it is called.
        public let description: String

        /// Nothing is registered for the type and qualifier.
        public static let notRegistered = Reason(description: "not registered")
        /// It is registered with other runtime arguments.
        public static let wrongArguments = Reason(description: "wrong arguments")
        /// It needs itself.
        public static let circular = Reason(description: "circular")
        /// Its factory threw: see `cause`.
        public static let factoryFailed = Reason(description: "factory failed")
        /// Its completion threw: see `cause`.
        public static let completionFailed = Reason(description: "completion failed")
        /// It is not of a type that it is registered for by `implements` or `Service(types:)`.
        public static let wrongType = Reason(description: "wrong type")
        /// Two services of one type and qualifier stand in one set of builders.
        public static let duplicate = Reason(description: "duplicate")
        /// `verify()` found that it needs something that is left out.
        static let unverified = Reason(description: "left out of verification")
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// What the factory or the completion threw.
    public let cause: (any Error)?

    let keys: [ServiceKey]
    /// For the near misses, which are looked for only when somebody reads the description.
    let container: Container
    let detail: String?

    init(
        _ reason: Reason, path: [ServiceKey], in container: Container, cause: (any Error)? = nil, detail: String? = nil
    ) {
        self.reason = reason
        self.keys = path
        self.container = container
        self.cause = cause
        self.detail = detail
    }

    /// What a factory or a completion threw, with the path to it; an error from further inside stays as it is.
    init(
        _ reason: Reason = .factoryFailed, of error: any Error, path: @autoclosure () -> [ServiceKey],
        in container: Container
    ) {
        self = error as? ResolutionError ?? ResolutionError(reason, path: path(), in: container, cause: error)
    }

    /// The services from the one that was asked for to the one that failed, each with its qualifier:
    /// `["Report", "Clock \"utc\""]`.
    public var path: [String] { keys.map(\.description) }
}
