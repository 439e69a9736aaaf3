import SharedState
import Synchronization

extension DeferredService {
    /// Resolves the service as a part of the graph that a factory or completion belongs to, or in a new graph.
    func resolve() throws(ResolutionError) -> StoredInstance {
        try resolve(ResolvingThread.current.resolver(for: self) ?? outermost)
    }

    /// Returns the same instance at each call. A shared service is looked up each time, so that nothing is kept.
    func single() throws(ResolutionError) -> StoredInstance {
        if registration?.isShared ?? true { return try resolve() }
        let (instance, graphInstance) = state.withLock { ($0.instance, $0.graphInstance) }
        if let instance = instance ?? registration.flatMap({ graphInstance?.instance($0.form) }) { return instance }
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
        Resolver(container: container, frame: nil, graph: Graph(of: nil))
    }

    private func resolve(_ r: Resolver) throws(ResolutionError) -> StoredInstance {
        try r.requiredInstance(r.find(key), key, nil)
    }
}
