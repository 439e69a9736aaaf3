// The inlined part of `resolve` and `require`, alike in `Container` and `Resolver`: a container that made a
// `Resolver` for it would count its own references.

extension Container {
    @inlinable
    func resolveService<Service>(_ type: Service.Type, _ qualifier: Qualifier) -> Service? {
        let found = find(type, qualifier)
        if let instance = unsafe found.instance {
            defer { found.endReading() }
            return unsafe instance._withUnsafeGuaranteedRef { unsafe Instance<Service>.value(of: $0) }
        }
        return Resolver(container: self, token: 0).resolve(found, type, qualifier)
    }

    @inlinable
    func requireService<Service>(_ type: Service.Type, _ qualifier: Qualifier) throws(ResolutionError) -> Service {
        let found = find(type, qualifier)
        if let instance = unsafe found.instance {
            defer { found.endReading() }
            return unsafe instance._withUnsafeGuaranteedRef { unsafe Instance<Service>.value(of: $0) }
        }
        return try Resolver(container: self, token: 0).require(found, type, qualifier)
    }
}

extension Resolver {
    @inlinable
    func resolveService<Service>(_ type: Service.Type, _ qualifier: Qualifier) -> Service? {
        let found = container.find(type, qualifier)
        if let instance = unsafe found.instance {
            defer { found.endReading() }
            return unsafe instance._withUnsafeGuaranteedRef { unsafe Instance<Service>.value(of: $0) }
        }
        return resolve(found, type, qualifier)
    }

    @inlinable
    func requireService<Service>(_ type: Service.Type, _ qualifier: Qualifier) throws(ResolutionError) -> Service {
        let found = container.find(type, qualifier)
        if let instance = unsafe found.instance {
            defer { found.endReading() }
            return unsafe instance._withUnsafeGuaranteedRef { unsafe Instance<Service>.value(of: $0) }
        }
        return try require(found, type, qualifier)
    }

    func resolve<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments
    ) -> Service? {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        return unsafe resolve(container.find(key), key, type, arguments)
    }

    func require<Service, Arguments>(
        _ type: Service.Type, _ qualifier: Qualifier, _ arguments: Arguments
    ) throws(ResolutionError) -> Service {
        let key = ServiceKey(service: type, arguments: Arguments.self, qualifier: qualifier)
        return try unsafe require(container.find(key), key, type, arguments)
    }
}

// MARK: - What is not a hit

extension Resolver {
    @usableFromInline
    func resolve<Service>(_ found: Found, _ type: Service.Type, _ qualifier: Qualifier) -> Service? {
        unsafe resolve(
            found.registration, ServiceKey(service: type, arguments: Void.self, qualifier: qualifier), type, ())
    }

    @usableFromInline
    func require<Service>(
        _ found: Found, _ type: Service.Type, _ qualifier: Qualifier
    ) throws(ResolutionError) -> Service {
        try unsafe require(
            found.registration, ServiceKey(service: type, arguments: Void.self, qualifier: qualifier), type, ())
    }

    private func resolve<Service, Arguments>(
        _ found: Unmanaged<AnyRegistration>?, _ key: ServiceKey, _ type: Service.Type, _ arguments: Arguments
    ) -> Service? {
        do throws(ResolutionError) {
            guard let found = unsafe found else { return try unregistered(type, key) }
            return try unsafe provide(type, found, arguments)
        } catch {
            container.report(error)
            return nil
        }
    }

    private func require<Service, Arguments>(
        _ found: Unmanaged<AnyRegistration>?, _ key: ServiceKey, _ type: Service.Type, _ arguments: Arguments
    ) throws(ResolutionError) -> Service {
        if let found = unsafe found { return try unsafe provide(type, found, arguments) }
        return try requireUnregistered(type, key)
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
        let registration = unsafe unsafeDowncast(
            found.takeUnretainedValue(), to: Registration<Service, Arguments>.self)
        return try registration.provide(for: self, arguments)
    }

    /// The container itself, which needs no registration.
    private func unregistered<Service>(_ type: Service.Type, _ key: ServiceKey) throws(ResolutionError) -> Service? {
        if key.service == Container.self, key.hasNoArguments, key.qualifier == .default { return container as? Service }
        // One of this very key has come in between: then it has come too late.
        if container.registrations(like: key).allSatisfy({ $0.key == key }) { return nil }
        throw ResolutionError(.wrongArguments, path: ThreadState.current.path(to: key), in: container)
    }
}

extension Container {
    fileprivate func report(_ error: ResolutionError) {
        if error.reason == .unverified { return }
        if let handler = failureHandler { return handler(error) }
        #if DEBUG
            writeStandardError(error.description)
        #endif
    }
}
