/// A registration, whatever its service: what the table holds, and the state of a shared instance.
///
/// What it says never changes; a changed registration is a new one in its place.
@safe
class AnyRegistration: @unchecked Sendable {
    // @unchecked: the variables are guarded by `Construction.monitor`; the rest is set once or atomic.
    let key: ServiceKey
    let scope: Scope
    /// Lives as long as its registrations are used: they stand in its table, and who resolves holds it.
    unowned(unsafe) let owner: Container
    /// Whether `verify()` leaves it out.
    let isVerified: Bool

    /// The `Instance` that shared scopes give to everybody.
    let instance = AtomicReference<AnyObject>()
    var weakInstance: Weak?
    /// The making of a shared instance that is under way.
    var construction: Construction?
    /// Whether another registration stands in its place.
    var isReplaced = false

    init(key: ServiceKey, scope: Scope, owner: Container, isVerified: Bool) {
        self.key = key
        self.scope = scope
        unsafe self.owner = owner
        self.isVerified = isVerified
    }

    /// What forwards stand for; nil for others.
    var forwardedService: Any.Type? { nil }

    /// Builds it for `verify()`; only where it needs no arguments.
    func verify(for asked: Container, on thread: ThreadState) throws(ResolutionError) {}
}

/// An object that is not kept alive.
struct Weak {
    weak var object: AnyObject?
}
