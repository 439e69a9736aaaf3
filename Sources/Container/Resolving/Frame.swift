/// A factory or a completion that a worker runs.
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

    func hasRegistration(of other: Frame) -> Bool { unsafe registration === other.registration }

    /// Whether the service is shared.
    var isShared: Bool { unsafe registration.isSharing }

    /// Whether the resolver of the factory or completion resolves the services of `container`.
    func reaches(_ container: Container) -> Bool {
        sequence(first: unsafe asked, next: \.parent).contains { $0 === container }
    }

    var context: ResolutionContext { unsafe unownedContext }

    var key: ServiceKey { unsafe registration.key }

    /// The frame as a step in the path of a completion. Unlike the frame, the step retains its objects.
    var step: DeferredCompletion.Step {
        unsafe DeferredCompletion.Step(
            registration: registration, asked: asked, role: role == .factory ? .past : role)
    }
}

/// The factories and completions that one worker runs, the outermost first.
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
