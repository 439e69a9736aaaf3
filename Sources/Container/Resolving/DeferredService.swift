import Synchronization

/// The service that a `Lazy` or a `Provider` resolves later.
final class DeferredService: @unchecked Sendable {
    // @unchecked: all properties are immutable or atomic, but the instance may not be `Sendable`. A `Lazy` or
    // `Provider` of such a service is not `Sendable` either, so it is used only by the thread that uses the instances
    // of its graph.

    /// The container from which the service is resolved.
    let container: Container
    private let key: ServiceKey
    /// The registration of the service, or nil if a shared instance existed already.
    private let registration: Registration?
    /// The instance of a `Lazy` in its stored form, from the time when it is complete.
    private let instance = AtomicLazyReference<AnyObject>()
    /// The instance that the graph has built for others. The reference is weak, because the instance may need the
    /// `Lazy`.
    private let graphInstance = AtomicLazyReference<Weak>()

    init(_ key: ServiceKey, in container: Container, _ registration: Registration?) {
        (self.key, self.container, self.registration) = (key, container, registration)
    }

    /// Resolves the service as a part of the graph that a factory or completion belongs to, or in a new graph.
    func resolve(_ frame: Frame?) throws(ResolutionError) -> AnyObject {
        // Without a graph, a token of no factory begins a new one. The token 0 would be reported as a captured
        // container.
        let r = Resolver(container: container, token: frame?.token ?? .max)
        return try r.requiredInstance(container.lookUp(key), key.service, key.qualifier.name).object
    }

    /// Returns the same instance at each call. While it is incomplete, only the context of the graph keeps it, because a
    /// completion may still fail. Outside of the graph, each call resolves until an instance is complete.
    func single() throws(ResolutionError) -> AnyObject {
        if let instance = instance.load() { return instance }
        if let object = graphInstance.load()?.object, let stored = registration?.form.object(for: object) {
            return instance.storeIfNil(stored)
        }
        let worker = Worker.current
        let frame = worker.frame(of: self)
        if let frame, let found = worker.find(self, for: container, in: frame.context) { return found }
        let start = worker.taken.count
        let stored = try resolve(frame)
        if worker.taken.count == start { return instance.storeIfNil(stored) }
        if let frame { worker.keep(stored, of: self, for: container, in: frame.context, takenSince: start) }
        return stored
    }

    /// Whether another deferred service of the same graph must have the same instance.
    func hasInstance(of other: DeferredService) -> Bool {
        registration?.options.scope == .graph && registration === other.registration && container === other.container
    }

    /// Takes the complete instance that the graph has for this service.
    func settle(in context: ResolutionContext) {
        if let read = context.find(self, for: container) {
            _ = instance.storeIfNil(read.stored)
        } else if let registration, let made = context.find(registration.target ?? registration, for: container) {
            _ = graphInstance.storeIfNil((registration.target ?? registration).weak(made.stored))
        }
    }
}
