/// A registration whose service is known, and whose arguments are not.
class ServiceRegistration<Service>: AnyRegistration, @unchecked Sendable {
    // @unchecked: it adds nothing to what its superclass proves.
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
    // @unchecked: it adds Sendable closures that are set once.
    typealias Factory = @Sendable (Resolver, Arguments) throws -> Service

    let factory: Factory
    let completions: [@Sendable (Resolver, Service) throws -> Void]
    /// Asking the array would look up its type's metadata, which costs more than all else on the way.
    let hasCompletions: Bool
    /// For the same reason.
    let instanceType = Instance<Service>.self
    /// Whether the service's type is a class, and not a protocol.
    let isClass = Service.self is any AnyObject.Type

    init(
        key: ServiceKey, scope: Scope = .graph, owner: Container, isVerified: Bool = true, forwards: ServiceKey? = nil,
        completions: [@Sendable (Resolver, Service) throws -> Void] = [], factory: @escaping Factory
    ) {
        self.factory = factory
        self.completions = completions
        hasCompletions = !completions.isEmpty
        super.init(key: key, scope: scope, owner: owner, isVerified: isVerified, forwards: forwards)
    }

    override func with(_ change: Change<Service>) -> ServiceRegistration<Service> {
        var (scope, completions, isVerified) = (scope, completions, isVerified)
        switch change {
        case .scope(let new): scope = new
        case .completion(let completion): completions.append(completion)
        case .unverified: isVerified = false
        }
        return Registration(
            key: key, scope: scope, owner: unsafe owner, isVerified: isVerified, completions: completions,
            factory: factory)
    }

    /// A registration of another type whose "factory" asks for this one, in the name of who asked.
    override func forwarded<View>(to type: View.Type, _ qualifier: Qualifier) -> AnyRegistration {
        let target = key
        let view = ServiceKey(service: type, arguments: key.arguments, qualifier: qualifier)
        return Registration<View, Arguments>(key: view, owner: unsafe owner, forwards: key) { r, arguments in
            guard let found = unsafe r.container.find(target) else {
                throw ResolutionError(.notRegistered, path: ThreadState.current.path(to: target), in: r.container)
            }
            try unsafe found._withUnsafeGuaranteedRef { try $0.checkForwards(from: view, in: r.container) }
            // `find` compares the types, so it is a registration of this service and these arguments.
            return try unsafe found._withUnsafeGuaranteedRef {
                try unsafe unsafeDowncast($0, to: Registration.self).provideView(of: type, for: r, arguments)
            }
        }
    }

    override func verify(for asked: Container) throws(ResolutionError) {
        // Only those without arguments get here, whose `Arguments` is `Void`.
        guard let nothing = () as? Arguments else { return }
        _ = try provide(for: Resolver(container: asked, token: 0), nothing)
    }
}
