/// The parameter from which an asynchronous factory resolves its dependencies and reads properties.
///
/// It is like a `Resolver`, but waits for services that are built asynchronously. It is not `Sendable`, so a factory
/// resolves its dependencies one after another. To build shared services concurrently, use `async let` with
/// `Container.require(async:)`, or let `Container.start()` build them.
public struct AsyncResolver: PropertyReading {
    /// A synchronous resolver of the same factory or completion.
    let synchronous: Resolver

    init(_ synchronous: Resolver) { self.synchronous = synchronous }

    @usableFromInline
    init(container: Container) { self.init(Resolver(container: container)) }

    /// The properties of the container that the caller resolves from. The factory of a shared scope gets the properties
    /// of the container that has the registration, and in `.child` of the container that has the instance.
    public var properties: PropertyStore { synchronous.properties }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension AsyncResolver: Sendable {}

extension AsyncResolver {
    /// Resolves a service, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered. `A?` is nil if `A` is not registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    nonisolated(nonsending) public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) async throws(ResolutionError) -> Service {
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return try await requiredInstance(found, key, nil).service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments, and waits for it if it is built asynchronously.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be the types of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    nonisolated(nonsending) public func require<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) async throws(ResolutionError) -> Service {
        let arguments = RuntimeArguments(first, repeat each rest)
        let key = ServiceKey(service: type, arguments: arguments.type, qualifier: Qualifier(name: name))
        return try await requiredInstance(lookUp(key), key, arguments).service(as: type)
    }
}

// MARK: - Instances

extension AsyncResolver {
    @usableFromInline
    func lookUp(_ key: ServiceKey) -> LookupResult { synchronous.lookUp(key) }

    @usableFromInline
    nonisolated(nonsending) func requiredInstance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: RuntimeArguments?
    ) async throws(ResolutionError) -> StoredInstance {
        do throws(ResolutionError) {
            if let instance = try await instance(found, key, arguments) { return instance }
        } catch {
            throw error.named(synchronous.container.names)
        }
        throw synchronous.notFound(key)
    }

    /// Returns the same as `Resolver.instance`, which it calls for all that needs no wait.
    nonisolated(nonsending) private func instance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: RuntimeArguments?
    ) async throws(ResolutionError) -> StoredInstance? {
        switch found {
        case .registration(let registration, _) where registration.target != nil:
            let (found, target) = try synchronous.followed(registration)
            guard let instance = try await instance(found, target, arguments) else { return nil }
            return try synchronous.view(of: instance, target, as: registration)
        case .registration(let registration, let home):
            if let instance = try await provide(registration, of: home, arguments) { return instance }
            // The registration has been replaced since the lookup.
            return try await instance(lookUp(key), key, arguments)
        case .missing, .closing:
            guard let type = key.service as? any OptionalService.Type else { break }
            let service = key.with(type.service)
            return type.wrap(try await instance(lookUp(service), service, arguments))
        case .instance, .closed: break
        }
        return try synchronous.instance(found, key, arguments)
    }

    /// Returns the same as `Resolver.provide`, and waits for what a task builds.
    nonisolated(nonsending) private func provide(
        _ registration: Registration, of home: Container, _ arguments: RuntimeArguments?
    ) async throws(ResolutionError) -> StoredInstance? {
        let request = synchronous.request(for: registration, of: home, arguments, after: synchronous.requester)
        if registration.isShared { return try await request.shared() }
        if let graph = synchronous.activeGraph { return try await request.unshared(in: graph) }
        let graph = Graph(of: request.dependent)
        defer { graph.forgetAll() }
        let instance = try await request.unshared(in: graph)
        try await graph.runCompletions()
        return instance
    }
}
