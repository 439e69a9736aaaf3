import SharedState
import Synchronization

/// A factory, a completion or a hook that runs, or that has led to a frame which runs now.
///
/// A task that a factory has started keeps its frame. So a frame that has ended keeps neither an instance nor a container.
final class Frame: Sendable {
    enum Role {
        case factory
        case completion
        /// A closure of `onClose`, or the release of an instance that was closed.
        case closing
    }

    let key: ServiceKey
    let isShared: Bool
    let role: Role
    /// The requester of the service, or nil for an outermost resolve.
    let parent: Frame?
    /// The number of frames on the path to this frame, including itself and the frames that have led to the task of a
    /// construction.
    let level: Int
    /// Whether this frame, or a frame that has led to it, closes an instance.
    private let isInClosing: Bool
    private let registration: ObjectIdentifier
    private let container: ObjectIdentifier
    private let activeDependent: Lock<SharedInstance?>
    private let active = Atomic(true)

    /// The innermost asynchronous frame that runs in this task or has started it.
    @TaskLocal static var inTask: Frame?

    /// The number of asynchronous frames that run in the process. If it is 0, the task-local frame need not be read.
    private static let countInTasks = Atomic(0)

    /// Returns the frame that has led to a resolve or a closing: the innermost frame that runs on this thread, or else
    /// the frame of the resolver if that runs, or else the innermost frame of this task.
    static func requester(onThread frame: Frame?, ofResolver other: Frame? = nil) -> Frame? {
        frame ?? other ?? activeInTask
    }

    /// The requester of a call that has no resolver, such as `close()`.
    static var current: Frame? { requester(onThread: ResolvingThread.currentFrame) }

    /// The innermost asynchronous frame of this task, if it runs.
    static var activeInTask: Frame? {
        if countInTasks.load(ordering: .relaxed) == 0 { return nil }
        return inTask.flatMap { $0.isActive ? $0 : nil }
    }

    /// Runs an asynchronous factory, completion or hook in this task.
    nonisolated(nonsending) func run<Result>(
        inTask body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        Self.countInTasks.add(1, ordering: .relaxed)
        defer {
            deactivate()
            Self.countInTasks.subtract(1, ordering: .relaxed)
        }
        return try await Self.$inTask.withValue(self) { try await body() }
    }

    /// Creates the frame of user code that is about to run.
    ///
    /// - Parameters:
    ///   - registration: the registration whose factory, completion or hook it is.
    ///   - container: the container of the instance.
    ///   - graph: the graph of a factory or a completion, or nil for a closing.
    ///   - parent: the requester of the service, or nil.
    ///   - role: the kind of the user code.
    ///   - former: the number of frames that have led to it if it has no parent, because a task builds the service.
    init(
        _ registration: Registration, for container: Container, in graph: Graph? = nil, after parent: Frame?,
        _ role: Role, above former: Int = 0
    ) {
        level = (parent?.level ?? former) + 1
        (key, isShared) = (registration.key, registration.isShared)
        (self.registration, self.container) = (ObjectIdentifier(registration), ObjectIdentifier(container))
        (self.role, self.parent) = (role, parent)
        activeDependent = Lock(graph?.dependent)
        isInClosing = role == .closing || parent?.isInClosing == true
    }

    /// Whether the factory, the completion or the hook runs. A resolver belongs to a graph only as long as its frame is
    /// active.
    var isActive: Bool { active.load(ordering: .relaxed) }

    /// The shared instance whose dependencies are taken in this frame, or nil.
    var dependent: SharedInstance? { activeDependent.withLock { $0 } }

    /// The shared instance under construction that has led to this frame, also by a captured container, or nil.
    var instanceUnderConstruction: SharedInstance? { chain.lazy.compactMap(\.dependent).first { !$0.phase.hasEnded } }

    /// Records that its user code has ended, and releases the dependent.
    func deactivate() {
        active.store(false, ordering: .relaxed)
        let former = activeDependent.withLock { $0.take() }
        withExtendedLifetime(former) {}
    }

    /// The services from the outermost service to the service of this frame.
    var path: [ServiceKey] { chain.map(\.key).reversed() }

    /// The maximum number of levels. A longer path belongs to a service that resolves itself, such as from a new child.
    static let maximumLevels = 1_000

    /// This frame and the frames that have led to it, beginning with the innermost.
    var chain: some Sequence<Frame> { sequence(first: self, next: \.parent) }

    /// Whether it runs the factory, a completion or a hook of a registration, for an instance of a container.
    func isOf(_ other: Registration, _ container: Container) -> Bool {
        registration == ObjectIdentifier(other) && key == other.key && isFor(container)
    }

    /// Whether it runs the factory, a completion or a hook of a shared instance, or of another one in its place.
    func isOf(_ shared: SharedInstance) -> Bool {
        registration == ObjectIdentifier(shared.registration) && container == shared.containerID
    }

    /// Whether its instance belongs to a container.
    func isFor(_ container: Container) -> Bool { self.container == ObjectIdentifier(container) }

    /// Whether a shared instance is being closed on the way to this frame, so that it must not be built again here.
    func isClosing(_ other: Registration, of container: Container) -> Bool {
        isInClosing && chain.contains { $0.role == .closing && $0.isOf(other, container) }
    }
}

extension Frame? {
    /// The services of the frames, and then a key.
    func path(to key: ServiceKey) -> [ServiceKey] { (self?.path ?? []) + [key] }

    /// The maximum number of nested factory calls of one registration with runtime arguments, which may resolve its own
    /// service with other arguments. More calls are a circular error. Without arguments, one nested call is an error.
    private static var maximumRecursion: Int { 100 }

    /// Throws a circular error if a factory or a completion of a registration must not run here, because a frame that
    /// has led to it would be called without end.
    ///
    /// A completion that has ended counts, too: the completions that it has caused run after it, and could go on for ever.
    /// A shared service on the way has a graph of its own and is built only once, so an unshared service may be built
    /// again behind it.
    func check(_ role: Frame.Role, of registration: Registration, for container: Container) throws(ResolutionError) {
        let limit = role == .completion || registration.key.hasNoArguments ? 1 : Self.maximumRecursion
        var (calls, next) = (0, self)
        while let frame = next, registration.isShared || !frame.isShared {
            if frame.role == role, frame.isOf(registration, container), role == .completion || frame.isActive {
                calls += 1
                if calls == limit { throw circle(registration) }
            }
            next = frame.parent
        }
    }

    private func circle(_ registration: Registration) -> ResolutionError {
        // A `Lazy` of an unshared service keeps it, so two services of one graph would keep each other.
        let detail: String? = registration.isShared ? nil : "unshared"
        return ResolutionError(.circular, path: path(to: registration.key), detail: detail)
    }
}
