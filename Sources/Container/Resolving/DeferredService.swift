import SharedState
import Synchronization

/// The service that a `Lazy` or a `Provider` resolves later.
final class DeferredService: Sendable {
    /// The container from which the service is resolved.
    let container: Container
    private let key: ServiceKey
    /// The registration of the service, or nil if a shared instance existed already.
    private let registration: Registration?
    private let state = Lock(State())

    private struct State {
        /// The instance of a `Lazy` of an unshared service, from the time when it has been read and is complete.
        var instance: StoredInstance?
        /// The instance that the graph has built for others. The reference is weak, because that may need the `Lazy`.
        var graphInstance: WeakInstance?
    }

    init(_ key: ServiceKey, in container: Container, _ registration: Registration?) {
        (self.key, self.container, self.registration) = (key, container, registration)
    }

    /// Resolves the service as a part of the graph that a factory or completion belongs to, or in a new graph.
    func resolve() throws(ResolutionError) -> StoredInstance {
        try resolve(ResolvingThread.current.resolver(for: self) ?? outermost)
    }

    /// Returns the same instance at each call. A shared service is looked up each time, so that nothing is kept.
    func single() throws(ResolutionError) -> StoredInstance {
        if registration?.isShared ?? true { return try resolve() }
        let (instance, graphInstance) = state.withLock { ($0.instance, $0.graphInstance) }
        if let instance = instance ?? registration.flatMap({ graphInstance?.instance(of: $0) }) { return instance }
        if let r = ResolvingThread.current.resolver(for: self), let graph = r.graph {
            if let found = graph.find(self, for: container) { return found }
            let instance = try resolve(r)
            graph.keep(instance, of: self, for: container)
            return instance
        }
        let new = try resolve(outermost)
        return state.withLock { state in
            state.instance = state.instance ?? new
            return state.instance ?? new
        }
    }

    /// A resolver for a new graph.
    private var outermost: Resolver {
        Resolver(container: container, frame: nil, graph: Graph(of: nil, isOutermost: true))
    }

    private func resolve(_ r: Resolver) throws(ResolutionError) -> StoredInstance {
        try r.requiredInstance(container.lookUp(key), key.service, key.qualifier.name)
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
            state.withLock { $0.graphInstance = WeakInstance(made, of: maker) }
        }
    }
}
