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
    /// The registration that it stands for, if it stands for one.
    let forwards: ServiceKey?
    let isForward: Bool
    let isWeak: Bool

    /// The `Instance` that shared scopes give to everybody.
    let instance = AtomicReference<AnyObject>()
    var weakInstance: Weak?
    /// The making of a shared instance that is under way.
    var construction: Construction?
    /// Whether another registration stands in its place.
    var isReplaced = false

    init(key: ServiceKey, scope: Scope, owner: Container, isVerified: Bool, forwards: ServiceKey?) {
        self.key = key
        self.scope = scope
        unsafe self.owner = owner
        self.isVerified = isVerified
        self.forwards = forwards
        isForward = forwards != nil
        isWeak = if case .shared(let shared) = scope { shared.isWeak } else { false }
    }

    /// Builds it for `verify()`; only where it needs no arguments.
    func verify(for asked: Container) throws(ResolutionError) {}

    /// Refuses registrations that only stand for each other.
    func checkForwards(from view: ServiceKey, in asked: Container) throws(ResolutionError) {
        guard isForward else { return }
        var (next, path) = (self, [view, key])
        while let target = next.forwards, let found = unsafe asked.find(target)?.takeUnretainedValue() {
            let isCircle = path.contains { $0 == target }
            path.append(target)
            if isCircle { throw ResolutionError(.circular, path: path, in: asked) }
            next = found
        }
    }
}

/// An object that is not kept alive.
struct Weak {
    weak var object: AnyObject?
}
