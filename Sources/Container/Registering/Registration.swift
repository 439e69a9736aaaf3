import SharedState
import Synchronization

/// How a service is made and kept, and the state of its shared instance.
///
/// Its description never changes: to change it, a new registration takes its place.
@safe
@usableFromInline
package final class Registration: @unchecked Sendable {
    // @unchecked: `Container.monitor` guards the variables; everything else is set once or atomic.
    typealias Factory = @Sendable (Resolver, Any) throws -> AnyObject

    package let key: ServiceKey
    let options: RegistrationOptions
    let form: any ServiceForm.Type
    let source: Source
    /// The container that has the registration.
    var owner: Container { unsafe unownedOwner }
    // Safe: the container keeps its registrations, and a thread that resolves keeps the container.
    private unowned(unsafe) let unownedOwner: Container
    let isBoxed: Bool
    let isWeak: Bool
    /// Whether its scope shares instances.
    let isSharing: Bool

    /// The shared instance: an object, a `Box`, or in a weak scope a `Weak`. Its readers are under the owner's hazard.
    let instance = UnprotectedReference<AnyObject>()
    /// How many keys lead to it: its own, and those of the registrations that forward to it.
    private var places = 0
    /// How often its instance has been forgotten.
    private(set) var resets = 0

    enum Source {
        /// Makes an instance of a resolver and runtime arguments, and stores it.
        case factory(Factory)
        /// Takes the instance of another registration, as another type.
        case forward(Registration)
    }

    init<Service>(
        _ type: Service.Type, key: ServiceKey, options: RegistrationOptions, owner: Container, _ source: Source
    ) {
        self.key = key
        self.options = options
        form = Box<Service>.self
        isBoxed = Box<Service>.isBoxed
        unsafe unownedOwner = owner
        self.source = source
        isWeak = options.scope.shared?.isWeak == true
        isSharing = options.scope.shared != nil
    }

    /// The registration that it forwards to.
    var target: Registration? { if case .forward(let target) = source { target } else { nil } }

    /// A registration with other options.
    func with(_ change: (inout RegistrationOptions) -> Void) -> Registration {
        func changed<Service>(_ type: Service.Type) -> Registration {
            var options = options
            change(&options)
            return Registration(type, key: key, options: options, owner: owner, source)
        }
        return changed(key.service)
    }

    /// A registration of another type that forwards to this one.
    func forwarded(to type: Any.Type, _ qualifier: Qualifier) -> Registration {
        func forwarded<View>(_ type: View.Type) -> Registration {
            let view = ServiceKey(service: type, arguments: key.arguments, qualifier: qualifier)
            let options = RegistrationOptions(scope: options.scope)
            return Registration(type, key: view, options: options, owner: owner, .forward(self))
        }
        return forwarded(type)
    }

    /// What a lookup finds. The caller is under the owner's hazard.
    var lookupResult: LookupResult {
        guard !isWeak, !Container.isVerifying, let object = instance.copy() else { return .registration(self) }
        return .instance(StoredInstance(object, isBoxed: isBoxed))
    }
}

/// What a `RegistrationEntry` can change.
struct RegistrationOptions: Sendable {
    var scope = Scope.graph
    var completions: [@Sendable (Resolver, AnyObject) throws -> Void] = []
    /// Whether `verify()` builds it.
    var isVerified = true
}

// MARK: - The shared instance

// Call these under the monitor.

extension Registration {
    /// Keeps the shared instance for everybody, unless no key leads to this registration any more.
    func keep(_ stored: AnyObject) {
        if places == 0 { return }
        if let old = instance.exchange(stored) { owner.retire(old) }
    }

    /// Forgets the shared instance. One that is under construction will not be kept.
    ///
    /// - Returns: the instance, which readers may still use.
    func forget() -> AnyObject? {
        resets += 1
        return instance.exchange(nil)
    }

    /// Notes that a key leads to it.
    func gainPlace() {
        places += 1
        target?.places += 1
    }

    /// Notes that a key no longer leads to it, and forgets the instances that no key leads to any more.
    ///
    /// - Returns: the instances, which readers may still use.
    func losePlace() -> [AnyObject] {
        places -= 1
        target?.places -= 1
        return [self, target].compactMap { $0?.places == 0 ? $0?.forget() : nil }
    }
}
