/// An instance in its static type, so that who finds it needs no cast.
@usableFromInline
final class Instance<Service>: @unchecked Sendable {
    // @unchecked: who shares an instance between threads has a `Sendable` service, or has said `unchecked:`.
    @usableFromInline let value: Service
    /// The first of the `InstanceView`s: the same instance under types that its registration is forwarded for.
    private let views = AtomicReference<InstanceView>()

    /// The service in an object that is an `Instance<Service>`, which the caller knows: a registration stores nothing
    /// but an instance of its service, and is found by the service's identity.
    @inlinable
    @unsafe
    static func value(of object: AnyObject) -> Service { unsafe unsafeDowncast(object, to: Instance.self).value }

    /// The service, for code that is not specialised: the object knows where it is, so nobody looks up its type.
    @inline(never)
    func copy() -> Service { value }

    required init(_ value: Service) { self.value = value }

    /// The instance as another type, if it has been cast to it before.
    func knownView<View>(as type: View.Type) -> View? {
        unsafe views.load()?._withUnsafeGuaranteedRef { $0.find(type) } ?? nil
    }

    /// The instance as another type, cast once and then kept; nil where it is none.
    func view<View>(as type: View.Type) -> View? {
        while true {
            if let known = knownView(as: type) { return known }
            // Nodes stay in the list as long as the instance lives.
            let first = unsafe views.load()?.takeUnretainedValue()
            guard let view = value as? View else { return nil }
            if views.replace(first, with: InstanceView(type, Instance<View>(view), next: first)) { return view }
        }
    }
}

/// A node of the list of an instance's views.
private final class InstanceView {
    private let type: ObjectIdentifier
    private let instance: AnyObject
    private let next: InstanceView?

    init(_ type: Any.Type, _ instance: AnyObject, next: InstanceView?) {
        self.type = ObjectIdentifier(type)
        self.instance = instance
        self.next = next
    }

    func find<View>(_ view: View.Type) -> View? {
        // `type` is the identity of `View`, and a node's instance is an `Instance` of its type.
        type == ObjectIdentifier(view)
            ? unsafe unsafeDowncast(instance, to: Instance<View>.self).value : next?.find(view)
    }
}
