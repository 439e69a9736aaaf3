/// A registration whose service is known, and whose arguments are not.
class ServiceRegistration<Service>: AnyRegistration, @unchecked Sendable {
    // @unchecked: it adds nothing to what its superclass proves.
    func with(_ change: (inout Traits<Service>) -> Void) -> ServiceRegistration<Service> { self }
}

/// What an entry can change.
struct Traits<Service> {
    var scope = Scope.graph
    var completions: [@Sendable (Resolver, Service) throws -> Void] = []
    var isVerified = true
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
    private let boxType = Box<Service>.self

    init(
        key: ServiceKey, owner: Container, traits: Traits<Service> = Traits(), target: AnyRegistration? = nil,
        factory: @escaping Factory
    ) {
        self.factory = factory
        completions = traits.completions
        hasCompletions = !completions.isEmpty
        super.init(
            key: key, scope: traits.scope, owner: owner, isVerified: traits.isVerified, target: target,
            isClass: Service.self is any AnyObject.Type)
    }

    override func with(_ change: (inout Traits<Service>) -> Void) -> ServiceRegistration<Service> {
        var traits = Traits(scope: scope, completions: completions, isVerified: isVerified)
        change(&traits)
        return Registration(key: key, owner: unsafe owner, traits: traits, factory: factory)
    }

    override func forwarded<View>(to type: View.Type, _ qualifier: Qualifier) -> AnyRegistration {
        let view = ServiceKey(service: type, arguments: key.arguments, qualifier: qualifier)
        return Registration<View, Arguments>(
            key: view, owner: unsafe owner, traits: Traits(scope: scope), target: self
        ) { r, arguments in
            if let view = try self.provide(for: r, arguments) as? View { return view }
            let path = ThreadState.current.path(to: self.key)
            throw ResolutionError(.wrongType, path: path, in: r.container, detail: "\(type)")
        }
    }

    override func verify(for asked: Container) throws(ResolutionError) {
        // Only those without arguments get here, whose `Arguments` is `Void`.
        guard let nothing = () as? Arguments else { return }
        _ = try provide(for: Resolver(container: asked, token: 0), nothing)
    }

    override func view<View>(of stored: AnyObject, as type: View.Type) -> View? { service(in: stored) as? View }
}

// MARK: - Stored instances

extension Registration {
    /// A service as shared scopes and graphs hold it.
    func stored(_ service: Service) -> AnyObject {
        isClass ? unsafe unsafeBitCast(service, to: AnyObject.self) : boxType.init(service)
    }

    /// The service in what this registration, and no other, has stored.
    func service(in stored: AnyObject) -> Service {
        isClass
            ? unsafe unsafeBitCast(stored, to: Service.self)
            : unsafe unsafeDowncast(stored, to: Box<Service>.self).copy()
    }
}
