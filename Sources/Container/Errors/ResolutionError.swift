/// A service that could not be resolved: what is wrong, and the path that led there.
public struct ResolutionError: Error, Sendable {
    /// What kind of failure it is. More may come, so a `switch` needs a `default`.
    public struct Reason: Hashable, Sendable, CustomStringConvertible {
        /// The name of the reason.
        public let description: String

        /// Nothing is registered for the type and qualifier.
        public static let notRegistered = Reason(description: "not registered")
        /// It is registered with other runtime arguments.
        public static let wrongArguments = Reason(description: "wrong arguments")
        /// Its factory needs itself, directly or through others.
        public static let circular = Reason(description: "circular")
        /// Its factory threw: see `cause`.
        public static let factoryFailed = Reason(description: "factory failed")
        /// Its completion threw: see `cause`.
        public static let completionFailed = Reason(description: "completion failed")
        /// It is not of a type that it is registered for by `implements` or `Service(types:)`.
        public static let wrongType = Reason(description: "wrong type")
        /// Two services of one type and qualifier are in one set of builders.
        public static let duplicate = Reason(description: "duplicate")
        /// It needs a registration that is excluded from `verify()`.
        static let unverified = Reason(description: "left out of verification")
    }

    /// What kind of failure it is.
    public let reason: Reason
    /// The error that the factory or the completion threw.
    public let cause: (any Error)?

    let keys: [ServiceKey]
    /// The keys of the container, for the near misses. They are compared only when somebody reads the description.
    private let registered: [ServiceKey]
    private let detail: String?

    // `registered` has the keys that the caller may have meant.
    init(
        _ reason: Reason, path: [ServiceKey], registered: [ServiceKey] = [], cause: (any Error)? = nil,
        detail: String? = nil
    ) {
        self.reason = reason
        self.keys = path
        self.registered = registered
        self.cause = cause
        self.detail = detail
    }

    /// The error of a factory or a completion, with the path to it. An error from further inside stays as it is.
    init(_ reason: Reason, of error: any Error, path: @autoclosure () -> [ServiceKey]) {
        switch error {
        case let error as ResolutionError: self = error
        case let failure as RegistrationFailure:
            self.init(failure.reason, path: path(), detail: failure.detail)
        default: self.init(reason, path: path(), cause: error)
        }
    }

    /// The services from the one that was asked for to the one that failed, each with its qualifier:
    /// `["Report", "Clock \"utc\""]`.
    public var path: [String] { keys.map(\.description) }
}

/// The error of a factory that the container itself has made. It becomes a `ResolutionError` with the path to the
/// factory.
struct RegistrationFailure: Error {
    let reason: ResolutionError.Reason
    let detail: String
}

// MARK: - Text

extension ResolutionError: CustomStringConvertible {
    /// One line: the path, what happened, what is there instead, what to do.
    public var description: String {
        let parts = [problem, reason == .circular ? nil : nearMisses, remedy].compactMap { $0 }
        return "\(path.joined(separator: " → ")): \(parts.joined(separator: ". "))"
    }

    private var problem: String {
        guard let key = keys.last else { return reason.description }
        return switch reason {
        case .notRegistered: "nothing is registered for \(key)"
        case .wrongArguments: "\(key) is not registered for the arguments \(key.argumentList)"
        case .circular: "\(key) needs itself"
        case .factoryFailed: "the factory of \(key) threw: \(causeText)"
        case .completionFailed: "the completion of \(key) threw: \(causeText)"
        case .wrongType: "the instance of \(key) is no \(detail ?? "instance of the type that it is forwarded for")"
        case .duplicate: "\(key) is defined twice: \(detail ?? "")"
        default: "\(key): \(reason)\(detail.map { ", \($0)" } ?? "")"
        }
    }

    private var causeText: String { cause.map { PrintableText.escapedLines("\($0)") } ?? "no error" }

    private var remedy: String? {
        switch reason {
        case .notRegistered: "Register it in this container or a parent"
        case .wrongArguments: "Give arguments of exactly the factory's static types"
        case .circular: "Let one of them take the other in initCompleted(_:)"
        case .wrongType: "Take the type out of implements(_:) or conform to it"
        case .duplicate: "Give one of them a qualifier"
        default: nil
        }
    }
}

// MARK: - Near misses

extension ResolutionError {
    /// The most near misses in a message.
    private static let maximumNearMisses = 3

    /// The registrations that the caller may have meant.
    private var nearMisses: String? {
        guard let key = keys.last, reason == .notRegistered || reason == .wrongArguments else { return nil }
        let sameType = registered.filter { $0.service == key.service }
        let near = (sameType.isEmpty ? registered.filter { $0.resembles(key) } : sameType).map(\.fullDescription)
            .sorted()
        if near.isEmpty { return nil }
        let names = near.prefix(Self.maximumNearMisses).joined(separator: ", ")
        return "Registered \(near.count == 1 ? "is" : "are") \(names)\(near.count > Self.maximumNearMisses ? " …" : "")"
    }
}
