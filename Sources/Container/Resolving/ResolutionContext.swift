/// The instances of the graph that one outermost resolve builds.
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
    /// The number of frames on the thread's stack when this resolve began.
    var base = 0
    /// The number of elements of `Worker.taken` when this resolve began.
    var takenBase = 0

    /// Whether the resolve may suspend, so that it can complete instances whose completions are asynchronous.
    var isAsync = false
    /// Whether a factory or a completion began the resolve from a captured container instead of its resolver. Then its
    /// frame is the one below `base`.
    var isCaptured = false

    /// Whether a `Lazy` or a `Provider` of this graph has been resolved.
    private(set) var hasDeferredServices = false

    /// Creates a context, with a copy of the instances of another resolve if there are any.
    init(_ instances: [Instance] = []) { self.instances = instances }

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
        hasDeferredServices = false
        instances.removeAll(keepingCapacity: instances.capacity <= Self.maximumSpare)
        return instances.capacity <= Self.maximumSpare
    }

    /// The maximum number of instances for which a thread keeps memory between resolves.
    private static let maximumSpare = 64
}

// MARK: - Deferred services

extension ResolutionContext {
    /// The services that the `Lazy` and `Provider` instances of this graph resolve. They are kept among the instances,
    /// so that a copy of the instances has them too.
    private var deferredServices: [DeferredService] { instances.compactMap { $0.stored as? DeferredService } }

    func contains(_ service: DeferredService) -> Bool { instances.contains { $0.stored === service } }

    /// Adds a deferred service, or returns the one of the same service if the graph has one instance of that.
    func add(_ new: DeferredService) -> DeferredService {
        if let same = deferredServices.first(where: new.hasInstance) { return same }
        hasDeferredServices = true
        let (owner, asked) = (ObjectIdentifier(DeferredService.self), ObjectIdentifier(new.container))
        instances.append(Instance(owner: owner, asked: asked, stored: new, parts: []))
        return new
    }

    /// Gives the deferred services their instances. All instances of the graph must be complete.
    func settle() { for service in deferredServices { service.settle(in: self) } }
}
