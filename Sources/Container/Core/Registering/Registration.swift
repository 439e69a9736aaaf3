import Synchronization

/// The factory and the options of a service.
///
/// A registration does not change once the registry has passed it on: the registry replaces it by a copy.
@usableFromInline
package final class Registration: @unchecked Sendable {
    // @unchecked: only `change(_:)` changes a property. The registry calls it under its lock, and only if it has the only
    // reference.

    /// Identifies the registration and its copies with other options.
    let id: UInt64
    typealias Factory = @Sendable (Resolver, StoredInstance?) throws -> StoredInstance
    typealias AsyncFactory =
        nonisolated(nonsending) @Sendable (AsyncResolver) async throws -> StoredInstance

    package let key: ServiceKey
    private(set) var options: RegistrationOptions
    let source: Source

    enum Source: Sendable {
        /// A closure that builds an instance from a resolver and runtime arguments.
        case factory(Factory)
        /// A closure that builds an instance asynchronously, without runtime arguments.
        case asyncFactory(AsyncFactory)
        /// The key of another service, whose instance this registration returns as another type (`implements`), and the
        /// cast to the other type. The options of the other service hold: see `Container.builder(of:)`.
        case forward(ServiceKey, any ServiceCast.Type)
    }

    private static let lastID = Atomic<UInt64>(0)

    /// Whether its factory or a completion is asynchronous.
    private(set) var isAsync = false
    /// Whether it has a shared scope.
    private(set) var isShared = false
    /// Whether callers and not the container keep an instance alive.
    private(set) var isWeak = false
    /// Whether each child container has an instance of its own.
    private(set) var isPerChild = false
    /// Whether each child container has an instance of its own, or registers the service itself.
    var isOfChildren: Bool { isPerChild || isGivenByChild }
    /// Whether each child that verifies its parent has an instance of its own.
    private(set) var isPerVerification = false
    /// Whether the container keeps instances, and so can close them.
    var isKept: Bool { isShared && !isWeak }

    init(_ key: ServiceKey, _ options: RegistrationOptions, _ source: Source, id: UInt64? = nil) {
        (self.key, self.options, self.source) = (key, options, source)
        self.id = id ?? Self.lastID.wrappingAdd(1, ordering: .relaxed).newValue
        derive()
    }

    /// Changes the options. The caller must have the only reference to the registration.
    func change(_ change: (inout RegistrationOptions) -> Void) {
        // Not in place: a long access would make the compiler check each read for overlaps.
        var new = options
        change(&new)
        options = new
        derive()
    }

    /// Sets the properties that depend on the options.
    private func derive() {
        let scope = options.scope.shared
        (isShared, isWeak) = (scope != nil, scope?.isWeak == true)
        (isPerChild, isPerVerification) = (scope == .child, scope != .container)
        isAsync = source.isAsync || options.completions.contains(where: \.isAsync)
    }

    var isGivenByChild: Bool { options.isGivenByChild }
    /// The shared scope, or nil if instances are not shared.
    var sharedScope: SharedScope? { options.scope.shared }
    /// Whether a new instance replaces the current one when a property that it was built from changes.
    var follows: Bool { options.life.draining != nil }
    var completions: [RegistrationOptions.CompletionClosure] { options.completions }
    /// The key of the service that it forwards to, or nil if it has a factory.
    var target: ServiceKey? { if case .forward(let target, _) = source { target } else { nil } }

    /// Converts between the service and its stored form.
    var cast: any ServiceCast.Type { if case .forward(_, let cast) = source { cast } else { key.cast } }

    /// Returns a copy of this registration with changed options.
    func with(_ change: (inout RegistrationOptions) -> Void) -> Registration {
        var options = options
        change(&options)
        return Registration(key, options, source, id: id)
    }

    /// Creates a registration of another type that forwards to this registration.
    func forwarded(to type: Any.Type, _ qualifier: Qualifier) -> Registration {
        let arguments: Any.Type = key.isHidden ? Void.self : key.arguments
        let view = ServiceKey(service: type, arguments: arguments, qualifier: qualifier)
        return Registration(view, RegistrationOptions(place: options.place), .forward(key, view.cast))
    }

    /// Creates a registration of the same key whose factory always throws an error.
    func failing(with error: RegistrationFailure) -> Registration {
        Registration(key, RegistrationOptions(scope: .transient), .factory { _, _ in throw error })
    }
}

extension Registration.Source {
    var isAsync: Bool { if case .asyncFactory = self { true } else { false } }
}

/// The options of a registration that a `RegistrationEntry` can change.
struct RegistrationOptions: Sendable {
    var scope = Scope.graph
    /// Where the service is registered, or nil if that is not known.
    var place: SourcePlace?
    var completions: [CompletionClosure] = []
    /// Whether its factory only throws, because each child container registers the service.
    var isGivenByChild = false
    /// The options for closing, following and starting.
    var life = LifeOptions()

    /// A closure of `initCompleted`.
    enum CompletionClosure: Sendable {
        case synchronous(@Sendable (Resolver, StoredInstance) throws -> Void)
        case asynchronous(AsyncClosure)

        typealias AsyncClosure =
            nonisolated(nonsending) @Sendable (AsyncResolver, StoredInstance) async throws -> Void

        var isAsync: Bool { if case .asynchronous = self { true } else { false } }
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
