extension Resolver {
    /// Returns the instance of a type that needs no registration of its own, or nil: the container itself, an optional
    /// service, or a `Lazy` or `Provider` of a service.
    @inline(never)
    func unregistered(
        _ key: ServiceKey, _ arguments: Any, _ hasOtherArguments: Bool
    ) throws(ResolutionError) -> StoredInstance? {
        if key == ServiceKey(Container.self, nil) { return StoredInstance(container, isBoxed: false) }
        if hasOtherArguments { throw missing(.wrongArguments, key) }
        switch key.service {
        case let type as any OptionalService.Type:
            let service = key.with(type.service)
            return StoredInstance(type.wrap(try instance(container.lookUp(service), service, arguments)), isBoxed: true)
        case let type as any DeferringService.Type:
            if !key.hasNoArguments { throw missing(.wrongArguments, key) }
            return deferredService(key.with(type.service)).map { StoredInstance(type.wrap($0), isBoxed: true) }
        default: return nil
        }
    }

    /// Returns the service that a `Lazy` or a `Provider` resolves later, or nil if it is not registered.
    private func deferredService(_ key: ServiceKey) -> DeferredService? {
        let (worker, found) = (Worker.current, container.lookUp(key))
        worker.recordLookup(of: key, in: container)
        if case .missing = found { return nil }
        let new = DeferredService(key, in: container, found.registration)
        return worker.context(of: token)?.add(new) ?? new
    }
}

extension ServiceKey {
    func with(_ type: Any.Type) -> ServiceKey { ServiceKey(service: type, arguments: arguments, qualifier: qualifier) }

    /// The key of the service that must be registered to resolve this one.
    var required: ServiceKey { (service as? any DeferringService.Type).map { with($0.service) } ?? self }
}

/// `Optional`. An optional service is nil if it is not registered. `wrap` returns its stored form, which is boxed.
protocol OptionalService {
    static var service: Any.Type { get }
    static func wrap(_ instance: StoredInstance?) -> AnyObject
}

extension Optional: OptionalService {
    static var service: Any.Type { Wrapped.self }
    static func wrap(_ instance: StoredInstance?) -> AnyObject { Box(instance.map { $0.service(as: Wrapped.self) }) }
}

/// `Lazy` and `Provider`. `wrap` returns their stored form, which is boxed.
protocol DeferringService {
    associatedtype Service
    init(deferred: DeferredService)
}

extension DeferringService {
    static var service: Any.Type { Service.self }
    static func wrap(_ deferred: DeferredService) -> AnyObject { Box(Self(deferred: deferred)) }
}
