public import Container

/// The services that a `ServiceBuilder` has collected.
public struct ServiceList {
    private(set) var definitions: [Definition]

    /// A service with its generic type erased, and the scope of the block that contains it.
    struct Definition {
        let place: String
        fileprivate(set) var scope = Scope.transient
        /// Creates the registrations of the service for a scope and a container.
        let registrations: (Scope, Container) -> [Registration]
    }

    init(joining lists: [ServiceList] = []) { definitions = lists.flatMap(\.definitions) }

    init<Product, Proof>(_ service: Service<Product, Proof>) {
        let definition = Definition(place: service.place) { scope, container in
            container.registrations(of: service.types, service.qualifier, in: scope, factory: service.factory)
        }
        definitions = [definition]
    }

    /// A list for each service.
    package var split: [ServiceList] {
        definitions.map { definition in
            var list = ServiceList()
            list.definitions = [definition]
            return list
        }
    }

    func inScope(_ scope: Scope) -> ServiceList {
        var list = self
        for index in list.definitions.indices { list.definitions[index].scope = scope }
        return list
    }

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
    ///   - parent: the container that resolves the services that this one has no registration for.
    ///   - services: a builder of `Prototype`, `Singleton` and `Session` blocks. It may use `if`, `switch` and `for`.
    public convenience init(parent: Container? = nil, @ServiceBuilder<Container> services: () -> ServiceList) {
        self.init(parent: parent)
        services().replaceAll(in: self)
    }
}
