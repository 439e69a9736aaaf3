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

    /// Returns the service. If several threads are the first to read it at the same time, all get the same instance.
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
        try deferred.resolve().service(as: Service.self)
    }
}

// A `DeferredService` is safe for several threads only if its service is `Sendable`.
extension Lazy: Sendable where Service: Sendable {}
extension Provider: Sendable where Service: Sendable {}
