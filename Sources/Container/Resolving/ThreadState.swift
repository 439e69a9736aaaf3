import SharedState
import Synchronization

/// What a thread is in the middle of: the factories on its stack, and what it waits for.
///
/// Factories are synchronous, so a resolve never leaves its thread.
@safe
final class ThreadState {
    /// The factories and completions that run on this thread, the outermost first.
    private var stack: [Frame] = []
    /// How many factories and completions run.
    var depth: Int { stack.count }
    /// A context that has ended, for the next resolve.
    private var spare: ResolutionContext?
    /// Where the instances of a `verify()` that runs on this thread go.
    private(set) var scratch: ResolutionContext?
    /// What has been taken on the way that was not complete, by the resolves that are under way.
    var taken: [Taken] = []
    /// How many factories and completions of shared instances run.
    var sharedDepth = 0
    var isMakingShared: Bool { sharedDepth > 0 }
    /// The threads whose instances this one is completing, and those whose they were completing.
    var makers: [ThreadState] = []
    /// What this thread waits for, and the path to it. Guarded by `Container.monitor`.
    var wait: (pending: PendingInstance, path: [ServiceKey])?
    private let condition = Condition()

    private var lastToken: UInt64

    private static let key = Atomic<UInt>(0)

    /// The state of this thread.
    static var current: ThreadState {
        if let state: Unmanaged<ThreadState> = unsafe ThreadLocal.object(key) {
            return unsafe state.takeUnretainedValue()
        }
        let state = ThreadState()
        ThreadLocal.set(state, key)
        return state
    }

    init() {
        // Tokens of different threads differ in their upper bits, so that a resolver that went to
        // another thread is not taken for one of its own.
        lastToken = Self.threadCount.wrappingAdd(1, ordering: .relaxed).newValue << 40
    }

    private static let threadCount = Atomic<UInt64>(0)

    /// Runs some code with instances of its own for the shared scopes, for `verify()`.
    static func withScratch(_ body: () -> Void) {
        let thread = current
        let outer = thread.scratch
        thread.scratch = ResolutionContext()
        Container.verifications.add(1, ordering: .relaxed)
        body()
        Container.verifications.subtract(1, ordering: .relaxed)
        thread.scratch = outer
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
    unowned(unsafe) let registration: Registration
    unowned(unsafe) let asked: Container
    unowned(unsafe) let context: ResolutionContext
    let token: UInt64
    let role: Role

    func isOf(_ other: Registration, _ asked: Container) -> Bool {
        unsafe registration === other && self.asked === asked
    }
}

/// A part of the path that has led to a completion.
struct Step {
    let registration: Registration
    let asked: Container
    let role: Frame.Role
}

// MARK: - The stack

extension ThreadState {
    /// The depth at which a registration with runtime arguments that resolves itself counts as circular.
    /// Others are circular when they come up a second time.
    private static let maximumRecursion = 100

    /// Notes that a factory starts.
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
        push(Frame(registration: registration, asked: asked, context: context, token: token, role: .factory))
        return token
    }

    /// Refuses to put off a completion that comes up while the one of the same registration runs: it would for ever.
    func checkCompletion(of registration: Registration, for asked: Container) throws(ResolutionError) {
        if stack.contains(where: { $0.role == .completion && $0.isOf(registration, asked) }) {
            throw ResolutionError(.circular, path: path(to: registration.key))
        }
    }

    /// Notes that the innermost factory or completion has ended.
    func leave() { stack.removeLast() }

    /// The graph that a resolver belongs to, as long as its factory runs on this thread.
    func context(of token: UInt64) -> ResolutionContext? {
        if token == 0 { return nil }
        return unsafe stack.last { $0.token == token }?.context
    }

    /// The path from the outermost factory to a key.
    func path(to key: ServiceKey) -> [ServiceKey] { path + [key] }

    /// The path to the innermost factory or completion.
    var path: [ServiceKey] { stack.map { unsafe $0.registration.key } }

    /// The path since a graph began, for a completion that runs when its factories have returned.
    func steps(since context: ResolutionContext) -> [Step] {
        stack[context.base...].map { frame in
            Step(
                registration: unsafe frame.registration, asked: unsafe frame.asked,
                role: frame.role == .factory ? .past : frame.role)
        }
    }

    /// Notes that completions run, on top of the path that led to them. Who calls it keeps the completion.
    ///
    /// - Returns: the token of their resolver.
    func push(_ completion: DeferredCompletion, of registration: Registration, in context: ResolutionContext) -> UInt64
    {
        for step in completion.path {
            push(Frame(registration: step.registration, asked: step.asked, context: context, token: 0, role: step.role))
        }
        let token = nextToken()
        push(
            Frame(
                registration: registration, asked: completion.asked, context: context, token: token, role: .completion))
        return token
    }

    /// Notes that the completions have run.
    func pop(to depth: Int) { stack.removeLast(stack.count - depth) }

    /// A number that no other thread has, greater than all before.
    func nextToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }

    private func push(_ frame: Frame) { stack.append(frame) }
}

// MARK: - Waiting

extension ThreadState {
    /// Gives the monitor back and waits until another thread wakes this one, or for no reason.
    func sleep() { Container.monitor.wait(for: condition) }

    /// Lets this thread go on. Call it under the monitor.
    func wake() { condition.notify() }
}

// MARK: - Graphs

extension ThreadState {
    /// Begins an outermost resolve.
    func beginContext() -> ResolutionContext {
        let context = spare ?? ResolutionContext()
        spare = nil
        context.base = depth
        context.takenBase = taken.count
        return context
    }

    /// Ends it, and lets its instances go.
    func end(_ context: ResolutionContext) { if context.clear() { spare = context } }
}
