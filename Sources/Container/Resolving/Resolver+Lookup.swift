extension Resolver {
    func resolve<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments
    ) -> Service? {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        return unsafe resolve(Found(container.find(key)), type, qualifier, arguments)
    }

    func require<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments
    ) throws(ResolutionError) -> Service {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        return try unsafe require(Found(container.find(key)), type, qualifier, arguments)
    }
}

// MARK: - What is not a hit

extension Resolver {
    @usableFromInline
    func resolve<Service, Arguments>(
        _ found: Found, _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments
    ) -> Service? {
        do throws(ResolutionError) {
            if let registration = unsafe found.registration {
                return try unsafe provide(type, registration, arguments)
            }
            return try unregistered(type, ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier))
        } catch {
            container.report(error)
            return nil
        }
    }

    @usableFromInline
    func require<Service, Arguments>(
        _ found: Found, _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments
    ) throws(ResolutionError) -> Service {
        if let registration = unsafe found.registration { return try unsafe provide(type, registration, arguments) }
        return try requireUnregistered(
            type, ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier))
    }

    // Apart, since room for an optional of an unknown type costs a look-up of that type.
    @inline(never)
    private func requireUnregistered<Service>(
        _ type: Service.Type, _ key: ServiceKey
    ) throws(ResolutionError) -> Service {
        if let service = try unregistered(type, key) { return service }
        throw ResolutionError(.notRegistered, path: ThreadState.current.path(to: key), in: container)
    }

    /// - Parameters:
    ///   - type: given, since `Service` would be inferred as an optional where one is wanted.
    ///   - found: a registration of `Service` and `Arguments`: the table found it by their identities.
    @inline(__always)
    private func provide<Service, Arguments>(
        _ type: Service.Type, _ found: Unmanaged<AnyRegistration>, _ arguments: Arguments
    ) throws(ResolutionError) -> Service {
        try unsafe found.borrow(for: container) { found throws(ResolutionError) in
            try unsafe unsafeDowncast(found, to: Registration<Service, Arguments>.self).provide(for: self, arguments)
        }
    }

    /// The container itself, which needs no registration.
    private func unregistered<Service>(_ type: Service.Type, _ key: ServiceKey) throws(ResolutionError) -> Service? {
        if key == ServiceKey(service: Container.self, arguments: Void.self, qualifier: .default) {
            return container as? Service
        }
        if !container.hasOtherArguments(than: key) { return nil }
        throw ResolutionError(.wrongArguments, path: ThreadState.current.path(to: key), in: container)
    }
}

extension Container {
    fileprivate func report(_ error: ResolutionError) {
        if error.reason == .unverified { return }
        if let handler = failureHandler { return handler(error) }
        #if DEBUG
            Platform.writeStandardError(error.description)
        #endif
    }
}
