import SharedState
import Synchronization

/// A thread or a task that resolves: the running factories and completions, and the instance that it waits for.
///
/// A thread has one worker. A task has one for each asynchronous outermost resolve, and nested resolves use it too.
/// Each asynchronous construction of a shared instance runs in a task and with a worker of its own.
///
/// A worker runs one factory at a time, so its task runs nothing else while it awaits a dependency. A synchronous
/// factory that an asynchronous resolve needs runs without suspension, with the worker as the current one of the
/// thread.
@safe
final class Worker: @unchecked Sendable {
    // @unchecked: the monitor guards the variables of the wait. Only the thread or task itself uses the others: a
    // thread finds its worker as `current`, and a task finds its own in the resolvers of its factories or as `ofTask`.
    // These resolvers are not `Sendable`, and a resolver whose factory has returned changes nothing in the worker. Code
    // that creates the worker of another task uses it only before that task starts.

    /// Whether it is a task, which suspends where a thread sleeps.
    let isAsync: Bool
    /// The factories and completions that run.
    let stack = FrameStack()
    /// The number of factories and completions that run.
    var depth: Int { stack.count }
    /// A cleared context, which the next resolve reuses to save an allocation.
    private var spare: ResolutionContext?
    /// The context with the shared instances of a `verify()` that this worker runs, or nil.
    private(set) var scratch: ResolutionContext?
    /// What a `verify()` that this worker runs has found.
    var findings = Findings()
    /// The outermost resolve in progress. If a factory or a completion has begun another one, it is that one.
    private(set) var outermost = OutermostResolve()
    /// The incomplete instances that the resolves in progress have taken, those of the outermost resolve first.
    var taken: [Taken] = []
    /// The workers whose instances this worker is completing. If such a worker was itself completing instances of other
    /// workers when it made the instance, those workers are included.
    var makers: [Worker] = []
    /// The registration whose asynchronous construction this worker runs, or nil.
    let construction: Registration?
    /// The worker that started that construction, or nil.
    let asker: Worker?
    /// The service that a synchronous factory needs and that is built asynchronously. Set with the error of a task.
    var missing: MissingService?
    // `Container.monitor` guards the following five variables.
    /// Whether its construction has ended, or all workers that waited for it were cancelled.
    var isOver = false
    /// The instance that this worker waits for and the path to it, or nil.
    private(set) var wait: (pending: PendingInstance, path: [ServiceKey])?
    /// Whether `wake()` has been called since the wait began.
    private var isWoken = false
    private let condition = Condition()
    /// The continuation of a suspended task.
    private var continuation: CheckedContinuation<Void, Never>?

    private var lastToken: UInt64

    /// The worker whose asynchronous factory or completion runs, and the hash value of its task. Child tasks inherit
    /// the value, but are other tasks.
    @TaskLocal private static var inTask: (worker: Worker, task: Int?)?

    private static let key = Atomic<UInt>(0)

    /// The worker of this thread.
    static var current: Worker {
        ThreadLocal.object(key) { Worker() }
    }

    /// Creates a worker of a thread or a task.
    ///
    /// - Parameters:
    ///   - isAsync: whether it is a task.
    ///   - registration: the registration whose asynchronous construction it runs, or nil.
    ///   - asker: the worker that started the construction, or nil.
    init(isAsync: Bool = false, toConstruct registration: Registration? = nil, for asker: Worker? = nil) {
        self.isAsync = isAsync
        construction = registration
        self.asker = asker
        makers = asker.map { $0.makers + [$0] } ?? []
        // The upper bits of a token identify a block of tokens of one worker, so a worker never finds the token of
        // another worker's resolver on its own stack.
        lastToken = Self.firstToken()
    }

    private static func firstToken() -> UInt64 {
        blocks.wrappingAdd(1, ordering: .relaxed).newValue << tokenBits
    }

    /// The number of blocks of tokens that workers have got.
    private static let blocks = Atomic<UInt64>(0)
    /// The number of bits by which the tokens of one block differ.
    private static let tokenBits: UInt64 = 20

    /// Runs a closure in which shared scopes use separate instances on this thread, for `verify()`.
    ///
    /// - Returns: what the closure has caused.
    static func withScratch(_ body: () -> Void) -> Findings {
        let worker = current
        let outer = (worker.scratch, worker.findings)
        (worker.scratch, worker.findings) = (ResolutionContext(), Findings())
        Container.verifications.add(1, ordering: .relaxed)
        body()
        Container.verifications.subtract(1, ordering: .relaxed)
        defer { (worker.scratch, worker.findings) = outer }
        return worker.findings
    }

    /// What the resolves of a `verify()` have caused.
    struct Findings {
        /// The lookups by factories and completions.
        var lookups: [Lookup] = []
        /// The resolves from captured containers, at most one for each registration whose closures do that.
        var captures: [ResolutionError] = []
    }

