import SharedState
import Synchronization

/// The service that a `Lazy` or a `Provider` resolves later.
final class DeferredService: Sendable {
    /// The container from which the service is resolved.
    let container: Container
    let key: ServiceKey
    /// The registration of the service, or nil if a shared instance existed already.
    let registration: Registration?
    let state = Lock(State())

    struct State {
        /// The instance of a `Lazy` of an unshared service, from the time when it has been read and is complete.
        var instance: StoredInstance?
        /// The instance that the graph has built for others. The reference is weak, because that may need the `Lazy`.
        var graphInstance: WeakInstance?
    }

    init(_ key: ServiceKey, in container: Container, _ registration: Registration?) {
        (self.key, self.container, self.registration) = (key, container, registration)
    }

    /// Whether another deferred service of the same graph must have the same instance.
    func hasInstance(of other: DeferredService) -> Bool {
        registration?.options.scope == .graph && registration === other.registration && container === other.container
    }

    /// Takes the complete instance that the graph has for this service.
    func settle(in graph: Graph) {
        if let read = graph.find(self, for: container) {
            state.withLock { $0.instance = $0.instance ?? read }
        } else if let maker = registration.map({ $0.target ?? $0 }), let made = graph.find(maker, for: container) {
            state.withLock { $0.graphInstance = WeakInstance(made, maker.form) }
        }
    }
}
