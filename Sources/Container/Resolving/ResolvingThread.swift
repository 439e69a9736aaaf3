import SharedState
import Synchronization

/// A thread that resolves: the factories and completions that run on it. It is reached only from its own thread.
final class ResolvingThread {
    /// The factories and completions that run, and their graphs.
    private var running: [(frame: Frame, graph: Graph)] = []
    /// The innermost factory or completion that runs, or nil.
    var frame: Frame? { running.last?.frame }
    /// The construction that the thread runs, or nil.
    var construction: Construction?
    /// The completions of the construction.
    let completions = CompletionQueue()
    /// The graphs of the members of the construction.
    private var graphs: [Graph] = []
    /// The number of times that a factory or a completion got an instance that was not complete, or left one.
    private(set) var incomplete = 0

    private static let key = Atomic<UInt>(0)

    /// The object of this thread.
    static var current: ResolvingThread { ThreadLocal.object(key) { ResolvingThread() } }

    /// Runs a factory or a completion.
    func run<Result>(_ frame: Frame, in graph: Graph, _ body: () throws -> Result) throws -> Result {
        running.append((frame, graph))
        defer {
            running.removeLast()
            frame.end()
        }
        return try body()
    }

    /// The resolver of the innermost factory or completion in the graph of a deferred service, or nil if none runs.
    func resolver(for service: DeferredService) -> Resolver? {
        guard let (frame, graph) = running.last(where: { $0.graph.contains(service) }) else { return nil }
        return Resolver(container: service.container, frame: frame, graph: graph)
    }

    /// Records that somebody got an instance that is not complete.
    func takeIncomplete() { incomplete += 1 }

    /// Adds the graph of a member, to be settled at the end of the construction.
    func add(_ graph: Graph) { graphs.append(graph) }

    /// Gives the deferred services of the construction their instances, before others get the members.
    func settleGraphs() {
        let former = graphs
        graphs = []
        for graph in former { graph.settle() }
    }
}
