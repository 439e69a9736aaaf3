/// The instances of one outermost resolve, and what is left to do before it returns.
final class Graph {
    private var instances: [(registration: ObjectIdentifier, asked: ObjectIdentifier, stored: AnyObject)] = []
    private var completions: [Completion] = []
    /// How many frames the thread had when this resolve began.
    var base = 0

    /// The instance of a registration, as it was asked for by a container, and as the registration has stored it.
    func find(_ registration: AnyRegistration, for asked: Container) -> AnyObject? {
        let (registration, asked) = (ObjectIdentifier(registration), ObjectIdentifier(asked))
        return instances.first { $0.registration == registration && $0.asked == asked }?.stored
    }

    func keep(_ stored: AnyObject, of registration: AnyRegistration, for asked: Container) {
        instances.append((ObjectIdentifier(registration), ObjectIdentifier(asked), stored))
    }

    /// Puts a completion off until no factory of this graph runs, so that it finds everything built.
    func add(_ completion: Completion) { completions.append(completion) }

    /// Lets go of the instances.
    ///
    /// - Returns: whether what is left of it is small enough to be kept for another resolve.
    func clear() -> Bool {
        instances.removeAll(keepingCapacity: instances.capacity <= Self.maximumSpare)
        return instances.capacity <= Self.maximumSpare
    }

    /// How many instances a thread keeps room for.
    private static let maximumSpare = 64

    /// Runs what was put off.
    ///
    /// - Parameter failed: whether the resolve itself failed; then only shared instances, which outlive it, are completed.
    /// - Returns: the first failure.
    func finish(on thread: ThreadState, failed: Bool) -> ResolutionError? {
        var failure: ResolutionError?
        var next = 0
        while next < completions.count {
            let completion = completions[next]
            next += 1
            if failed && completion.construction == nil { continue }
            do throws(ResolutionError) {
                try thread.complete(completion, in: self)
            } catch {
                completion.construction?.end(with: nil)
                failure = failure ?? error
            }
        }
        if next > 0 { completions = [] }
        return failure
    }
}

/// What `initCompleted` has asked for, for one instance.
struct Completion {
    let registration: AnyRegistration
    let asked: Container
    /// What waits for it, if the instance is shared.
    let construction: Construction?
    /// What led to the instance, without itself.
    let path: [Frame]
    /// Calls the user's closures, and makes a shared instance known.
    let run: (Resolver) throws -> Void
}
