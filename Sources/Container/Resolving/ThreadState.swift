import SharedState
import Synchronization

/// A thread's resolves in progress: the factories on its stack, and what it waits for.
///
/// Factories are synchronous, so a resolve never leaves its thread.
@safe
final class ThreadState {
    /// The factories and completions that run on this thread.
    private let stack = FrameStack()
    /// The number of factories and completions that run.
    var depth: Int { stack.count }
    /// An empty context for the next resolve.
    private var spare: ResolutionContext?
    /// The shared instances of a `verify()` that runs on this thread.
    private(set) var scratch: ResolutionContext?
    /// The incomplete instances that the resolves in progress have taken.
    var taken: [Taken] = []
    /// The number of factories and completions of shared instances that run.
    var sharedDepth = 0
    var isMakingShared: Bool { sharedDepth > 0 }
    /// The threads whose instances this thread is completing, directly or through others.
    var makers: [ThreadState] = []
    /// The instance that this thread waits for, and the path to it. Guarded by `Container.monitor`.
    var wait: (pending: PendingInstance, path: [ServiceKey])?
    private let condition = Condition()

    private var lastToken: UInt64

    private static let key = Atomic<UInt>(0)

    /// The state of this thread.
    static var current: ThreadState {
        ThreadLocal.object(key) { ThreadState() }
    }

    init() {
        // Tokens of different threads differ in their upper bits. So a thread does not accept a resolver of another
        // one.
        lastToken = Self.threadCount.wrappingAdd(1, ordering: .relaxed).newValue << 40
    }

    private static let threadCount = Atomic<UInt64>(0)

    /// Runs a closure with separate instances for the shared scopes, for `verify()`.
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

// MARK: - The stack

extension ThreadState {
    /// The depth at which a registration with runtime arguments that resolves itself is circular. A registration
    /// without arguments is circular at depth 2.
    private static let maximumRecursion = 100

    /// Records that a factory starts.
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

    /// Throws if a completion of the same registration runs: completions that make each other would never end.
    func checkCompletion(of registration: Registration, for asked: Container) throws(ResolutionError) {
        if stack.contains(where: { $0.role == .completion && $0.isOf(registration, asked) }) {
            throw ResolutionError(.circular, path: path(to: registration.key))
        }
    }

    /// Records that the innermost factory or completion has ended.
    func leave() { stack.pop(to: depth - 1) }

    /// The context of a resolver, as long as its factory runs on this thread.
    func context(of token: UInt64) -> ResolutionContext? {
        if token == 0 { return nil }
        return stack.last { $0.token == token }?.context
    }

    /// The path from the outermost factory to a key.
    func path(to key: ServiceKey) -> [ServiceKey] { path + [key] }

    /// The path to the innermost factory or completion.
    var path: [ServiceKey] { stack.map(\.key) }

    /// The path since a resolve began, for a completion that runs when its factories have returned.
    func steps(since context: ResolutionContext) -> [DeferredCompletion.Step] { stack[context.base...].map(\.step) }

    /// Records that completions run, on top of the path to their instance. The caller must keep the completion alive.
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

    /// Records that the completions have run.
    func pop(to depth: Int) { stack.pop(to: depth) }

    /// A number that no other thread uses, greater than all earlier ones of this thread.
    func nextToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }
}

// MARK: - Waiting

extension ThreadState {
    /// Unlocks the monitor and waits until another thread wakes this one. It may return early.
    func sleep() { Container.monitor.wait(for: condition) }

    /// Wakes this thread. Call it under the monitor.
    func wake() { condition.notify() }
}

// MARK: - Contexts

extension ThreadState {
    /// Begins an outermost resolve.
    func beginContext() -> ResolutionContext {
        let context = spare ?? ResolutionContext()
        spare = nil
        context.base = depth
        context.takenBase = taken.count
        return context
    }

    /// Ends an outermost resolve and releases its instances.
    func end(_ context: ResolutionContext) { if context.clear() { spare = context } }
}

// MARK: - Frames

/// A factory or a completion that runs on a thread.
@safe
struct Frame {
    enum Role {
        case factory
        case completion
        /// A part of the path to a completion; its factory has returned.
        case past
    }

    // All three live as long as the frame: the resolve that has pushed it keeps them.
    private unowned(unsafe) let registration: Registration
    private unowned(unsafe) let asked: Container
    private unowned(unsafe) let unownedContext: ResolutionContext
    let token: UInt64
    let role: Role

    init(
        _ registration: Registration, for asked: Container, in context: ResolutionContext, token: UInt64, role: Role
    ) {
        unsafe self.registration = registration
        unsafe self.asked = asked
        unsafe unownedContext = context
        self.token = token
        self.role = role
    }

    func isOf(_ other: Registration, _ asked: Container) -> Bool {
        unsafe registration === other && self.asked === asked
    }

    var context: ResolutionContext { unsafe unownedContext }

    var key: ServiceKey { unsafe registration.key }

    /// The same as a part of the path to a completion, which keeps its registration and container.
    var step: DeferredCompletion.Step {
        unsafe DeferredCompletion.Step(
            registration: registration, asked: asked, role: role == .factory ? .past : role)
    }
}

/// The factories and completions that run on one thread, the outermost first.
///
/// It is not an array: the checks for exclusive access to one made a graph of services 25 % slower.
@safe
final class FrameStack: RandomAccessCollection {
    private var frames = UnsafeMutablePointer<Frame>.allocate(capacity: 32)
    private var capacity = 32
    private(set) var endIndex = 0
    let startIndex = 0

    // `Frame` is trivial, so that nothing needs to be initialized or deinitialized.
    deinit { unsafe frames.deallocate() }

    subscript(index: Int) -> Frame {
        precondition(index < endIndex)
        return unsafe frames[index]
    }

    func push(_ frame: Frame) {
        if endIndex == capacity {
            let more = UnsafeMutablePointer<Frame>.allocate(capacity: 2 * capacity)
            unsafe more.update(from: frames, count: endIndex)
            unsafe frames.deallocate()
            unsafe frames = more
            capacity *= 2
        }
        unsafe frames[endIndex] = frame
        endIndex += 1
    }

    /// Removes all frames but the outermost ones.
    func pop(to count: Int) { endIndex = count }
}
