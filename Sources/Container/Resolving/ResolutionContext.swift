/// The unshared instances of one graph: of an outermost resolve, or of a shared service.
///
/// One worker at a time uses a graph. That of an outermost resolve belongs to the worker that resolves. That of a
/// shared service belongs to the worker that runs the factory, and afterwards to each worker that runs completions in
/// it, one worker after the other.
final class ResolutionContext {
    struct Instance {
        /// The registration that has built it, or the `DeferredService` that has resolved it.
        fileprivate let owner: ObjectIdentifier
        /// The container for which the instance was built: a child has its own instance.
        fileprivate let asked: ObjectIdentifier
        let stored: AnyObject
        /// The incomplete instances that its factory took.
        let parts: [PendingInstance]
    }

    private(set) var instances: [Instance] = []
    /// The shared service whose graph this is, or nil.
    let service: Registration?
    // The monitor guards the following variables, which only the graph of a shared service uses.
    /// The instance of that service.
    var whole: PendingInstance?
    /// The worker that runs factories or completions in the graph, or nil.
    private(set) var user: Worker?
    /// The number of factories and completions that run on the worker, one inside the other.
    private var uses = 0
    /// Whether the construction has failed, so that no other instance of the graph is needed any more.
    private(set) var hasFailed = false
    /// The first error of a completion in the graph.
    private(set) var failure: ResolutionError?

    /// The services that the `Lazy` and `Provider` instances of this graph resolve.
    private(set) var deferredServices: [DeferredService] = []

    init(of service: Registration? = nil) { self.service = service }

    /// Records that a worker starts a factory or a completion in the graph of a shared service. The caller must hold
    /// the monitor.
    func begin(on worker: Worker) {
        user = worker
        uses += 1
    }

    /// Records that the factory or completion has ended. The caller must hold the monitor.
    func end() {
        uses -= 1
        if uses == 0 { user = nil }
    }

    /// Returns the instance that a registration has built for a container, or that a `DeferredService` has resolved
    /// from it, or nil.
    func find(_ owner: AnyObject, for asked: Container) -> Instance? {
        let (owner, asked) = (ObjectIdentifier(owner), ObjectIdentifier(asked))
        return instances.first { $0.owner == owner && $0.asked == asked }
    }

    func keep(_ stored: AnyObject, of owner: AnyObject, for asked: Container, parts: [PendingInstance]) {
        instances.append(
            Instance(owner: ObjectIdentifier(owner), asked: ObjectIdentifier(asked), stored: stored, parts: parts))
    }

    /// Releases the instances.
    ///
    /// - Returns: whether the empty context is small enough to be reused.
    func clear() -> Bool {
        deferredServices = []
        instances.removeAll(keepingCapacity: instances.capacity <= Self.maximumSpare)
        return instances.capacity <= Self.maximumSpare
    }

    /// Records that the construction has failed. The caller must hold the monitor.
    func fail(_ error: ResolutionError?) { (hasFailed, failure) = (true, failure ?? error) }

    /// Ends the graph of a shared service whose factory has thrown.
    func abandon() {
        let former = Container.withMonitor {
            fail(nil)
            return dismantle()
        }
        withExtendedLifetime(former) {}
    }

    /// Removes the instances, which may refer to the graph. The caller must hold the monitor.
    ///
    /// - Returns: the objects to release outside the monitor.
    func dismantle() -> [AnyObject] {
        defer { (instances, deferredServices, whole) = ([], [], nil) }
        return instances.flatMap { [$0.stored] + $0.parts } + deferredServices
    }

    /// The maximum number of instances for which a thread keeps memory between resolves.
    private static let maximumSpare = 64
}

// MARK: - Deferred services

extension ResolutionContext {
    func contains(_ service: DeferredService) -> Bool { deferredServices.contains { $0 === service } }

    /// Adds a deferred service, or returns the one of the same service if the graph has one instance of that.
    func add(_ new: DeferredService) -> DeferredService {
        if let same = deferredServices.first(where: new.hasInstance) { return same }
        deferredServices.append(new)
        return new
    }

    /// Gives the deferred services their instances. All instances of the graph must be complete.
    func settle() { for service in deferredServices { service.settle(in: self) } }
}
