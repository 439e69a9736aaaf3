import Synchronization

/// What a thread is in the middle of: the factories on its stack, and what it waits for.
///
/// Factories are synchronous, so a resolve never leaves its thread.
@safe
final class ThreadState {
    /// The address of the instance that this thread is about to copy; nobody frees it meanwhile (a hazard pointer).
    let reading = Atomic<UInt>(0)
    /// The factories and completions that run on this thread, the outermost first.
    private(set) var frames: [Frame] = []
    /// Where the instances of a `verify()` that runs on this thread go.
    var scratch: Graph?
    /// What this thread waits for, and the path to it. Guarded by `Construction.monitor`.
    var wait: (construction: Construction, path: [ServiceKey])?

    private var lastToken: UInt64

    static var current: ThreadState { ThreadStorage.current }

    init() {
        // Tokens of different threads differ in their upper bits, so that a resolver that went to
        // another thread is not taken for one of its own.
        lastToken = Self.threadCount.wrappingAdd(1, ordering: .relaxed).newValue << 40
        Construction.monitor.withLock { unsafe Self.all.append(self) }
    }

    func threadEnds() {
        Construction.monitor.withLock {
            unsafe Self.all.removeAll { $0 === self }
        }
    }

    private static let threadCount = Atomic<UInt64>(0)
    /// Guarded by `Construction.monitor`.
    nonisolated(unsafe) private static var all: [ThreadState] = []

    /// Waits until no thread copies any of some instances, which nobody can find any more.
    /// That takes a few instructions, unless such a thread has just lost its processor. Call it under the monitor.
    static func waitForReaders(of addresses: [UInt]) {
        for thread in unsafe all {
            while addresses.contains(thread.reading.load(ordering: .sequentiallyConsistent)) { yieldThread() }
        }
    }
}

/// A factory or a completion on a thread's stack.
@safe
struct Frame {
    enum Role {
        case factory
        case completion
        /// What led to a completion; its factory has returned.
        case past
    }

    /// Both live as long as who resolves.
    unowned(unsafe) let registration: AnyRegistration
    unowned(unsafe) let asked: Container
    unowned(unsafe) let graph: Graph
    let token: UInt64
    let role: Role

    func isOf(_ other: AnyRegistration, _ asked: Container) -> Bool {
        unsafe registration === other && self.asked === asked
    }

    func inPast() -> Frame {
        unsafe Frame(
            registration: registration, asked: asked, graph: graph, token: 0, role: role == .factory ? .past : role)
    }
}

// MARK: - The stack

extension ThreadState {
    /// The depth at which a registration with runtime arguments that resolves itself counts as circular.
    /// Others are circular when they come up a second time.
    private static let maximumRecursion = 100

    /// Notes that a factory starts.
    ///
    /// - Returns: the token of its resolver.
    func enter(_ registration: AnyRegistration, for asked: Container, in graph: Graph) throws(ResolutionError) -> UInt64
    {
        var occurrences = 0
        for frame in frames where frame.role == .factory && frame.isOf(registration, asked) { occurrences += 1 }
        if occurrences > 0, registration.key.hasNoArguments || occurrences >= Self.maximumRecursion {
            throw ResolutionError(.circular, path: path(to: registration.key), in: asked)
        }
        return push(registration, asked, graph, .factory)
    }

    /// Refuses to put off a completion that comes up while the one of the same registration runs: it would for ever.
    func checkCompletion(of registration: AnyRegistration, for asked: Container) throws(ResolutionError) {
        for frame in frames where frame.role == .completion && frame.isOf(registration, asked) {
            throw ResolutionError(.circular, path: path(to: registration.key), in: asked)
        }
    }

    /// Notes that the innermost factory or completion has ended.
    func leave() { frames.removeLast() }

    /// The graph that a resolver belongs to, as long as its factory runs on this thread.
    func graph(of token: UInt64) -> Graph? {
        for frame in frames.reversed() where frame.token == token && token != 0 {
            return unsafe frame.graph
        }
        return nil
    }

    /// The path from the outermost factory to a key.
    func path(to key: ServiceKey) -> [ServiceKey] { path + [key] }

    /// The path to the innermost factory or completion.
    var path: [ServiceKey] { frames.map { unsafe $0.registration.key } }

    /// The path since a graph began, for a completion that runs when its factories have returned.
    func path(since graph: Graph) -> [Frame] { frames[graph.base...].map { $0.inPast() } }

    /// How many factories and completions run.
    var depth: Int { frames.count }

    /// Runs a completion on top of the path that led to it.
    func complete(_ job: Completion, in graph: Graph) throws(ResolutionError) {
        let depth = frames.count
        defer { frames.removeSubrange(depth...) }
        frames += job.path
        let token = push(job.registration, job.asked, graph, .completion)
        try job.run(token)
    }

    private func push(_ registration: AnyRegistration, _ asked: Container, _ graph: Graph, _ role: Frame.Role) -> UInt64
    {
        lastToken += 1
        frames.append(
            Frame(registration: registration, asked: asked, graph: graph, token: lastToken, role: role))
        return lastToken
    }
}
