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
