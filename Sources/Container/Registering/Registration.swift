/// The factory and the options of a service.
///
/// A registration is immutable. To change it, the container replaces it by a new registration.
@usableFromInline
package final class Registration: Sendable {
    typealias Factory = @Sendable (Resolver, StoredInstance?) throws -> StoredInstance
    typealias AsyncFactory =
        nonisolated(nonsending) @Sendable (AsyncResolver) async throws -> StoredInstance

    package let key: ServiceKey
    let options: RegistrationOptions
    let cast: any ServiceCast.Type
    let source: Source

    enum Source: Sendable {
        /// A closure that builds an instance from a resolver and runtime arguments.
        case factory(Factory)
        /// A closure that builds an instance asynchronously, without runtime arguments.
        case asyncFactory(AsyncFactory)
        /// The key of another service, whose instance this registration returns as another type (`implements`).
        case forward(ServiceKey, isAsync: Bool)
    }

    /// Whether its factory or a completion is asynchronous.
    let isAsync: Bool
    /// Whether it has a shared scope.
    let isShared: Bool
    /// Whether callers and not the container keep an instance alive.
    let isWeak: Bool
    /// Whether each child container has an instance of its own.
    let isPerChild: Bool
    /// Whether each child that verifies its parent has an instance of its own.
    let isPerVerification: Bool
    /// Whether the container keeps instances, and so can close them.
    var isKept: Bool { isShared && !isWeak }

    init<Service>(_ type: Service.Type, key: ServiceKey, options: RegistrationOptions, _ source: Source) {
        (self.key, self.options, self.source) = (key, options, source)
        cast = Cast<Service>.self
        let scope = options.scope.shared
        (isShared, isWeak) = (scope != nil, scope?.isWeak == true)
        (isPerChild, isPerVerification) = (scope == .child, scope != .container)
        isAsync = source.isAsync || options.completions.contains { $0.isAsync }
    }

    var isGivenByChild: Bool { options.isGivenByChild }
    /// The shared scope, or nil if instances are not shared.
    var sharedScope: SharedScope? { options.scope.shared }
    /// Whether a new instance replaces the current one when a property that it was built from changes.
    var follows: Bool { options.draining != nil }
    var completions: [RegistrationOptions.CompletionClosure] { options.completions }
    /// The key of the service that it forwards to, or nil if it has a factory.
    var target: ServiceKey? { if case .forward(let target, _) = source { target } else { nil } }

    /// Returns a copy of this registration with changed options.
    func with(_ change: (inout RegistrationOptions) -> Void) -> Registration {
        var options = options
        change(&options)
        return new(key, options, source)
    }

    /// Creates a registration of another type that forwards to this registration.
    func forwarded(to type: Any.Type, _ qualifier: Qualifier) -> Registration {
        let arguments: Any.Type = key.isHidden ? Void.self : key.arguments
        let view = ServiceKey(service: type, arguments: arguments, qualifier: qualifier)
        return new(
            view, RegistrationOptions(scope: options.scope, place: options.place), .forward(key, isAsync: isAsync))
    }

    /// Creates a registration of the same key whose factory always throws an error.
    func failing(with error: RegistrationFailure) -> Registration {
        new(key, RegistrationOptions(scope: .transient), .factory { _, _ in throw error })
    }

    private func new(_ key: ServiceKey, _ options: RegistrationOptions, _ source: Source) -> Registration {
        func new<Service>(_ type: Service.Type) -> Registration {
            Registration(type, key: key, options: options, source)
        }
        return new(key.service)
    }
}

extension Registration.Source {
    var isAsync: Bool {
        switch self {
        case .factory: false
        case .asyncFactory: true
        case .forward(_, let isAsync): isAsync
        }
    }
}

/// The options of a registration that a `RegistrationEntry` can change.
struct RegistrationOptions: Sendable {
    var scope = Scope.graph
    /// Where the service is registered, or nil if that is not known.
    var place: SourcePlace?
    var completions: [CompletionClosure] = []
    /// The closures of `onClose`, in the order of their addition.
    var closures: [CloseClosure] = []
    /// Whether `start()` and `verify()` leave the service out.
    var isOnDemand = false
    /// Whether it has no factory, because each child container registers the service.
    var isGivenByChild = false
    /// How long a replaced instance stays open, or nil if the service does not follow its settings.
    var draining: Duration?
    /// The shortest and the longest pause before a failed replacement is tried again, or nil if only a change does that.
    var retrying: ClosedRange<Duration>?
    /// The closures of `onReplace`.
    var replaceClosures: [@Sendable ([PropertyChange<PropertyEntry>]) -> Void] = []

    /// A closure of `initCompleted`.
    enum CompletionClosure: Sendable {
        case synchronous(@Sendable (Resolver, StoredInstance) throws -> Void)
        case asynchronous(AsyncClosure)

        typealias AsyncClosure =
            nonisolated(nonsending) @Sendable (AsyncResolver, StoredInstance) async throws -> Void

        var isAsync: Bool { if case .asynchronous = self { true } else { false } }
    }

    /// A closure of `onClose`.
    enum CloseClosure: Sendable {
        case synchronous(@Sendable (StoredInstance) throws -> Void)
        case asynchronous(@Sendable (StoredInstance) async throws -> Void)
    }
}

/// The file and the line of a registration.
package struct SourcePlace: Sendable, Equatable, CustomStringConvertible {
    private let fileID: StaticString
    private let line: UInt

    package init(fileID: StaticString, line: UInt) { (self.fileID, self.line) = (fileID, line) }

    package var description: String { "\(fileID):\(line)" }

    package static func == (one: SourcePlace, other: SourcePlace) -> Bool {
        one.line == other.line && one.description == other.description
    }
}
