/// A registration whose service is known, and whose arguments are not.
class ServiceRegistration<Service>: AnyRegistration, @unchecked Sendable {
    func with(_ change: Change<Service>) -> ServiceRegistration<Service> { self }
    func forwarded<View>(to type: View.Type, _ qualifier: Qualifier) -> AnyRegistration { self }
}

/// What an entry can change.
enum Change<Service> {
    case scope(Scope)
    case completion(@Sendable (Resolver, Service) throws -> Void)
    case unverified
}

/// A registration: its factory and its completions. Everything that is known of it is in its type, so that no cast
/// is needed on the way to an instance.
final class Registration<Service, Arguments>: ServiceRegistration<Service>, @unchecked Sendable {
    typealias Factory = @Sendable (Resolver, Arguments) throws -> Service
    typealias Forward = @Sendable (Container, Arguments, ThreadState, Graph?) throws(ResolutionError) -> Service

    enum Source: Sendable {
        case factory(Factory)
        /// It stands for another registration.
        case forward(Forward, to: ServiceKey)
    }

    let source: Source
    let completions: [@Sendable (Resolver, Service) throws -> Void]

    init(
        _ source: Source, key: ServiceKey, scope: Scope = .graph, owner: Container, isVerified: Bool = true,
        completions: [@Sendable (Resolver, Service) throws -> Void] = []
    ) {
        self.source = source
        self.completions = completions
        super.init(key: key, scope: scope, owner: owner, isVerified: isVerified)
    }

    override func with(_ change: Change<Service>) -> ServiceRegistration<Service> {
        var (scope, completions, isVerified) = (scope, completions, isVerified)
        switch change {
        case .scope(let new): scope = new
        case .completion(let completion): completions.append(completion)
        case .unverified: isVerified = false
        }
        return Registration(
            source, key: key, scope: scope, owner: unsafe owner, isVerified: isVerified, completions: completions)
    }

    override var forwardedService: Any.Type? {
        if case .forward(_, let key) = source { key.service } else { nil }
    }

    override func verify(for asked: Container, on thread: ThreadState) throws(ResolutionError) {
        // Only those without arguments get here, whose `Arguments` is `Void`.
        guard let nothing = () as? Arguments else { return }
        _ = try provide(for: asked, nothing, on: thread, in: nil)
    }

    override func forwarded<View>(to type: View.Type, _ qualifier: Qualifier) -> AnyRegistration {
        let target = key
        let forward: Registration<View, Arguments>.Forward = {
            (asked, arguments, thread, graph) throws(ResolutionError) in
            guard let found = unsafe asked.find(target) else {
                throw ResolutionError(.notRegistered, path: thread.path(to: target), in: asked)
            }
            // `find` compares the types, so it is a registration of this service and these arguments.
            let registration = unsafe unsafeDowncast(found.takeUnretainedValue(), to: Registration.self)
            return try registration.provideView(of: type, for: asked, arguments, on: thread, in: graph)
        }
        return Registration<View, Arguments>(
            .forward(forward, to: key), key: ServiceKey(service: type, arguments: key.arguments, qualifier: qualifier),
            owner: unsafe owner)
    }
}
