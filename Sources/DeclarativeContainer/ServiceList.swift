public import Container

/// The services between the braces of a `ServiceBuilder`.
public struct ServiceList {
    private(set) var definitions: [Definition]

    /// One service without its type, and the scope of its braces.
    struct Definition {
        let place: String
        fileprivate(set) var scope = Scope.transient
        let registrations: (Scope, Container) -> [Registration]
    }

    init(joining lists: [ServiceList] = []) { definitions = lists.flatMap(\.definitions) }

    init<Product, Proof>(_ service: Service<Product, Proof>) {
        let definition = Definition(place: service.place) { scope, container in
            container.registrations(of: service.types, service.qualifier, in: scope, factory: service.factory)
        }
        definitions = [definition]
    }

    func inScope(_ scope: Scope) -> ServiceList {
        var list = self
        for index in list.definitions.indices { list.definitions[index].scope = scope }
        return list
    }

    /// Replaces all services of a container. A service that is defined twice throws when it is resolved.
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
    /// Creates a container of services.
    ///
    /// Two services of one type and qualifier are an error that names both places, thrown when the service is resolved.
    ///
    /// - Parameters:
    ///   - parent: the container that provides what this one has no registration for.
    ///   - services: `Prototype`, `Singleton` and `Session`, with `if`, `switch` and `for` between them.
    public convenience init(parent: Container? = nil, @ServiceBuilder<Container> services: () -> ServiceList) {
        self.init(parent: parent)
        services().replaceAll(in: self)
    }
}
