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
    /// The registrations; in the place of those that are defined twice one that throws.
    func registrations(in container: Container) -> [AnyRegistration] {
        var unique: [AnyRegistration] = []
        var places: [[Definition]] = []
        for definition in definitions {
            for registration in definition.registrations(definition.scope, container) {
                if let index = unique.firstIndex(where: { $0.key == registration.key }) {
                    places[index].append(definition)
                    unique[index] = duplicate(registration.key, places[index], in: container)
                } else {
                    unique.append(registration)
                    places.append([definition])
                }
            }
        }
        return unique
    }

    private func duplicate(_ key: ServiceKey, _ definitions: [Definition], in container: Container) -> AnyRegistration {
        let places = definitions.map { "in scope \($0.scope) at \($0.place)" }.joined(separator: " and ")
        func registration<Service>(_ type: Service.Type) -> AnyRegistration {
            Registration<Service, Void>(key: key, owner: container, traits: Traits(scope: .transient)) { r, _ in
                throw ResolutionError(.duplicate, path: ThreadState.current.path, in: r.container, detail: places)
            }
        }
        return registration(key.service)
    }
}
