/// The factory and the options of a service.
///
/// A registration is immutable. To change it, the container replaces it by a new one.
@usableFromInline
package final class Registration: Sendable {
    typealias Factory = @Sendable (Resolver, StoredInstance?) throws -> StoredInstance
    typealias AsyncFactory =
        nonisolated(nonsending) @Sendable (AsyncResolver) async throws -> StoredInstance

    package let key: ServiceKey
    let options: RegistrationOptions
    let form: any ServiceForm.Type
    let source: Source

    enum Source: Sendable {
        /// A closure that builds an instance from a resolver and runtime arguments.
        case factory(Factory)
        /// A closure that builds an instance asynchronously, without runtime arguments.
        case asyncFactory(AsyncFactory)
        /// Another registration, whose instance this one returns as another type (`implements`).
        case forward(Registration)
    }

    init<Service>(_ type: Service.Type, key: ServiceKey, options: RegistrationOptions, _ source: Source) {
        (self.key, self.options, self.source) = (key, options, source)
        form = Form<Service>.self
        isShared = options.scope.shared != nil
        isAsync = source.isAsync || options.completions.contains { $0.isAsync }
    }

    /// Whether its factory or a completion is asynchronous.
    let isAsync: Bool
    /// Whether it has a shared scope.
    let isShared: Bool
    /// The shared scope, or nil if instances are not shared.
    var sharedScope: SharedScope? { options.scope.shared }
    /// Whether callers and not the container keep an instance alive.
    var isWeak: Bool { sharedScope?.isWeak == true }
    /// Whether each child container has an instance of its own.
    var isPerChild: Bool { sharedScope == .child }
    /// Whether a new instance replaces the current one when a property that it was built from changes.
    var follows: Bool { options.draining != nil }
    /// Whether the container keeps instances, and so can close them.
    var isKept: Bool { sharedScope.map { !$0.isWeak } ?? false }
    /// The registration that it forwards to, or nil if it has a factory.
    var target: Registration? { if case .forward(let target) = source { target } else { nil } }

    /// Returns a copy of this registration with changed options.
    func with(_ change: (inout RegistrationOptions) -> Void) -> Registration {
        var options = options
        change(&options)
        return new(key, options, source)
    }

    /// Creates a registration of another type that forwards to this one.
    func forwarded(to type: Any.Type, _ qualifier: Qualifier) -> Registration {
        let view = ServiceKey(service: type, arguments: key.arguments, qualifier: qualifier)
        return new(view, RegistrationOptions(scope: options.scope), .forward(self))
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
        case .forward(let target): target.isAsync
        }
    }
}

/// The options of a registration that a `RegistrationEntry` can change.
struct RegistrationOptions: Sendable {
    var scope = Scope.graph
    var completions: [Completion] = []
    /// The closures of `onClose`, in the order in which they were added.
    var closures: [CloseHook.Closure] = []
    /// Whether `start()` and `verify()` leave the service out.
    var isOnDemand = false
    /// How long a replaced instance stays open, or nil if the service does not follow its settings.
    var draining: Duration?
    /// The closures of `onReplace`.
    var replaceClosures: [@Sendable ([PropertyChange<PropertyEntry>]) -> Void] = []

    /// A closure of `initCompleted`.
    enum Completion: Sendable {
        case synchronous(@Sendable (Resolver, StoredInstance) throws -> Void)
        case asynchronous(AsyncClosure)

        typealias AsyncClosure =
            nonisolated(nonsending) @Sendable (AsyncResolver, StoredInstance) async throws -> Void

        var isAsync: Bool { if case .asynchronous = self { true } else { false } }
    }
}
