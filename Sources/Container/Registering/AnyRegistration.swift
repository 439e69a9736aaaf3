/// A registration, whatever its service: what the table holds, and the state of a shared instance.
///
/// What it says never changes; a changed registration is a new one in its place.
@safe
package class AnyRegistration: @unchecked Sendable {
    // @unchecked: the variables are guarded by `PendingInstance.monitor`; the rest is set once or atomic.
    package let key: ServiceKey
    let scope: Scope
    /// Lives as long as its registrations are used: they stand in its table, and who resolves holds it.
    unowned(unsafe) let owner: Container
    /// Whether `verify()` leaves it out.
    let isVerified: Bool
    /// The registration that it stands for, under another type or name.
    let target: AnyRegistration?
    /// Whether the service's type is a class, and not a protocol: then an instance stands for itself, else it is in a
    /// `Box`.
    let isClass: Bool
    let isWeak: Bool
    /// Whether its scope shares instances.
    let isSharing: Bool

    /// What a shared scope gives to everybody: an object or a `Box`, in a weak scope a `Weak`.
    let instance = AtomicReference<AnyObject>()
    /// The shared instance that is under construction, and those that were when the scope was reset.
    var pending: [PendingInstance] = []
    /// How many keys lead to it: its own, and those of the registrations that stand for it.
    var places = 0

    init(
        key: ServiceKey, scope: Scope, owner: Container, isVerified: Bool, target: AnyRegistration?, isClass: Bool
    ) {
        self.key = key
        self.scope = scope
        unsafe self.owner = owner
        self.isVerified = isVerified
        self.target = target
        self.isClass = isClass
        isWeak = scope.shared?.isWeak == true
        isSharing = scope.shared != nil
    }

    /// Builds it for `verify()`; only where it needs no arguments.
    func verify(for asked: Container) throws(ResolutionError) {}

    /// A registration of another type that gives this one's instances, in the name of who asked.
    func forwarded<View>(to type: View.Type, _ qualifier: Qualifier) -> AnyRegistration { self }

    /// What `instance` has held, as another type.
    func view<View>(of stored: AnyObject, as type: View.Type) -> View? { nil }
}

// MARK: - Places

extension AnyRegistration {
    /// Stores the shared instance for everybody, unless nobody finds this registration any more. Call it under
    /// the monitor.
    func keep(_ stored: AnyObject) { if places > 0 { _ = instance.exchange(stored) } }

    /// Notes that a key leads to it. Call it under the monitor.
    func gainPlace() {
        places += 1
        target?.places += 1
    }

    /// Notes that a key leads to another one now. Call it under the monitor.
    ///
    /// - Returns: the registrations to which no key leads any more.
    func losePlace() -> [AnyRegistration] {
        places -= 1
        target?.places -= 1
        return [self, target].compactMap { $0 }.filter { $0.places == 0 }
    }
}
