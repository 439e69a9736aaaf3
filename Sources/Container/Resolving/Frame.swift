import Synchronization

/// A factory or a completion that runs, or that has led to a completion which runs now.
final class Frame: Sendable {
    enum Role {
        case factory
        case completion
    }

    let registration: Registration
    /// The container from which the factory or completion resolves.
    let container: Container
    /// The shared instance that is built with what the factory or completion takes, or nil.
    let user: PendingInstance?
    /// What has asked for the service, or nil for an outermost resolve.
    let parent: Frame?
    let role: Role
    /// Whether the factory or completion runs. Its resolver belongs to the graph only as long as it does.
    var isActive: Bool { active.load(ordering: .relaxed) }
    private let active = Atomic(true)

    /// The innermost asynchronous factory or completion that runs in this task or has started it.
    @TaskLocal static var inTask: Frame?

    init(_ registration: Registration, for container: Container, in graph: Graph, after parent: Frame?, _ role: Role) {
        self.registration = registration
        self.container = container
        self.user = graph.user
        self.parent = parent
        self.role = role
    }

    /// Records that the factory or completion has ended.
    func end() { active.store(false, ordering: .relaxed) }

    /// The services from the outermost one to this one.
    var path: [ServiceKey] { (parent?.path ?? []) + [registration.key] }

    /// This frame and those that have led to it, from the innermost one.
    var chain: some Sequence<Frame> { sequence(first: self, next: \.parent) }

    func isOf(_ other: Registration, _ container: Container) -> Bool {
        registration === other && self.container === container
    }
}

extension Frame? {
    /// The services of the frames, and then a key.
    func path(to key: ServiceKey) -> [ServiceKey] { (self?.path ?? []) + [key] }

    /// The maximum number of nested factory calls of one registration with runtime arguments, which may resolve its own
    /// service with other arguments. More calls are a circular error. Without arguments, one nested call is an error.
    private static var maximumRecursion: Int { 100 }

    /// Throws a circular error if a factory or a completion of a registration must not run here, because one that has
    /// led to it would be called without end.
    ///
    /// A shared service on the way has a graph of its own and is built only once, so an unshared service may be built
    /// again behind it.
    func check(_ role: Frame.Role, of registration: Registration, for container: Container) throws(ResolutionError) {
        let limit = role == .completion || registration.key.hasNoArguments ? 1 : Self.maximumRecursion
        var (calls, next) = (0, self)
        while let frame = next, registration.isShared || !frame.registration.isShared {
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
