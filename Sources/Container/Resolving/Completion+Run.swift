extension Completion {
    /// Runs the completions on this thread.
    func run(on thread: ResolvingThread) throws(ResolutionError) {
        let frame = frame
        do {
            try thread.run(frame, in: graph) {
                // The others are only those of services that are built in a task.
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
        let frame = frame
        let r = AsyncResolver(Resolver(container: container, frame: frame, graph: graph))
        defer { frame.end() }
        do {
            for completion in registration.options.completions {
                switch completion {
                case .synchronous(let run):
                    try Frame.$inTask.withValue(frame) {
                        try ResolvingThread.current.run(frame, in: graph) { try run(r.synchronous, instance) }
                    }
                case .asynchronous(let run): try await Frame.$inTask.withValue(frame) { try await run(r, instance) }
                }
            }
        } catch {
            throw .inTask(.completionFailed, of: error, path: frame.path)
        }
    }
}
