/// The completions of one instance, which run after the factories of the resolve have returned.
struct Completion {
    let registration: Registration
    let instance: StoredInstance
    /// The container of the resolver that the completions get.
    let container: Container
    let graph: Graph
    /// What has asked for the instance.
    let parent: Frame?

    var frame: Frame { Frame(registration, for: container, in: graph, after: parent, .completion) }
}

/// The completions that are still to run, in the order in which the factories returned.
///
/// Each outermost graph has a queue, whose completions run when its outermost factory has returned. The graphs of the
/// shared services that a thread builds have that of the thread, whose completions run at the end of the construction.
final class CompletionQueue {
    private var completions: [Completion] = []
    private var next = 0

    func add(_ completion: Completion) { completions.append(completion) }

    /// Returns the completions to run next, or nil if none are left.
    func take() -> Completion? {
        if next == completions.count { return nil }
        next += 1
        return completions[next - 1]
    }

    /// Removes the completions in the graph of a service whose factory has thrown, none of which has run.
    func remove(of graph: Graph) { if next < completions.count { completions.removeAll { $0.graph === graph } } }

    /// Removes all completions. They refer to their graph, which refers to this queue.
    func removeAll() { (completions, next) = ([], 0) }
}
