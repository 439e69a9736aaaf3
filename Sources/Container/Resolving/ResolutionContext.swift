/// The instances of one outermost resolve.
final class ResolutionContext {
    struct Instance {
        fileprivate let registration: ObjectIdentifier
        fileprivate let asked: ObjectIdentifier
        let stored: AnyObject
        /// What it is made of that was not complete when it was made.
        let parts: [PendingInstance]
    }

    private(set) var instances: [Instance] = []
    /// How many frames the thread had when this resolve began.
    var base = 0
    /// How many pending instances the thread had taken when this resolve began.
    var takenBase = 0

    /// Starts with some instances of another resolve.
    init(_ instances: [Instance] = []) { self.instances = instances }

    /// The instance of a registration, as it was asked for by a container, and as the registration has stored it.
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

    /// Lets go of the instances.
    ///
    /// - Returns: whether what is left of it is small enough to be kept for another resolve.
    func clear() -> Bool {
        instances.removeAll(keepingCapacity: instances.capacity <= Self.maximumSpare)
        return instances.capacity <= Self.maximumSpare
    }

    /// How many instances a thread keeps room for.
    private static let maximumSpare = 64
}
