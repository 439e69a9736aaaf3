extension Resolver {
    /// Returns the instance of a type that needs no registration of its own, or nil: the container itself, an optional
    /// service, or a `Lazy` or `Provider` of a service.
    func unregistered(_ key: ServiceKey, _ arguments: RuntimeArguments?) throws(ResolutionError) -> StoredInstance? {
        if key == ServiceKey(Container.self, nil) { return StoredInstance(container) }
        if let type = key.service as? any OptionalService.Type {
            let service = key.with(type.service)
            return type.wrap(try instance(lookUp(service), service, arguments))
        }
        if let type = key.service as? any DeferringService.Type {
            if !key.hasNoArguments {
                throw ResolutionError(.wrongArguments, path: path(to: key), detail: "\(type.service)")
            }
            return try deferredService(key.with(type.service)).map { type.wrap($0) }
        }
        if container.hasService(of: key) { throw missing(.wrongArguments, key) }
        return nil
    }

    /// Returns the service that a `Lazy` or a `Provider` resolves later, or nil if it is not registered.
    private func deferredService(_ key: ServiceKey) throws(ResolutionError) -> DeferredService? {
        let service = (key.service as? any OptionalService.Type).map { key.with($0.service) } ?? key
        let builder = container.builder(of: service)
        if let dependent {
            dependent.taken.add(Dependency(builder?.key ?? service, as: .deferred))
            if let builder, builder.key != service { dependent.taken.add(alias: service) }
        }
        var isKept = false
        switch container.lookUp(service) {
        case .closed: throw container.closed(path(to: key))
        case .missing, .closing:
            if service == key, key != ServiceKey(Container.self, nil) { return nil }
        case .instance: break
        case .registration: isKept = builder?.isShared == false
        }
        let new = DeferredService(key, in: container, isKept: isKept, for: dependent?.id)
        if activeFrame != nil { graph?.add(new) }
        return new
    }
}

extension ServiceKey {
    func with(_ type: Any.Type) -> ServiceKey { ServiceKey(service: type, arguments: arguments, qualifier: qualifier) }

    /// The key of the service that must be registered to resolve this type.
    var required: ServiceKey { (service as? any DeferringService.Type).map { with($0.service) } ?? self }
}

/// `Optional`. An optional service is nil if it is not registered.
protocol OptionalService {
    static var service: Any.Type { get }
    static func wrap(_ instance: StoredInstance?) -> StoredInstance
}

extension Optional: OptionalService {
    static var service: Any.Type { Wrapped.self }
    static func wrap(_ instance: StoredInstance?) -> StoredInstance {
        StoredInstance(instance.map { $0.service(as: Wrapped.self) })
    }
}

/// `Lazy` and `Provider`.
protocol DeferringService {
    associatedtype Service
    init(deferred: DeferredService)
}

extension DeferringService {
    static var service: Any.Type { Service.self }
    static func wrap(_ deferred: DeferredService) -> StoredInstance { StoredInstance(Self(deferred: deferred)) }
}
