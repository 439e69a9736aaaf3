import SharedState
import Synchronization

/// A service that is resolved when it is first read. An unshared service is then kept, and a shared service is looked
/// up at each read.
///
///     container.register(Editor.self) { r in Editor(printer: try r.require(Lazy<Printer>.self)) }
///
/// `Lazy<A>` can be resolved wherever `A` is registered without runtime arguments. It is `Sendable` if the service is.
///
/// While the graph of its own resolve is built, it resolves the service from that graph, on the same thread. Afterwards
/// the first read starts a new graph, so a service in `.graph` is built anew.
public struct Lazy<Service>: DeferringService {
    let deferred: DeferredService

    /// The service. If it cannot be resolved, the process ends with the text of the `ResolutionError`.
    public var instance: Service { do { return try get() } catch { fatalError("Lazy: \(error)") } }

    /// Returns the service. If several threads are the first to read an unshared service at the same time, each of them
    /// may run the factory, and all get the instance that was complete first.
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
/// While the graph of its own resolve is built, it resolves the service from that graph, on the same thread. Afterwards
/// each read starts a new graph.
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
    /// Whether a `Lazy` keeps the instance that it has resolved. Otherwise it resolves again at each read: a shared
    /// instance may have been replaced, and an optional service may have been registered meanwhile.
    private let isKept: Bool
    /// The instance of a `Lazy`, from the time when it has been read and is complete.
    private let instance = Lock<StoredInstance?>(nil)

    /// The `id` of the shared instance whose factory or completion has got it, or nil.
    private let dependent: UInt64?

    init(_ key: ServiceKey, in container: Container, isKept: Bool, for dependent: UInt64?) {
        (self.key, self.container, self.isKept, self.dependent) = (key, container, isKept, dependent)
    }

    /// Resolves the service as a part of the graph that a factory or completion belongs to, or in a new graph.
    func resolve(isProviding: Bool = false) throws(ResolutionError) -> StoredInstance {
        var r = resolver ?? outerResolver
        // A service that follows its settings may keep what a `Provider` gives to its factory, so it is replaced after that.
        if isProviding, r.dependent?.registration.follows != true { r.kind = .provided }
        return try resolve(r)
    }

    /// Returns the same instance at each call, unless the service is looked up each time.
    func single() throws(ResolutionError) -> StoredInstance {
        if !isKept { return try resolve() }
        if let kept = instance.withLock({ $0 }) { return kept }
        guard let r = resolver, let graph = r.graph else { return keep(try resolve(outerResolver)) }
        // The graph has it until its instances are complete. If the graph fails, nothing is kept.
        if let found = graph.find(self, for: container) { return found }
        let instance = try resolve(r)
        graph.keep(instance, of: self, for: container)
        return instance
    }

    /// Keeps an instance, unless another instance is kept already.
    ///
    /// - Returns: the instance that is kept.
    @discardableResult
    func keep(_ new: StoredInstance) -> StoredInstance {
        instance.withLock { kept in
            kept = kept ?? new
            return kept ?? new
        }
    }

    /// The resolver of the innermost factory or completion that runs on this thread in the graph of this service, or nil.
    private var resolver: Resolver? { ResolvingThread.current.resolver(for: self) }

    /// A resolver that begins a new graph. While a task runs a factory or a completion of the shared instance that has got
    /// this service, the result is a dependency of that instance.
    private var outerResolver: Resolver {
        guard let dependent, let frame = Frame.activeInTask, frame.dependent?.id == dependent else {
            return Resolver(container: container)
        }
        return Resolver(container: container, frame: frame, graph: nil)
    }

    private func resolve(_ r: Resolver) throws(ResolutionError) -> StoredInstance {
        try r.requiredInstance(r.lookUp(key), key, nil)
    }
}
