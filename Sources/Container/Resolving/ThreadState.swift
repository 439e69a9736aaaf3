import Synchronization

/// What a thread is in the middle of: the factories on its stack, and what it waits for.
///
/// Factories are synchronous, so a resolve never leaves its thread.
@safe
final class ThreadState {
    /// The factories and completions that run on this thread, the outermost first.
    private var frames = UnsafeMutablePointer<Frame>.allocate(capacity: 32)
    private var capacity = 32
    /// How many factories and completions run.
    private(set) var depth = 0
    /// A graph that has ended, for the next resolve.
    private var spare: Graph?
    /// Where the instances of a `verify()` that runs on this thread go.
    private(set) var scratch: Graph?
    /// What has been taken on the way that was not complete, by the resolves that are under way.
    var taken: [Taken] = []
    /// How many factories and completions of shared instances run.
    var sharedDepth = 0
    var isMakingShared: Bool { sharedDepth > 0 }
    /// The threads whose instances this one is completing, and those whose they were completing.
    var makers: [ThreadState] = []
    /// What this thread waits for, and the path to it. Guarded by `PendingInstance.monitor`.
    var wait: (pending: PendingInstance, path: [ServiceKey])?
    private let condition = Condition()

    private var lastToken: UInt64

    /// Of this thread, with which it goes.
    static var current: ThreadState { unsafe unowned.takeUnretainedValue() }

    /// The same, for who looks at it with no reference counted.
    static var unowned: Unmanaged<ThreadState> {
        if let raw = unsafe ThreadSlot.companion { return unsafe .fromOpaque(raw) }
        let state = unsafe Unmanaged.passRetained(ThreadState())
        unsafe ThreadSlot.companion = unsafe state.toOpaque()
        return unsafe state
    }

    init() {
        // Tokens of different threads differ in their upper bits, so that a resolver that went to
        // another thread is not taken for one of its own.
        lastToken = Self.threadCount.wrappingAdd(1, ordering: .relaxed).newValue << 40
    }

    deinit { unsafe frames.deallocate() }

    private static let threadCount = Atomic<UInt64>(0)

    /// Runs some code with instances of its own for the shared scopes, for `verify()`.
    static func withScratch(_ body: () -> Void) {
        let thread = current
        let outer = thread.scratch
        thread.scratch = Graph()
        verifications.add(1, ordering: .relaxed)
        body()
        verifications.subtract(1, ordering: .relaxed)
        thread.scratch = outer
    }

    /// How many `verify()` run in this process, so that a hit need not look at its thread where none does.
    private static let verifications = Atomic(0)

    /// Whether a `verify()` runs on this thread. Each thread sees its own addition.
    static var isVerifying: Bool { verifications.load(ordering: .relaxed) != 0 && current.scratch != nil }
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
}

/// A part of the path that has led to a completion.
struct Step {
    let registration: AnyRegistration
    let asked: Container
    let role: Frame.Role
}

// MARK: - The stack

extension ThreadState {
    // Not an array: each look at one is checked against changes meanwhile, by which a graph took a quarter more time.
    private var stack: UnsafeBufferPointer<Frame> { unsafe UnsafeBufferPointer(start: frames, count: depth) }

    /// The depth at which a registration with runtime arguments that resolves itself counts as circular.
    /// Others are circular when they come up a second time.
    private static let maximumRecursion = 100

    /// Notes that a factory starts.
    ///
    /// - Returns: the token of its resolver.
    func enter(_ registration: AnyRegistration, for asked: Container, in graph: Graph) throws(ResolutionError) -> UInt64
    {
        let occurrences = unsafe stack.count { $0.role == .factory && $0.isOf(registration, asked) }
        if occurrences > 0, registration.key.hasNoArguments || occurrences >= Self.maximumRecursion {
            throw ResolutionError(.circular, path: path(to: registration.key), in: asked)
        }
        let token = nextToken()
        push(Frame(registration: registration, asked: asked, graph: graph, token: token, role: .factory))
        return token
    }

    /// Refuses to put off a completion that comes up while the one of the same registration runs: it would for ever.
    func checkCompletion(of registration: AnyRegistration, for asked: Container) throws(ResolutionError) {
        if unsafe stack.contains(where: { $0.role == .completion && $0.isOf(registration, asked) }) {
            throw ResolutionError(.circular, path: path(to: registration.key), in: asked)
        }
    }

    /// Notes that the innermost factory or completion has ended.
    func leave() { depth -= 1 }

    /// The graph that a resolver belongs to, as long as its factory runs on this thread.
    func graph(of token: UInt64) -> Unmanaged<Graph>? {
        if token == 0 { return nil }
        guard let frame = unsafe stack.last(where: { $0.token == token }) else { return nil }
        return unsafe .passUnretained(frame.graph)
    }

    /// The path from the outermost factory to a key.
    func path(to key: ServiceKey) -> [ServiceKey] { path + [key] }

    /// The path to the innermost factory or completion.
    var path: [ServiceKey] { unsafe stack.map { unsafe $0.registration.key } }

    /// The path since a graph began, for a completion that runs when its factories have returned.
    func steps(since graph: Graph) -> [Step] {
        unsafe stack[graph.base...].map { frame in
            Step(
                registration: unsafe frame.registration, asked: unsafe frame.asked,
                role: frame.role == .factory ? .past : frame.role)
        }
    }

    /// Notes that completions run, on top of the path that led to them. Who calls it keeps the completion.
    ///
    /// - Returns: the token of their resolver.
    func push(_ completion: Completion, of registration: AnyRegistration, in graph: Graph) -> UInt64 {
        for step in completion.path {
            push(Frame(registration: step.registration, asked: step.asked, graph: graph, token: 0, role: step.role))
        }
        let token = nextToken()
        push(Frame(registration: registration, asked: completion.asked, graph: graph, token: token, role: .completion))
        return token
    }

    /// Notes that the completions have run.
    func pop(to depth: Int) { self.depth = depth }

    /// A number that no other thread has, greater than all before.
    func nextToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }

    private func push(_ frame: Frame) {
        if depth == capacity {
            let more = UnsafeMutablePointer<Frame>.allocate(capacity: 2 * capacity)
            unsafe more.update(from: frames, count: depth)
            unsafe frames.deallocate()
            unsafe frames = more
            capacity *= 2
        }
        // `Frame` is trivial: nothing to initialize, nothing to deinitialize.
        unsafe frames[depth] = frame
        depth += 1
    }
}

// MARK: - Waiting

extension ThreadState {
    /// Gives the monitor back and waits until another thread wakes this one, or for no reason.
    func sleep() { PendingInstance.monitor.wait(for: condition) }

    /// Lets this thread go on. Call it under the monitor.
    func wake() { condition.notify() }
}

// MARK: - Graphs

extension ThreadState {
    /// Begins an outermost resolve.
    func beginGraph() -> Graph {
        let graph = spare ?? Graph()
        spare = nil
        graph.base = depth
        graph.takenBase = taken.count
        return graph
    }

    /// Ends it, and lets its instances go.
    func end(_ graph: Graph) { if graph.clear() { spare = graph } }
}
