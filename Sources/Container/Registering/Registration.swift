import SharedState
import Synchronization

/// The factory and the options of a service, and its shared instance.
///
/// The factory and the options are immutable. To change them, the container replaces the registration by a new one.
@safe
@usableFromInline
package final class Registration: @unchecked Sendable {
    // @unchecked: `Container.monitor` guards the variables. All other properties are immutable or atomic.
    typealias Factory = @Sendable (Resolver, Any) throws -> AnyObject
    typealias AsyncFactory = @Sendable (AsyncResolver, any Sendable) async throws -> AnyObject

    package let key: ServiceKey
    let options: RegistrationOptions
    let form: any ServiceForm.Type
    let source: Source
    /// The container that the registration belongs to.
    var owner: Container { unsafe unownedOwner }
    // Not retained, because the container retains its registrations. Safe, because a thread that resolves keeps the
    // container alive.
    private unowned(unsafe) let unownedOwner: Container
    /// The container that the instance belongs to if a caller resolves from `asked`.
    func owner(for asked: Container) -> Container { isPerChild ? asked : owner }
    /// Whether its instances are stored in a `Box`.
    let isBoxed: Bool
    /// Whether its scope is weak.
    let isWeak: Bool
    /// Whether its scope is a shared one, weak scopes included.
    let isSharing: Bool
    /// Whether its instances can be closed: the container must keep them.
    var canClose: Bool { isSharing && !isWeak }
    /// Whether each child of the owner has an instance of its own.
    let isPerChild: Bool
    /// The registration of an ancestor of which this one is a child's copy, or nil. See `Container.adopt(_:)`.
    let origin: Registration?
    /// Whether its factory or a completion is asynchronous.
    let isAsync: Bool
    /// Whether `verify()` runs the factory.
    let isVerified: Bool

    /// The shared instance, if it exists: a service object, a `Box`, or in a weak scope a `Weak`. Threads read it under
    /// the owner's hazard.
    let instance = UnprotectedReference<AnyObject>()
    /// The number of keys in the owner's table that resolve to this registration: its own key, and those of the
    /// registrations that forward to it.
    private var places = 0
    /// The number of times that `forget()` has removed the shared instance.
    private(set) var resets = 0

    #if DEBUG
        private let hasCaptured = Atomic(false)
        /// Whether a closure of the registration resolves from a captured container for the first time. The copies for
        /// children count as one registration.
        var isFirstCapture: Bool { !(origin ?? self).hasCaptured.exchange(true, ordering: .relaxed) }
    #endif

    enum Source {
        /// A closure that builds an instance from a resolver and runtime arguments, and returns it in its stored form.
        case factory(Factory)
        /// The same, for an asynchronous factory.
        case asyncFactory(AsyncFactory)
        /// Another registration, whose instance this one returns as another type (`implements`).
        case forward(Registration)

        var isAsync: Bool { if case .asyncFactory = self { true } else { false } }
    }

    init<Service>(
        _ type: Service.Type, key: ServiceKey, options: RegistrationOptions, owner: Container, _ source: Source,
        origin: Registration? = nil
    ) {
        self.key = key
        self.options = options
        form = Box<Service>.self
        isBoxed = Box<Service>.isBoxed
        unsafe unownedOwner = owner
        self.source = source
        isWeak = options.scope.shared?.isWeak == true
        isSharing = options.scope.shared != nil
        isPerChild = options.scope.shared == .child
        self.origin = origin
        isAsync = source.isAsync || options.completions.contains { $0.isAsync }
        isVerified = options.isVerified && !isAsync
    }

    /// The registration that it forwards to, or nil if it has a factory.
    var target: Registration? { if case .forward(let target) = source { target } else { nil } }

    /// Returns a copy of this registration with changed options and without an instance.
    func with(_ change: (inout RegistrationOptions) -> Void) -> Registration {
        var options = options
        change(&options)
        return new(key, options, owner, source)
    }

    /// Returns a copy of this registration for a child of its owner, without an instance. If this registration
    /// forwards, the copy forwards to `target`.
    func copy(for child: Container, forwardingTo target: Registration?) -> Registration {
        new(key, options, child, target.map { .forward($0) } ?? source, origin: origin ?? self)
    }

    /// Creates a registration of another type that forwards to this one.
    func forwarded(to type: Any.Type, _ qualifier: Qualifier) -> Registration {
        let view = ServiceKey(service: type, arguments: key.arguments, qualifier: qualifier)
        return new(view, RegistrationOptions(scope: options.scope), owner, .forward(self))
    }

    private func new(
        _ key: ServiceKey, _ options: RegistrationOptions, _ owner: Container, _ source: Source,
        origin: Registration? = nil
    ) -> Registration {
        func new<Service>(_ type: Service.Type) -> Registration {
            Registration(type, key: key, options: options, owner: owner, source, origin: origin)
        }
        return new(key.service)
    }

    /// The result of a lookup that has found this registration. The caller must be under the owner's hazard.
    /// `isInherited` is whether the lookup began in a child of the owner.
    func lookupResult(isInherited: Bool) -> LookupResult {
        guard !isWeak, !(isInherited && isPerChild), !Container.isVerifying, let object = instance.copy() else {
            return .registration(self)
        }
        return .instance(StoredInstance(object, isBoxed: isBoxed))
    }
}

/// The options of a registration that a `RegistrationEntry` can change.
struct RegistrationOptions: Sendable {
    var scope = Scope.graph
    var completions: [Completion] = []
    /// The closures of `onClose`, in the order in which they were added.
    var closures: [CloseHook.Closure] = []
    /// Whether `verify()` resolves the registration if it is synchronous.
    var isVerified = true
    /// Whether `start()` resolves the registration.
    var isEager = false

    /// A closure of `initCompleted`. It takes the instance in its stored form.
    enum Completion: Sendable {
        case synchronous(@Sendable (Resolver, AnyObject) throws -> Void)
        case asynchronous(@Sendable (AsyncResolver, AnyObject) async throws -> Void)

        var isAsync: Bool { if case .asynchronous = self { true } else { false } }
    }
}

// MARK: - The shared instance

// The caller of these methods must hold the monitor.

extension Registration {
    /// Publishes a shared instance, unless the registration has been removed and nothing forwards to it.
    func keep(_ stored: AnyObject) {
        if places == 0 { return }
        if let old = instance.exchange(stored) { owner.retire(old) }
    }

    /// Removes the shared instance. An instance that is under construction will not be published.
    ///
    /// - Returns: the removed instance, which readers may still use.
    func forget() -> AnyObject? {
        resets += 1
        return instance.exchange(nil)
    }

    /// Records that a key in the owner's table now resolves to this registration.
    func gainPlace() {
        places += 1
        target?.places += 1
    }

    /// Records that a key in the owner's table no longer resolves to this registration. If no other key does, this
    /// removes the shared instance. The same holds for the registration that this one forwards to.
    ///
    /// - Returns: the removed instances, which readers may still use.
    func losePlace() -> [AnyObject] {
        places -= 1
        target?.places -= 1
        return [self, target].compactMap { $0?.places == 0 ? $0?.forget() : nil }
    }
}
