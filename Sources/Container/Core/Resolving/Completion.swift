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

/// Completions in the order of the returns of their factories.
///
/// An outermost resolve has its own, and runs them when its factory has returned. So does a shared service that a task
/// builds. All shared services that a thread builds use the completions of their construction, which run at its end.
struct Completions {
    private var all: [Completion] = []
    private var next = 0

    mutating func add(_ completion: Completion) { all.append(completion) }

    /// Returns the completions to run next, or nil if none are left.
    mutating func take() -> Completion? {
        if next == all.count { return nil }
        next += 1
        return all[next - 1]
    }

    /// Removes the completions in the graph of a service whose factory has thrown. None of them has run.
    ///
    /// - Returns: the former completions. The caller releases them when it has ended its access, because the `deinit` of
    ///   a released object may add completions.
    mutating func remove(of graph: Graph) -> [Completion] {
        if next == all.count { return [] }
        let former = all
        all = former.filter { $0.graph !== graph }
        return former
    }
}