    /// A lookup by a factory or a completion.
    struct Lookup {
        let path: [DeferredCompletion.Step]
        let key: ServiceKey
        let container: Container
    }

    /// Records a lookup for the `verify()` that this worker runs, if there is one.
    func recordLookup(of key: ServiceKey, in container: Container) {
        if scratch != nil { findings.lookups.append(Lookup(path: stack.map(\.step), key: key, container: container)) }
    }
}

// MARK: - The stack

extension Worker {
    /// The service of the innermost factory or completion, or nil if none runs.
    var innermost: ServiceKey? { stack.last?.key }

    /// The maximum number of nested factory calls of one registration with runtime arguments, which may resolve its own
    /// service with other arguments. More calls are a circular error. Without arguments, one nested call is an error.
    private static let maximumRecursion = 100

    /// Records that a factory starts. Throws a circular error if this worker already runs the factory, or if it
    /// takes arguments and runs `maximumRecursion` times.
    ///
    /// - Returns: the token of its resolver.
    func enter(_ registration: Registration, for asked: Container, in context: ResolutionContext)
        throws(ResolutionError) -> UInt64
    {
        let occurrences = stack.count { $0.role == .factory && $0.isOf(registration, asked) }
        if occurrences > 0, registration.key.hasNoArguments || occurrences >= Self.maximumRecursion {
            throw ResolutionError(.circular, path: path(to: registration.key))
        }
        let token = nextToken()
        stack.push(Frame(registration, for: asked, in: context, token: token, role: .factory))
        return token
    }

    /// Throws a circular error if this worker already runs a completion of the same registration. Completions whose
    /// resolves build new instances of each other would never stop. An unshared service may be built again in the graph
    /// of a shared one, if that is only once on the path.
    func checkCompletion(of registration: Registration, for asked: Container) throws(ResolutionError) {
        let running = stack.lastIndex { $0.role == .completion && $0.isOf(registration, asked) }
        guard let running else { return }
        let shared = stack[(running + 1)...].filter(\.isShared)
        let isInNewGraph = shared.contains { frame in !stack[...running].contains { $0.hasRegistration(of: frame) } }
        if isInNewGraph, !registration.isSharing { return }
        let path = path(to: registration.key)
        // The resolver of the completion would have found the instance, and not built another one.
        let isCaptured = outermost.isCaptured && running < outermost.base && registration.options.scope == .graph
        throw ResolutionError(.circular, path: path, detail: isCaptured ? capture(path) : nil)
    }

    /// Records that the innermost factory has returned or thrown.
    func leave() { stack.pop(to: depth - 1) }

    /// The context of the factory or completion to which a token belongs, or nil if this worker does not run it.
    func context(of token: UInt64) -> ResolutionContext? {
        if token == 0 { return nil }
        return stack.last { $0.token == token }?.context
    }

    /// The innermost factory or completion that this worker runs for the graph of a deferred service, or nil.
    func frame(of service: DeferredService) -> Frame? { stack.last { $0.token != 0 && $0.context.contains(service) } }

    /// The services of the running factories and completions, outermost first, and then a key.
    func path(to key: ServiceKey) -> [ServiceKey] { path + [key] }

    /// The services of the running factories and completions, outermost first.
    var path: [ServiceKey] { stack.map(\.key) }

    /// The frames that were pushed since the outermost resolve began, as the path of a completion that runs after these
    /// factories have returned.
    var steps: [DeferredCompletion.Step] { stack[outermost.base...].map(\.step) }

    /// Records that the completions of an instance start, on top of the path to the instance. Frames do not retain, so
    /// the caller must keep the completion alive.
    ///
    /// - Returns: the token of their resolver.
    func push(_ completion: DeferredCompletion, of registration: Registration, in context: ResolutionContext) -> UInt64
    {
        for step in completion.path {
            stack.push(
                Frame(step.registration, for: step.asked, in: context, token: 0, role: step.role))
        }
        let token = nextToken()
        stack.push(
            Frame(registration, for: completion.asked, in: context, token: token, role: .completion))
        return token
    }

    /// Removes all frames above a depth, after completions have run.
    func pop(to depth: Int) { stack.pop(to: depth) }

    /// Returns a number that no other worker uses and that is greater than all earlier ones of this worker.
    private func nextToken() -> UInt64 {
        lastToken += 1
        if lastToken & (1 << Self.tokenBits - 1) == 0 { lastToken = Self.firstToken() + 1 }
        return lastToken
    }
}

// MARK: - Waiting

