/// The error of a service that could not be resolved or closed, with the path of dependencies to the failure.
public struct ResolutionError: Error, Sendable {
    /// A kind of failure. Later versions may add reasons, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The name of the reason.
        public let description: String

        /// Nothing is registered for the type and qualifier.
        public static let notRegistered = Reason(description: "not registered")
        /// The service is declared with `givenByChild(_:)`, and the container of the resolve is not a child that has
        /// it.
        public static let notGiven = Reason(description: "not given")
        /// The service is registered, but for other types of runtime arguments.
        public static let wrongArguments = Reason(description: "wrong arguments")
        /// The shared instance was built from other runtime arguments.
        public static let otherArguments = Reason(description: "other arguments")
        /// The service was registered again after the start, when other services had taken its instance, which they
        /// keep. Only `onFailure(_:)` reports it, as a warning.
        public static let registeredLate = Reason(description: "registered late")
        /// The factory of the service needs the service itself, directly or through other services.
        public static let circular = Reason(description: "circular")
        /// Too many services need each other one after another: more than 1,000, or more than the stack of the thread has
        /// room for.
        public static let tooDeep = Reason(description: "too deep")
        /// The factory threw the error in `cause`.
        public static let factoryFailed = Reason(description: "factory failed")
        /// A closure of `initCompleted` threw the error in `cause`.
        public static let completionFailed = Reason(description: "completion failed")
        /// The instance does not have a type for which `implements` or `Service(types:)` has registered it.
        public static let wrongType = Reason(description: "wrong type")
        /// A `GlobalContainer` or `Container` builder defines two services of the same type and qualifier.
        public static let duplicate = Reason(description: "duplicate")
        /// `Container.close(timeout:)` has been called, so the container builds nothing any more.
        public static let closed = Reason(description: "closed")
        /// A closure of `onClose` threw the error in `cause`. The cause is nil if the closure, or a construction that the
        /// closing waits for, did not end in time.
        public static let closeFailed = Reason(description: "close failed")
        /// A closure of `onClose` was not started, or only at the deadline, because the construction or the closing of
        /// another service had used up the time.
        public static let notClosed = Reason(description: "not closed")
        /// The registration has `onClose` and a scope whose instances are not closed. Only `start()` and
        /// `verify()` report it.
        public static let neverClosed = Reason(description: "never closed")
        /// A synchronous resolve needs a service that is built asynchronously and does not exist yet.
        public static let asynchronous = Reason(description: "asynchronous")
        /// The task was cancelled while it waited for the service or built it. `cause` is a `CancellationError`, or the
        /// error that a factory or a completion threw then.
        public static let cancelled = Reason(description: "cancelled")
        /// A service of a longer life holds a service of a shorter life, such as a service in `.container` that has
        /// taken one in `.session`. Only `start()` and `verify()` report it.
        public static let shorterLife = Reason(description: "shorter life")
        /// A shared service has a `Provider` or a `Lazy` of a service in `.child`, or of a service that `givenByChild(_:)`
        /// declares. It resolves that service from its own container, so all children would share one instance.
        /// `start()` and `verify()` report it to `onFailure(_:)`, as a warning.
        public static let sharedByChildren = Reason(description: "shared by children")
        /// A child registers a service again that a shared service of a parent has taken from the parent, so the shared
        /// service does not see the registration of the child. `onFailure(_:)` gets it once for each two services, when
        /// the shared service is first resolved from a child, and whenever `verify()` of a child finds it.
        public static let unseenOverride = Reason(description: "unseen override")
        /// A shared service takes a service that follows its settings, and would keep an old instance. Two following
        /// services that take each other would, too, which only `start()` and `verify()` report.
        public static let outdatedDependency = Reason(description: "outdated dependency")
        /// The properties that a following service reads have changed, and `cause` is why no new instance could be
        /// built. The former instance stays. Only `onFailure(_:)` reports it.
        public static let replacementFailed = Reason(description: "replacement failed")
    }

    // Stored on the heap to keep the error small: each function that throws it reserves space for one, and copies it.
    private let stored: ServiceBox<Details>
    private var details: Details { stored.value }

    /// The kind of failure.
    public var reason: Reason { details.reason }
    /// The error that the factory, the completion, the closing or the replacement threw, or a `CancellationError`. Nil
    /// for other reasons.
    public var cause: (any Error)? { details.cause }

    /// The keys of the services on the path, from the outermost service to the failed service.
    var keys: [ServiceKey] { details.keys }
    /// What the message says besides the reason, such as the scope.
    var detail: String? { details.detail ?? failedTry?.text }
    /// Whether the error is about a replaced instance, and not about the current instance of the service.
    package var isFormer: Bool { details.isFormer }
    /// The changes behind a failed replacement, and its next try. Nil for other reasons.
    package var failedTry: FailedTry? { details.failedTry }

    /// Creates an error. `names` are the names of the services in its container, which a resolve adds by `named(_:)`.
    init(
        _ reason: Reason, path: [ServiceKey], names: ServiceNames? = nil, cause: (any Error)? = nil,
        detail: String? = nil, isFormer: Bool = false, failedTry: FailedTry? = nil
    ) {
        stored = ServiceBox(
            Details(
                reason: reason, keys: path, names: names, cause: cause, detail: detail, isFormer: isFormer,
                failedTry: failedTry))
    }

    private init(_ details: Details) { stored = ServiceBox(details) }

    private struct Details: Sendable {
        let reason: Reason
        var keys: [ServiceKey]
        /// The services of the container. The description distinguishes types with one name, and suggests similar
        /// services.
        var names: ServiceNames?
        let cause: (any Error)?
        let detail: String?
        let isFormer: Bool
        let failedTry: FailedTry?
    }

    /// Wraps the error that a factory or a completion threw. A `ResolutionError` of a nested resolve is returned
    /// unchanged, because it already has the longer path.
    init(_ reason: Reason, of error: any Error, path: @autoclosure () -> [ServiceKey]) {
        switch error {
        case let error as ResolutionError: self = error
        case let failure as RegistrationFailure:
            self.init(failure.reason, path: path(), detail: failure.detail)
        default: self.init(reason, path: path(), cause: error)
        }
    }

    /// Returns the same error with another path. A path around a circle ends at the first service that it repeats.
    func with(path: [ServiceKey]) -> ResolutionError {
        var (path, seen) = (path, Set<ServiceKey>())
        // Only here, because an error of a deep path passes through each service on it, and a check in each would take
        // quadratic time.
        if reason == .circular, let repeated = path.firstIndex(where: { !seen.insert($0).inserted }) {
            path.removeSubrange((repeated + 1)...)
        }
        var details = details
        details.keys = path
        return ResolutionError(details)
    }

    /// Returns the same error with the names of the services in a container, unless it has those of another one.
    func named(_ names: @autoclosure () -> ServiceNames) -> ResolutionError {
        if details.names != nil { return self }
        var details = details
        details.names = names()
        return ResolutionError(details)
    }

    /// The names of the services in the container and on the path.
    var names: ServiceNames { (details.names ?? ServiceNames([])).with(keys) }

    /// The services from the service that the caller resolved to the failed service, each with its qualifier:
    /// `["Report", "Clock \"utc\""]`.
    public var path: [String] { keys.map(names.text) }
}

