/// The unshared instances of one graph: of an outermost resolve, or of a shared service. Only the thread or the task that
/// builds it uses it.
///
/// A service may keep its resolver, which refers to the graph. So the graph forgets all instances when it ends.
final class Graph {
    private var contents: Contents

    private struct Contents {
        var dependent: SharedInstance?
        /// The completions of its instances. A queue of its own is made only for the first completion.
        var queue: CompletionQueue?
        var instances: [Instance] = []
        /// The instances with runtime arguments that can be compared.
        var withArguments: [ArgumentKey: [Instance]] = [:]
        /// The instances whose arguments equal no others. They live as long as the graph, and are never looked up.
        var unequal: [StoredInstance] = []
        var deferredServices: [DeferredService] = []
    }

    private struct Instance {
        /// The registration that has built it, or the `DeferredService` that has resolved it.
        let owner: ObjectIdentifier
        /// The container for which the instance was built: a child has its own instance.
        let container: ObjectIdentifier
        let arguments: RuntimeArguments?
        let stored: StoredInstance
    }

    /// What an instance with runtime arguments is looked up by.
    private struct ArgumentKey: Hashable {
        let owner: ObjectIdentifier
        let container: ObjectIdentifier
        let hash: Int
    }

    init(of dependent: SharedInstance?, _ queue: CompletionQueue? = nil) {
        contents = Contents(dependent: dependent, queue: queue)
    }

    /// The shared instance that is built from this graph, or nil. The dependencies that the graph takes are recorded
    /// there.
    var dependent: SharedInstance? { contents.dependent }

    /// Returns the instance that a registration has built for a container and runtime arguments, or that a
    /// `DeferredService` has resolved from it, or nil.
    func find(
        _ owner: AnyObject, for container: Container, _ arguments: RuntimeArguments? = nil
    ) -> StoredInstance? {
        let (owner, container) = (ObjectIdentifier(owner), ObjectIdentifier(container))
        guard let arguments else {
            return contents.instances.first { $0.owner == owner && $0.container == container }?.stored
        }
        guard let hash = arguments.graphHash else { return nil }
        // A copy, because the user code that compares arguments may resolve from this graph.
        let all = contents.withArguments[ArgumentKey(owner: owner, container: container, hash: hash)] ?? []
        return all.first { $0.arguments?.isEqual(to: arguments) == true }?.stored
    }

    func keep(
        _ stored: StoredInstance, of owner: AnyObject, for container: Container, _ arguments: RuntimeArguments? = nil
    ) {
        let (owner, container) = (ObjectIdentifier(owner), ObjectIdentifier(container))
        let instance = Instance(owner: owner, container: container, arguments: arguments, stored: stored)
        guard let arguments else { return contents.instances.append(instance) }
        guard let hash = arguments.graphHash else { return contents.unequal.append(stored) }
        let key = ArgumentKey(owner: owner, container: container, hash: hash)
        contents.withArguments[key, default: []].append(instance)
    }

    /// Forgets everything. The released objects may use the container.
    func end() {
        let former = contents
        contents = Contents()
        withExtendedLifetime(former) {}
    }

    // MARK: Deferred services

    func contains(_ service: DeferredService) -> Bool { contents.deferredServices.contains { $0 === service } }

    func add(_ service: DeferredService) { contents.deferredServices.append(service) }

    /// Gives the deferred services that have been read their instances, when all instances of the graph are complete.
    func resolveDeferred() {
        for service in contents.deferredServices {
            if let read = find(service, for: service.container) { service.keep(read) }
        }
    }

    // MARK: Completions

    /// Adds completions, and returns their queue.
    func add(_ completion: Completion) -> CompletionQueue {
        let queue = contents.queue ?? CompletionQueue()
        contents.queue = queue
        queue.add(completion)
        return queue
    }

    /// Runs the completions of an outermost resolve on this thread. Then all its instances are complete.
    func complete(on thread: ResolvingThread) throws(ResolutionError) {
        while let completion = contents.queue?.take() { try completion.run(on: thread) }
        resolveDeferred()
    }

    /// Runs the completions of an outermost resolve in this task. Then all its instances are complete.
    nonisolated(nonsending) func complete() async throws(ResolutionError) {
        while let completion = contents.queue?.take() { try await completion.run() }
        resolveDeferred()
    }

    /// Forgets everything at the end of an outermost resolve, also the completions that have not run.
    func endOutermost() {
        let completions = contents.queue?.removeAll()
        end()
        withExtendedLifetime(completions) {}
    }
}

// MARK: - Completions

/// The completions of one instance, which run after the factories of the resolve have returned.
struct Completion {
    let registration: Registration
    let instance: StoredInstance
    /// The container of the resolver that the completions get.
    let container: Container
    let graph: Graph
    /// The requester of the instance.
    let parent: Frame?

    private var frame: Frame { Frame(registration, for: container, in: graph, after: parent, .completion) }

    /// Runs the completions on this thread.
    func run(on thread: ResolvingThread) throws(ResolutionError) {
        let frame = frame
        do {
            try thread.run(frame, in: graph) {
                // The other completions belong only to services that are built in a task.
                for case .synchronous(let run) in registration.options.completions {
                    try run(Resolver(container: container, frame: frame, graph: graph), instance)
                }
            }
        } catch {
            throw ResolutionError(.completionFailed, of: error, path: frame.path)
        }
    }

    /// Runs the completions in this task.
    nonisolated(nonsending) func run() async throws(ResolutionError) {
        for completion in registration.options.completions {
            let frame = frame
            let r = Resolver(container: container, frame: frame, graph: graph)
            do {
                switch completion {
                case .synchronous(let run):
                    try await frame.run(inTask: {
                        try ResolvingThread.current.run(frame, in: graph) { try run(r, instance) }
                    })
                case .asynchronous(let run): try await frame.run(inTask: { try await run(AsyncResolver(r), instance) })
                }
            } catch {
                throw .inTask(.completionFailed, of: error, path: frame.path)
            }
        }
    }
}

/// The completions that have not run, in the order of the returns of their factories.
///
/// An outermost resolve has a queue of its own, and runs it when its factory has returned. All shared services that a
/// thread builds use the queue of the thread, which runs at the end of the construction.
final class CompletionQueue {
    private var completions: [Completion] = []
    private var next = 0

    /// Whether it has had no completion since the last `removeAll()`.
    var isEmpty: Bool { completions.isEmpty }

    func add(_ completion: Completion) { completions.append(completion) }

    /// Returns the completions to run next, or nil if none are left.
    func take() -> Completion? {
        if next == completions.count { return nil }
        next += 1
        return completions[next - 1]
    }

    /// Removes the completions in the graph of a service whose factory has thrown. None of them has run.
    func remove(of graph: Graph) {
        if next == completions.count { return }
        // The deinit of a released object may use the queue.
        let former = completions
        completions = former.filter { $0.graph !== graph }
        withExtendedLifetime(former) {}
    }

    /// Removes and returns all completions. They refer to their graph, which refers to this queue.
    func removeAll() -> [Completion] {
        var removed: [Completion] = []
        swap(&removed, &completions)
        next = 0
        return removed
    }
}
