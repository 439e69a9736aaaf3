/// The graph of one outermost resolve: its instances.
final class ResolutionContext {
    struct Instance {
        fileprivate let registration: ObjectIdentifier
        fileprivate let asked: ObjectIdentifier
        let stored: AnyObject
        /// The incomplete instances that it is made of.
        let parts: [PendingInstance]
    }

    private(set) var instances: [Instance] = []
    /// The number of frames of the thread when this resolve began.
    var base = 0
    /// The number of elements of `ThreadState.taken` when this resolve began.
    var takenBase = 0

    /// Creates a context with instances of another resolve.
    init(_ instances: [Instance] = []) { self.instances = instances }

    /// Finds the instance that a registration has made for a container.
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

    /// The most instances that a thread keeps memory for between resolves.
    private static let maximumSpare = 64
}
