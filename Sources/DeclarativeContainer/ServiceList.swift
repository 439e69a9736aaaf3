public import Container

/// The services that a `ServiceBuilder` has collected for a kind of block: `Prototype`, `SharedScope` or `Container`. The
/// list of one kind is not accepted by another, because only some services may be shared.
public struct ServiceList<Content> {
    private(set) var definitions: [ServiceDefinition]

    init(_ definitions: [ServiceDefinition] = []) { self.definitions = definitions }

    init(joining lists: [ServiceList]) { definitions = lists.flatMap(\.definitions) }

    init<Product, Proof>(_ service: Service<Product, Proof>) {
        let definition = ServiceDefinition(place: service.place) { scope, container in
            container.registrations(
                of: service.types, service.qualifier, in: scope, at: service.place, factory: service.factory)
        }
        definitions = [definition]
    }

    /// A list for each service.
    package var split: [ServiceList] { definitions.map { ServiceList([$0]) } }

    func inScope(_ scope: Scope) -> ServiceList {
        var list = self
        for index in list.definitions.indices { list.definitions[index].scope = scope }
        return list
    }

    /// The same services, for a builder of containers.
    var forContainer: ServiceList<Container> { ServiceList<Container>(definitions) }
}

/// A service with its generic type erased, and the scope of the block that contains it.
struct ServiceDefinition {
    let place: SourcePlace
    fileprivate(set) var scope = Scope.transient
    /// Creates the registrations of the service for a scope and a container.
    let registrations: (Scope, Container) -> [Registration]
}

extension ServiceList where Content == Container {
    /// Replaces all services of a container. If two definitions have the same type and qualifier, a resolve of that
    /// service throws a `.duplicate` error.
    func replaceAll(in container: Container) {
        let all = definitions.flatMap { definition in
            definition.registrations(definition.scope, container).map { (definition, registration: $0) }
        }
        let registrations = all.map { _, registration in
            let same = all.filter { $0.registration.key == registration.key }
            if same.count == 1 { return registration }
            let places = same.map { definition, _ in "in scope \(definition.scope) at \(definition.place)" }
            return container.duplicate(of: registration, at: places.joined(separator: " and "))
        }
        container.replaceAll(with: registrations)
    }
}

extension Container {
    /// Creates a container with services.
    ///
    /// If two definitions have the same type and qualifier, a resolve of that service throws an error that contains the
    /// places of both.
    ///
    /// - Parameters:
    ///   - parent: the container that resolves services without a registration here.
    ///   - services: a builder of `Prototype`, `Singleton` and `Session` blocks. It may use `if`, `switch` and `for`.
    public convenience init(parent: Container? = nil, @ServiceBuilder<Container> services: () -> ServiceList<Container>)
    {
        self.init(parent: parent)
        services().replaceAll(in: self)
    }
}
