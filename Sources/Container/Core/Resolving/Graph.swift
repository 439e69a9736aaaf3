/// The unshared instances of one graph: of an outermost resolve, or of a shared service. Only the thread or the task that
/// builds it uses it.
///
/// A service may keep its resolver, which refers to the graph. So the graph forgets all instances when it ends.
final class Graph {
    private var contents: Contents

    private struct Contents {
        var dependent: SharedInstance?
        /// The construction that runs the completions of its instances, or nil if the graph runs them itself.
        var construction: Construction?
        var completions = Completions()
        var instances: [Instance] = []
        /// The instances with runtime arguments that can be compared.
        var withArguments: [ArgumentKey: [Instance]] = [:]
        /// The instances whose arguments equal no others. They live as long as the graph, and are never looked up.
        var unequal: [StoredInstance] = []
        var deferredServices: [DeferredService] = []
    }

    private struct Instance {
        /// The registration that has built it, or the `DeferredService` that has resolved it.
        let producer: ObjectIdentifier
        /// The container for which the instance was built: a child has its own instance.
        let container: ObjectIdentifier
        let arguments: RuntimeArguments?
        let stored: StoredInstance
    }

    /// The key by which an instance with runtime arguments is looked up.
    private struct ArgumentKey: Hashable {
        let producer: ObjectIdentifier
        let container: ObjectIdentifier
        let hash: Int
    }

    init(of dependent: SharedInstance?, in construction: Construction? = nil) {
        contents = Contents(dependent: dependent, construction: construction)
    }

    /// The shared instance that is built from this graph, or nil. The dependencies that the graph takes are recorded
    /// there.
    var dependent: SharedInstance? { contents.dependent }

    /// Returns an instance of the graph for a container, or nil if there is none. Its producer is the registration that
    /// has built it from the runtime arguments, or the `DeferredService` that has resolved it.
    func find(
        _ producer: AnyObject, for container: Container, _ arguments: RuntimeArguments? = nil
    ) -> StoredInstance? {
        let (producer, container) = (ObjectIdentifier(producer), ObjectIdentifier(container))
        guard let arguments else {
            return contents.instances.first { $0.producer == producer && $0.container == container }?.stored
        }
        guard let hash = arguments.graphHash else { return nil }
        // A copy, because the user code that compares arguments may resolve from this graph.
        let all = contents.withArguments[ArgumentKey(producer: producer, container: container, hash: hash)] ?? []
        return all.first { $0.arguments?.isEqual(to: arguments) == true }?.stored
    }

    func keep(
        _ stored: StoredInstance, of producer: AnyObject, for container: Container, _ arguments: RuntimeArguments? = nil
    ) {
        let (producer, container) = (ObjectIdentifier(producer), ObjectIdentifier(container))
        let instance = Instance(producer: producer, container: container, arguments: arguments, stored: stored)
        guard let arguments else { return contents.instances.append(instance) }
        guard let hash = arguments.graphHash else { return contents.unequal.append(stored) }
        let key = ArgumentKey(producer: producer, container: container, hash: hash)
        contents.withArguments[key, default: []].append(instance)
    }

    /// Forgets everything, also the completions that have not run. The released objects may use the container.
    func forgetAll() {
        var former = Contents()
        swap(&former, &contents)
    }

    // MARK: Deferred services

    func contains(_ service: DeferredService) -> Bool { contents.deferredServices.contains { $0 === service } }

    func add(_ service: DeferredService) { contents.deferredServices.append(service) }

    /// Stores the instances in the deferred services that have been read, when all instances of the graph are complete.
    func resolveDeferred() {
        for service in contents.deferredServices {
            if let read = find(service, for: service.container) { service.keep(read) }
        }
    }

    // MARK: Completions

    func add(_ completion: Completion) {
        guard let construction = contents.construction else { return contents.completions.add(completion) }
        construction.add(completion)
    }

    /// Runs the completions of an outermost resolve on this thread. Then all its instances are complete.
    func runCompletions(on thread: ResolvingThread) throws(ResolutionError) {
        while let completion = contents.completions.take() { try completion.run(on: thread) }
        resolveDeferred()
    }

    /// Runs the completions of an outermost resolve, or of the shared service that this task builds. Then all its
    /// instances are complete.
    nonisolated(nonsending) func runCompletions() async throws(ResolutionError) {
        while let completion = contents.completions.take() { try await completion.run() }
        resolveDeferred()
    }
}
