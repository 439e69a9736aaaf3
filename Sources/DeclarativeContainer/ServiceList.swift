public import Container

/// The services between the braces of a `ServiceBuilder`.
public struct ServiceList {
    private(set) var definitions: [Definition]

    /// One service, however its type is called, with the scope that its braces give it.
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

    /// Puts the services in the place of all that a container had. One that is defined twice throws when it is asked for.
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
    /// Makes a container of services.
    ///
    /// Two services of one type and qualifier are an error, which names both places when the service is asked for.
    ///
    /// - Parameters:
    ///   - parent: the container that is asked for what this one has not.
    ///   - services: `Prototype`, `Singleton` and `Session`, with `if`, `switch` and `for` between them.
    public convenience init(parent: Container? = nil, @ServiceBuilder<Container> services: () -> ServiceList) {
        self.init(parent: parent)
        services().replaceAll(in: self)
    }
}
