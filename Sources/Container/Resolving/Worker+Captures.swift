// A factory or a completion that resolves from a captured container begins a graph of its own, so that it can send the
// result to another task. Usually that is a mistake: the service is built twice.

extension Worker {
    /// Reports a resolve that the innermost factory or completion has begun from a captured container, unless the graph
    /// makes no difference. It is reported once for its registration: to `verify()` if that runs, and otherwise in
    /// debug builds.
    func reportCapture(of registration: Registration, in context: ResolutionContext) {
        if !outermost.isCaptured || registration.isSharing { return }
        if context.instances.isEmpty, context.deferredServices.isEmpty { return }
        guard let caller = stack.last?.step else { return }
        var error: ResolutionError {
            let path = path(to: registration.key)
            return ResolutionError(.capturedContainer, path: path, detail: capture(path))
        }
        if scratch != nil {
            let isKnown = findings.captures.contains { $0.keys.dropLast().last == caller.registration.key }
            if !isKnown { findings.captures.append(error) }
            return
        }
        #if DEBUG
            if caller.registration.isFirstCapture { caller.asked.report(error) }
        #endif
    }

    /// The resolve by which a factory or a completion has begun a context, for messages. `path` is the path to a
    /// service that is built in the context.
    func capture(_ path: [ServiceKey]) -> String {
        let caller = stack[outermost.base - 1]
        let closure = caller.role == .factory ? "factory" : "completion"
        return "the \(closure) of \(caller.key) resolves \(path[outermost.base]) from a captured container, "
            + "which begins another graph"
    }
}
