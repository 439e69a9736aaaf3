import SharedState
import Synchronization

/// A service that is resolved when it is first read. An unshared one is then kept, a shared one is looked up each time.
///
///     container.register(Editor.self) { r in Editor(printer: try r.require(Lazy<Printer>.self)) }
///
/// `Lazy<A>` can be resolved wherever `A` is registered without runtime arguments. It is `Sendable` if the service is.
///
/// While the graph in which it was resolved is built, it resolves an unshared service from that graph, on the same
/// thread. Afterwards it returns the graph's instance of a service in `.graph`, if that instance still exists, and
/// resolves any other service in a new graph.
public struct Lazy<Service>: DeferringService {
    let deferred: DeferredService

    /// The service. If it cannot be resolved, the process ends with the text of the `ResolutionError`.
    public var instance: Service { do { return try get() } catch { fatalError("Lazy: \(error)") } }

    /// Returns the service. If several threads are the first to read an unshared one at the same time, each of them may
    /// run the factory, and all get the instance that was complete first.
    ///
    /// - Throws: a `ResolutionError` with the path to the service that failed. The next read tries again.
    public func get() throws(ResolutionError) -> Service {
        try deferred.single().service(as: Service.self)
    }
}

/// A service that is resolved each time that it is read, as its scope requires.
///
///     container.register(Queue.self) { r in Queue(jobs: try r.require(Provider<Job>.self)) }
///
/// `Provider<A>` can be resolved wherever `A` is registered without runtime arguments. It is `Sendable` if the service
/// is.
///
/// While the graph in which it was resolved is built, it resolves the service from that graph, on the same thread.
/// Afterwards each read starts a new graph.
public struct Provider<Service>: DeferringService {
    let deferred: DeferredService

    /// The service. If it cannot be resolved, the process ends with the text of the `ResolutionError`.
    public var instance: Service { do { return try get() } catch { fatalError("Provider: \(error)") } }

    /// Resolves the service.
    ///
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    public func get() throws(ResolutionError) -> Service {
        try deferred.resolve(isProviding: true).service(as: Service.self)
    }
}

// A `DeferredService` is safe for several threads only if its service is `Sendable`.
extension Lazy: Sendable where Service: Sendable {}
extension Provider: Sendable where Service: Sendable {}

// MARK: - What both resolve

/// The service that a `Lazy` or a `Provider` resolves later.
final class DeferredService: Sendable {
    /// The container from which the service is resolved.
    let container: Container
    let key: ServiceKey
    /// The registration of the service. Nil if a shared instance existed already, for the container itself, and for an
    /// optional service.
    private let registration: Registration?
    /// The registration that builds it: the same, or one that it forwards to.
    private let maker: Registration?
    /// Whether a `Lazy` looks the service up each time.
    private let isShared: Bool
    private let state = Lock(State())

    private struct State {
        /// The instance of a `Lazy` of an unshared service, from the time when it has been read and is complete.
        var instance: StoredInstance?
        /// The instance that the graph has built for others. The reference is weak, because that may need the `Lazy`.
        var graphInstance: WeakInstance?
    }

    init(_ key: ServiceKey, in container: Container, _ found: Registration? = nil) {
        (self.key, self.container) = (key, container)
        // The instance of an optional service is not that of the registration.
        let builder = found.flatMap { $0.target == nil ? $0 : container.maker(of: $0.key) }
        let isOptional = key.service is any OptionalService.Type
        (registration, maker) = isOptional ? (nil, nil) : (found, builder)
        isShared = builder?.isShared ?? true
    }

    /// Whether another deferred service of the same graph must have the same instance.
    func hasInstance(of other: DeferredService) -> Bool {
        registration?.options.scope == .graph && registration === other.registration && container === other.container
    }

    /// Takes the complete instance that the graph has for this service.
    func settle(in graph: Graph) {
        if let read = graph.find(self, for: container) {
            state.withLock { $0.instance = $0.instance ?? read }
        } else if let maker, let made = graph.find(maker, for: container) {
            state.withLock { $0.graphInstance = WeakInstance(made, maker.form) }
        }
    }

    /// Resolves the service as a part of the graph that a factory or completion belongs to, or in a new graph.
    func resolve(isProviding: Bool = false) throws(ResolutionError) -> StoredInstance {
        var r = ResolvingThread.current.resolver(for: self) ?? outermost
        r.isProviding = isProviding
        return try resolve(r)
    }

    /// Returns the same instance at each call. The instance of a shared service is not kept here but looked up at each
    /// call.
    func single() throws(ResolutionError) -> StoredInstance {
        if isShared { return try resolve() }
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
        Resolver(container: container)
    }

    private func resolve(_ r: Resolver) throws(ResolutionError) -> StoredInstance {
        try r.requiredInstance(r.lookUp(key), key, nil)
    }
}
