import SharedState
import Synchronization

/// The resolves in progress on one thread: the running factories and completions, and the instance that it waits for.
///
/// Factories are synchronous, so a resolve never moves to another thread.
@safe
final class ThreadState {
    /// The factories and completions that run on this thread.
    private let stack = FrameStack()
    /// The number of factories and completions that run.
    var depth: Int { stack.count }
    /// A cleared context, which the next resolve reuses to save an allocation.
    private var spare: ResolutionContext?
    /// The context with the shared instances of a `verify()` that runs on this thread, or nil.
    private(set) var scratch: ResolutionContext?
    /// The incomplete instances that the resolves in progress have taken, those of the outermost resolve first.
    var taken: [Taken] = []
    /// The number of factories and completions of shared instances that run.
    var sharedDepth = 0
    var isMakingShared: Bool { sharedDepth > 0 }
    /// The threads whose instances this thread is completing. If such a thread was itself completing instances of other
    /// threads when it made the instance, those threads are included.
    var makers: [ThreadState] = []
    /// The instance that this thread waits for and the path to it, or nil. Guarded by `Container.monitor`.
    var wait: (pending: PendingInstance, path: [ServiceKey])?
    private let condition = Condition()

    private var lastToken: UInt64

    private static let key = Atomic<UInt>(0)

    /// The state of this thread.
    static var current: ThreadState {
        ThreadLocal.object(key) { ThreadState() }
    }

    init() {
        // The upper bits of a token identify its thread, so a thread never finds the token of another thread's resolver
        // on its own stack.
        lastToken = Self.threadCount.wrappingAdd(1, ordering: .relaxed).newValue << 40
    }

    private static let threadCount = Atomic<UInt64>(0)

    /// Runs a closure in which shared scopes use separate instances on this thread, for `verify()`.
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
    /// The maximum number of nested factory calls of one registration with runtime arguments, which may resolve its own
    /// service with other arguments. More calls are a circular error. Without arguments, one nested call is an error.
    private static let maximumRecursion = 100

    /// Records that a factory starts. Throws a circular error if the factory already runs on this thread, or if it
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

    /// Throws a circular error if a completion of the same registration already runs on this thread. Completions whose
    /// resolves build new instances of each other would never stop.
    func checkCompletion(of registration: Registration, for asked: Container) throws(ResolutionError) {
        if stack.contains(where: { $0.role == .completion && $0.isOf(registration, asked) }) {
            throw ResolutionError(.circular, path: path(to: registration.key))
        }
    }

    /// Records that the innermost factory has returned or thrown.
    func leave() { stack.pop(to: depth - 1) }

    /// The context of the factory or completion to which a token belongs, or nil if it is not running on this thread.
    func context(of token: UInt64) -> ResolutionContext? {
        if token == 0 { return nil }
        return stack.last { $0.token == token }?.context
    }

    /// The services of the running factories and completions, outermost first, and then a key.
    func path(to key: ServiceKey) -> [ServiceKey] { path + [key] }

    /// The services of the running factories and completions, outermost first.
    var path: [ServiceKey] { stack.map(\.key) }

    /// The frames that were pushed since a resolve began, as the path of a completion that runs after these factories
    /// have returned.
    func steps(since context: ResolutionContext) -> [DeferredCompletion.Step] { stack[context.base...].map(\.step) }

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

    /// Returns a number that no other thread uses and that is greater than all earlier ones of this thread.
    func nextToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }
}

// MARK: - Waiting

extension ThreadState {
    /// Unlocks the monitor, waits until another thread calls `wake()`, and locks the monitor again. It may also return
    /// without a `wake()`.
    func sleep() { Container.monitor.wait(for: condition) }

    /// Wakes this thread. The caller must hold the monitor.
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
        /// A factory that has returned, as a part of the path to a completion.
        case past
    }

    // Not retained, to make frames cheap. Safe, because the resolve that pushes a frame keeps these three objects alive
    // until it removes the frame.
    private unowned(unsafe) let registration: Registration
    /// The container for which the instance is built: the one that the caller resolves from, or the registration's own
    /// if the scope is shared.
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

    /// The frame as a step in the path of a completion. Unlike the frame, the step retains its objects.
    var step: DeferredCompletion.Step {
        unsafe DeferredCompletion.Step(
            registration: registration, asked: asked, role: role == .factory ? .past : role)
    }
}

/// The factories and completions that run on one thread, the outermost first.
///
/// The storage is not an array, because the exclusivity checks of an array made the resolve of a graph 25 % slower.
@safe
final class FrameStack: RandomAccessCollection {
    private var frames = UnsafeMutablePointer<Frame>.allocate(capacity: 32)
    private var capacity = 32
    private(set) var endIndex = 0
    let startIndex = 0

    // `Frame` is a trivial type, so its elements need no deinitialization.
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

    /// Removes the innermost frames until `count` are left.
    func pop(to count: Int) { endIndex = count }
}
