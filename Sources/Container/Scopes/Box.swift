/// A service that is no object, in one, so that who finds it needs no cast.
@usableFromInline
final class Box<Service>: @unchecked Sendable {
    // @unchecked: who shares an instance between threads has a `Sendable` service, or has said `unchecked:`.
    @usableFromInline let value: Service

    /// The service, for code that is not specialised: the object knows where it is, so nobody looks up its type.
    @inline(never)
    func copy() -> Service { value }

    required init(_ value: Service) { self.value = value }
}

/// An object that is not kept alive.
final class Weak: @unchecked Sendable {
    // @unchecked: it is set once, and the runtime lets any thread read it while the object goes away.
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject?) { self.object = object }
}