/// The changes of properties that have led to a failed replacement, and when it is tried again.
package struct FailedTry: Sendable {
    /// The changes of the properties. Secrets are masked in the descriptions.
    package let changes: [PropertyChange<PropertyEntry>]
    /// The pause before the next try, or nil if only a change or SIGHUP tries again.
    package let nextTry: Duration?

    /// The changes and the next try as sentences, or nil if there is neither.
    var text: String? {
        let all = changes.isEmpty ? nil : "Changed: \(changes.map(\.description).joined(separator: ", "))"
        let sentences = [all, nextTry.map { "The next try is in \($0)" }].compactMap(\.self)
        return sentences.isEmpty ? nil : sentences.joined(separator: ". ")
    }
}

/// The error that a factory of the builder API throws, for example because of a duplicate. The resolve converts it to a
/// `ResolutionError` with the path to the factory.
struct RegistrationFailure: Error {
    let reason: ResolutionError.Reason
    let detail: String
}

/// The text about a cast that has failed.
enum WrongType {
    /// - Parameters:
    ///   - value: the instance.
    ///   - key: the key of its registration.
    ///   - service: the type that it does not have.
    /// - Returns: the part of the message after the name of the service.
    static func text(of value: Any, from key: ServiceKey, as service: Any.Type) -> String {
        let type = "\(type(of: value))"
        return (type == "\(key.service)" ? "does not have" : "is a \(type), which does not have")
            + " the type \(service)"
    }
}
