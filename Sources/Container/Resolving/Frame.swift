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

    /// Throws a circular error if the factory of a registration must not start here, because it runs already.
    func checkFactory(of registration: Registration, for container: Container) throws(ResolutionError) {
        var calls = 0
        for frame in sameGraph(as: registration)
        where frame.isActive && frame.role == .factory && frame.isOf(registration, container) {
            calls += 1
            if registration.key.hasNoArguments || calls >= Self.maximumRecursion { throw circle(registration) }
        }
    }

    /// The frames that can be in a circle with a registration. A shared service on the way has a graph of its own and is
    /// built only once, so an unshared service may be built again behind it.
    private func sameGraph(as registration: Registration) -> some Sequence<Frame> {
        let isShared = registration.sharedScope != nil
        return sequence(first: self) { $0?.parent }.lazy.compactMap(\.self)
            .prefix { isShared || $0.registration.sharedScope == nil }
    }

    private func circle(_ registration: Registration) -> ResolutionError {
        // A `Lazy` of an unshared service keeps it, so two services of one graph would keep each other.
        let detail: String? = registration.sharedScope == nil ? "unshared" : nil
        return ResolutionError(.circular, path: path(to: registration.key), detail: detail)
    }

    /// Throws a circular error if the completions of an instance must not follow here, because those of another
    /// instance of the same registration have led to it. They would build instances of each other without end.
    func checkCompletion(of registration: Registration, for container: Container) throws(ResolutionError) {
        if registration.sharedScope != nil { return }
        for frame in sameGraph(as: registration) where frame.role == .completion && frame.isOf(registration, container)
        {
            throw circle(registration)
        }
    }
}
