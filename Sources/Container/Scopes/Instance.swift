/// An instance in its static type, so that who finds it needs no cast.
final class Instance<Service>: @unchecked Sendable {
    // @unchecked: who shares an instance between threads has a `Sendable` service, or has said `unchecked:`.
    let value: Service
    /// The first of the `InstanceView`s: the same instance under types that its registration is forwarded for.
    private let views = AtomicReference<InstanceView>()

    init(_ value: Service) { self.value = value }

    /// The instance as another type, cast once and then kept; nil where it is none.
    func view<View>(as type: View.Type) -> View? {
        while true {
            // Nodes stay in the list as long as the instance lives.
            let first = unsafe views.load()?.takeUnretainedValue()
            if let found = first?.find(type) { return found }
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
        var node: InstanceView? = self
        while let current = node {
            if current.type == ObjectIdentifier(view) {
                // `type` is the identity of `View`, and a node's instance is an `Instance` of its type.
                return unsafe unsafeDowncast(current.instance, to: Instance<View>.self).value
            }
            node = current.next
        }
        return nil
    }
}
