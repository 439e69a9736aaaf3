/// The instances of the graph that one outermost resolve builds.
final class ResolutionContext {
    struct Instance {
        fileprivate let registration: ObjectIdentifier
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

    /// Creates a context, with a copy of the instances of another resolve if there are any.
    init(_ instances: [Instance] = []) { self.instances = instances }

    /// Returns the instance that a registration has built for a container, or nil.
    func find(_ registration: Registration, for asked: Container) -> Instance? {
        let (registration, asked) = (ObjectIdentifier(registration), ObjectIdentifier(asked))
        return instances.first { $0.registration == registration && $0.asked == asked }
    }

    func keep(_ stored: AnyObject, of registration: Registration, for asked: Container, parts: [PendingInstance]) {
        instances.append(
            Instance(
                registration: ObjectIdentifier(registration), asked: ObjectIdentifier(asked), stored: stored,
                parts: parts))
    }

    /// Releases the instances.
    ///
    /// - Returns: whether the empty context is small enough to be reused.
    func clear() -> Bool {
        instances.removeAll(keepingCapacity: instances.capacity <= Self.maximumSpare)
        return instances.capacity <= Self.maximumSpare
    }

    /// The maximum number of instances for which a thread keeps memory between resolves.
    private static let maximumSpare = 64
}
