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
        replaceAll(with: services().registrations(in: self))
    }
}

extension ServiceList {
    /// The registrations; in the place of those that are defined twice ones that throw.
    func registrations(in container: Container) -> [AnyRegistration] {
        let all = definitions.flatMap { definition in
            definition.registrations(definition.scope, container).map { (definition, registration: $0) }
        }
        return all.map { _, registration in
            let same = all.filter { $0.registration.key == registration.key }
            if same.count == 1 { return registration }
            let places = same.map { definition, _ in "in scope \(definition.scope) at \(definition.place)" }
            return duplicate(registration.key.service, registration.key, places.joined(separator: " and "), container)
        }
    }

    private func duplicate<Service>(
        _ type: Service.Type, _ key: ServiceKey, _ places: String, _ container: Container
    ) -> AnyRegistration {
        Registration<Service, Void>(key: key, owner: container, traits: Traits(scope: .transient)) { r, _ in
            throw ResolutionError(.duplicate, path: ThreadState.current.path, in: r.container, detail: places)
        }
    }
}
