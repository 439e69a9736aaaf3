/// The parameter from which a factory resolves its dependencies and reads properties.
///
/// A resolver belongs to one call of a factory. The instances that it resolves join the graph of the call. It is not
/// `Sendable`, so a task cannot use it. A service that resolves later must keep the `Container` instead: after the
/// factory has returned, each resolve of its resolver starts a new graph.
public struct Resolver: PropertyReading {
    @usableFromInline let container: Container
    /// The factory or completion that it belongs to, or nil.
    let frame: Frame?
    /// The graph of that factory or completion, or nil.
    let graph: Graph?
    /// How the dependent gets the resolved service.
    var kind = Dependency.Kind.instance

    @usableFromInline
    init(container: Container) { self.init(container: container, frame: nil, graph: nil) }

    init(container: Container, frame: Frame?, graph: Graph?) {
        (self.container, self.frame, self.graph) = (container, frame, graph)
    }

    /// The factory or completion that it belongs to, if it still runs.
    var activeFrame: Frame? { frame.flatMap { $0.isActive ? $0 : nil } }

    /// The graph that unshared instances join, or nil if each resolve begins a new graph.
    var activeGraph: Graph? { activeFrame == nil ? nil : graph }

    /// The requester of the resolved service, which begins its path: the innermost factory, completion or hook that
    /// runs here, also if the resolver belongs to an outer frame or to none. In a child task, it is the frame that the
    /// resolver belongs to.
    var requester: Frame? { .requester(onThread: ResolvingThread.currentFrame, ofResolver: activeFrame) }

    /// The shared instance that gets the resolved service as a dependency. A service that a factory resolves from a
    /// captured container is not a dependency.
    var dependent: SharedInstance? { frame?.dependent }

    /// The properties of the container that the caller resolves from. The factory of a shared scope gets the properties
    /// of the container that has the registration, and in `.child` of the container that has the instance.
    public var properties: PropertyStore {
        if let dependent = frame?.dependent, let properties = dependent.properties, dependent.belongs(to: container) {
            return properties
        }
        return container.properties
    }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension Resolver: Sendable {}

extension Resolver {
    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    @inlinable
    public func resolve<Service>(_ type: Service.Type, name: String? = nil) -> Service? {
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return optionalInstance(found, key, nil)?.service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be the types of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    public func resolve<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) -> Service? {
        let arguments = RuntimeArguments(first, repeat each rest)
        let key = ServiceKey(service: type, arguments: arguments.type, qualifier: Qualifier(name: name))
        return optionalInstance(lookUp(key), key, arguments)?.service(as: type)
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    @inlinable
    public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) throws(ResolutionError) -> Service {
        let key = ServiceKey(type, name)
        let found = lookUp(key)
        if case .instance(let instance) = found { return instance.service(as: type) }
        return try requiredInstance(found, key, nil).service(as: type)
    }

    /// Resolves a service whose factory takes runtime arguments.
    ///
    /// - Parameters:
    ///   - type: the type for which the service is registered.
    ///   - name: the name of the registration, or nil if it has none.
    ///   - first: the first argument. The static types of all arguments must be the types of the factory's parameters.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path to the service that failed.
    public func require<Service, First: Sendable, each Rest: Sendable>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) throws(ResolutionError) -> Service {
        let arguments = RuntimeArguments(first, repeat each rest)
        let key = ServiceKey(service: type, arguments: arguments.type, qualifier: Qualifier(name: name))
        return try requiredInstance(lookUp(key), key, arguments).service(as: type)
    }
}

// MARK: - Instances

extension Resolver {
    /// Looks up a service. A complete shared instance is recorded as a dependency of the shared service whose factory or
    /// completion has this resolver.
    @usableFromInline
    func lookUp(_ key: ServiceKey) -> LookupResult {
        dependent.map { container.lookUp(key, for: $0, as: kind) } ?? container.lookUp(key)
    }