extension Worker {
    /// Records that this worker waits until a pending instance or one of its parts changes. The caller must hold the
    /// monitor, unlock it, and then call `sleep()`.
    func startWaiting(for pending: PendingInstance, path: [ServiceKey]) {
        wait = (pending, path)
        isWoken = false
        pending.wakeOnChange(self)
        // If this wait closes a cycle of waiting workers, wakes those in the cycle that wait for an instance whose
        // factory has returned: they can now take the incomplete instance.
        var others: [Worker] = []
        if pending.leads(to: self, { others.append($0) }) {
            for other in others {
                if let awaited = other.wait?.pending, awaited.isBuilt, awaited.leads(to: other) { other.wake() }
            }
        }
    }

    /// Blocks the thread until `wake()` has been called since the wait began. The caller must not hold the monitor.
    func sleep() {
        Container.monitor.withLock {
            while !isWoken { Container.monitor.wait(for: condition) }
            wait = nil
        }
    }

    /// Suspends the task until `wake()` has been called since the wait began, or until the task is cancelled.
    ///
    /// - Returns: whether the task is cancelled.
    nonisolated(nonsending) func suspend() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { new in
                let isOver = Container.withMonitor {
                    if !isWoken { continuation = new }
                    return isWoken
                }
                if isOver { new.resume() }
            }
        } onCancel: {
            Container.withMonitor { wake() }
        }
        Container.withMonitor { wait = nil }
        return Task.isCancelled
    }

    /// Ends the wait of this worker. The caller must hold the monitor.
    func wake() {
        isWoken = true
        condition.notify()
        Self.woken.withLock { $0.append((self, continuation)) }
        continuation = nil
    }

    /// The workers to resume and to release when the monitor is unlocked. A worker whose task has been cancelled may be
    /// released here, and with it a registration or a container.
    fileprivate static let woken = Guarded<[(worker: Worker, continuation: CheckedContinuation<Void, Never>?)]>([])

    /// Runs a closure while this worker is the current one of the thread.
    func asCurrent<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        try ThreadLocal.withObject(self, Self.key, body)
    }
}

// MARK: - Tasks

extension Worker {
    /// The worker whose asynchronous factory or completion this task runs, or nil. A resolve that the factory awaits
    /// from a captured container uses the same worker, so that a circle is an error.
    static var ofTask: Worker? {
        guard let inTask, inTask.task == currentTask else { return nil }
        // A task that has inherited the value may get the hash value of the other one when that has ended. Then no
        // factory of the worker runs.
        return inTask.worker.depth > 0 ? inTask.worker : nil
    }

    private static var currentTask: Int? { unsafe withUnsafeCurrentTask { unsafe $0?.hashValue } }

    /// Runs an asynchronous factory or completion of this worker.
    nonisolated(nonsending) func asWorkerOfTask<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await Self.$inTask.withValue((self, Self.currentTask), operation: body)
    }
}

extension Container {
    /// Runs a closure under the monitor, and then resumes the tasks that the closure has woken. They are not resumed
    /// under the monitor, because the executor of a task may be the user's.
    static func withMonitor<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        monitor.lock()
        defer {
            let woken = Worker.woken.withLock { woken in
                defer { woken = [] }
                return woken
            }
            monitor.unlock()
            for (_, continuation) in woken { continuation?.resume() }
        }
        return try body()
    }
}

// MARK: - Outermost resolves

extension Worker {
    /// An outermost resolve: one that a caller has begun from a container, or from a resolver whose factory has
    /// returned.
    struct OutermostResolve {
        /// The number of frames on the stack when it began.
        fileprivate(set) var base = 0
        /// The number of elements of `taken` when it began.
        fileprivate(set) var takenBase = 0
        /// Whether it may suspend, so that it can complete instances whose completions are asynchronous.
        fileprivate(set) var isAsync = false
        /// Whether a factory or a completion began it from a captured container instead of its resolver. Then its frame
        /// is the one below `base`.
        fileprivate(set) var isCaptured = false
    }

    /// Begins an outermost resolve.
    ///
    /// - Parameters:
    ///   - container: the container that the caller has asked without a resolver, or nil.
    ///   - isAsync: whether the resolve may suspend.
    /// - Returns: the graph that it builds, and the resolve that `end` continues.
    func begin(
        from container: Container? = nil, isAsync: Bool = false
    ) -> (context: ResolutionContext, outer: OutermostResolve) {
        let outer = outermost
        outermost = OutermostResolve(
            base: depth, takenBase: taken.count, isAsync: isAsync,
            isCaptured: depth > 0 && container.map { stack.last?.reaches($0) == true } ?? false)
        defer { spare = nil }
        return (spare ?? ResolutionContext(), outer)
    }

    /// Ends an outermost resolve and releases the instances of its graph.
    func end(_ context: ResolutionContext, outer: OutermostResolve) {
        outermost = outer
        if context.clear() { spare = context }
    }
}
