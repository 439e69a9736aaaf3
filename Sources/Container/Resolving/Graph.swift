/// The unshared instances of one graph: of an outermost resolve, or of a shared service. Only the thread or the task that
/// builds it uses it.
final class Graph {
    /// The shared instance that is built from this graph, or nil. What the graph takes is recorded there.
    let user: PendingInstance?
    /// The completions of its instances. A queue of its own is made only for a first one.
    private var queue: CompletionQueue?
    private var instances: [Instance] = []
    private var deferredServices: [DeferredService] = []

    private struct Instance {
        /// The registration that has built it, or the `DeferredService` that has resolved it.
        let owner: ObjectIdentifier
        /// The container for which the instance was built: a child has its own instance.
        let container: ObjectIdentifier
        let stored: StoredInstance
    }

    init(of user: PendingInstance?, _ queue: CompletionQueue? = nil) { (self.user, self.queue) = (user, queue) }

    /// Returns the instance that a registration has built for a container, or that a `DeferredService` has resolved
    /// from it, or nil.
    func find(_ owner: AnyObject, for container: Container) -> StoredInstance? {
        let (owner, container) = (ObjectIdentifier(owner), ObjectIdentifier(container))
        return instances.first { $0.owner == owner && $0.container == container }?.stored
    }

    func keep(_ stored: StoredInstance, of owner: AnyObject, for container: Container) {
        instances.append(
            Instance(owner: ObjectIdentifier(owner), container: ObjectIdentifier(container), stored: stored))
    }

    // MARK: Deferred services

    func contains(_ service: DeferredService) -> Bool { deferredServices.contains { $0 === service } }

    /// Adds a deferred service, or returns the one of the same service if the graph has one instance of that.
    func add(_ new: DeferredService) -> DeferredService {
        if let same = deferredServices.first(where: new.hasInstance) { return same }
        deferredServices.append(new)
        return new
    }

    /// Gives the deferred services their instances, when all instances of the graph are complete.
    func settle() { for service in deferredServices { service.settle(in: self) } }

    // MARK: Completions

    /// Adds completions, and returns their queue.
    func add(_ completion: Completion) -> CompletionQueue {
        let queue = queue ?? CompletionQueue()
        self.queue = queue
        queue.add(completion)
        return queue
    }

    /// Returns the completions to run next, or nil if none are left.
    func takeCompletion() -> Completion? { queue?.take() }

    /// Removes the completions that are left, which refer to the graph.
    func dropCompletions() { queue?.removeAll() }
}