    @usableFromInline
    func optionalInstance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: RuntimeArguments?
    ) -> StoredInstance? {
        do throws(ResolutionError) {
            if let instance = try instance(found, key, arguments) { return instance }
            if !container.isOpenWithParents { container.report(container.closed(path(to: key))) }
        } catch {
            container.report(error)
        }
        return nil
    }

    @usableFromInline
    func requiredInstance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: RuntimeArguments?
    ) throws(ResolutionError) -> StoredInstance {
        do throws(ResolutionError) {
            if let instance = try instance(found, key, arguments) { return instance }
        } catch {
            throw error.named(container.names)
        }
        throw notFound(key)
    }

    /// The error of a service that is not registered. A closing container may have had it.
    func notFound(_ key: ServiceKey) -> ResolutionError {
        container.isOpenWithParents ? missing(.notRegistered, key) : container.closed(path(to: key))
    }

    /// Returns the instance that a lookup has found, or the instance that the found registration provides. Returns nil
    /// if there is no registration. See `unregistered` for the types that need no registration.
    func instance(
        _ found: LookupResult, _ key: ServiceKey, _ arguments: RuntimeArguments?
    ) throws(ResolutionError) -> StoredInstance? {
        switch found {
        case .instance(let instance): return instance
        case .registration(let registration, _) where registration.target != nil:
            let (found, target) = try followed(registration)
            guard let instance = try instance(found, target, arguments) else { return nil }
            return try view(of: instance, target, as: registration)
        case .registration(let registration, let home):
            if let instance = try provide(registration, of: home, arguments) { return instance }
            // The registration has been replaced since the lookup.
            return try instance(lookUp(key), key, arguments)
        case .closing where key == ServiceKey(Container.self, nil): throw container.closed(path(to: key))
        case .closed: throw container.closed(path(to: key))
        case .missing, .closing: return try unregistered(key, arguments)
        }
    }

    /// Looks up the service that a registration forwards to, also through others. A child that registers it again
    /// overrides it.
    func followed(_ forward: Registration) throws(ResolutionError) -> (LookupResult, ServiceKey) {
        var (seen, next) = ([ServiceKey](), forward)
        while true {
            guard let target = next.target, !seen.contains(target) else {
                throw ResolutionError(.circular, path: path(to: forward.key) + seen, detail: "unshared")
            }
            dependent?.taken.add(alias: next.key)
            let found = lookUp(target)
            guard case .registration(let registration, _) = found, registration.target != nil else {
                return (found, target)
            }
            seen.append(target)
            next = registration
        }
    }

    /// Returns an instance as the service that the caller has asked for, by a registration that forwards to it.
    ///
    /// The cast is not kept: a conformance that is isolated to an actor is found only on that actor.
    func view(
        of instance: StoredInstance, _ key: ServiceKey, as asked: Registration
    ) throws(ResolutionError) -> StoredInstance {
        let value = key.value(in: instance)
        guard let view = asked.cast.stored(value) else {
            let detail = WrongType.text(of: value, from: key, as: asked.key.service)
            throw ResolutionError(.wrongType, path: path(to: key), detail: detail)
        }
        return view
    }

    /// Returns the shared instance of a registration, or an unshared instance in the graph of this resolver or in a new
    /// one. Returns nil if the registration has been replaced meanwhile.
    private func provide(
        _ registration: Registration, of home: Container, _ arguments: RuntimeArguments?
    ) throws(ResolutionError) -> StoredInstance? {
        let frame = activeFrame
        let thread = ResolvingThread.current(for: frame)
        let request = request(
            for: registration, of: home, arguments, after: .requester(onThread: thread.frame, ofResolver: frame))
        if registration.isShared { return try request.shared(on: thread) }
        if let activeGraph { return try request.unshared(in: activeGraph, on: thread) }
        let graph = Graph(of: request.dependent)
        defer { graph.forgetAll() }
        let instance = try request.unshared(in: graph, on: thread)
        try graph.runCompletions(on: thread)
        return instance
    }

    /// The request for a registration that a lookup has found. An unshared service is recorded as taken here, and a
    /// shared instance when it is returned.
    func request(
        for registration: Registration, of home: Container, _ arguments: RuntimeArguments?, after requester: Frame?
    ) -> Request {
        let dependent = dependent
        if !registration.isShared { dependent?.taken.add(Dependency(registration.key, as: kind)) }
        return Request(
            registration: registration, container: container, home: home, arguments: arguments, parent: requester,
            dependent: dependent, kind: kind)
    }

    func path(to key: ServiceKey) -> [ServiceKey] { requester.path(to: key) }

    func missing(_ reason: ResolutionError.Reason, _ key: ServiceKey) -> ResolutionError {
        ResolutionError(
            reason, path: path(to: reason == .notRegistered ? key.required : key), names: container.names)
    }
}
