public import Container

// The methods that plug-ins of Swinject call.

extension Container {
    /// Registers a factory for a service, as a plug-in of Swinject does.
    ///
    /// - Parameters:
    ///   - serviceType: the type by which callers resolve the service.
    ///   - factory: builds an instance, which must have the type.
    ///   - name: a name that distinguishes registrations of the same type, or nil.
    /// - Returns: an entry whose methods set the scope and other options.
    @available(*, deprecated, message: "Call register(_:name:factory:)")
    @discardableResult
    public func _register<Service>(
        _ serviceType: Service.Type, factory: @escaping @Sendable (Resolver) -> Any, name: String? = nil
    ) -> RegistrationEntry<Service> {
        register(serviceType, name: name) { r in
            let instance = factory(r)
            guard let service = instance as? Service else {
                throw UnexpectedType(
                    description: "expected \(Service.self); the factory returned \(type(of: instance))")
            }
            return service
        }
    }

    /// Resolves a service, as a plug-in of Swinject does.
    ///
    /// - Parameters:
    ///   - name: the name of the registration, or nil if it has none.
    ///   - invoker: calls the factory that it gets, and returns its result.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    @available(*, deprecated, message: "Call resolve(_:name:)")
    public func _resolve<Service>(name: String?, invoker: @escaping ((Resolver) -> Any) -> Any) -> Service? {
        resolver._resolve(name: name, invoker: invoker)
    }
}

extension Resolver {
    /// Resolves a service, as a plug-in of Swinject does.
    ///
    /// - Parameters:
    ///   - name: the name of the registration, or nil if it has none.
    ///   - invoker: calls the factory that it gets, and returns its result.
    /// - Returns: the instance, or nil if the service is not registered or the resolve failed.
    @available(*, deprecated, message: "Call resolve(_:name:)")
    public func _resolve<Service>(name: String?, invoker: @escaping ((Resolver) -> Any) -> Any) -> Service? {
        invoker { r in r.resolve(Service.self, name: name) as Any } as? Service
    }
}

private struct UnexpectedType: Error, CustomStringConvertible {
    let description: String
}
