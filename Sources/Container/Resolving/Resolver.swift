/// What a factory takes its dependencies and properties from.
///
/// It belongs to the call of one factory: what it resolves joins that call's graph. It is not `Sendable`, so it cannot
/// be taken into a task; a service that resolves later takes the `Container`. One that is kept all the same
/// resolves afresh.
public struct Resolver: PropertyReading {
    @usableFromInline let container: Container
    /// Names the call of the factory; 0 none.
    let token: UInt64

    @usableFromInline
    init(container: Container, token: UInt64) {
        self.container = container
        self.token = token
    }

    /// The properties of the container that was asked; in a shared scope of the one that has the registration.
    public var properties: PropertyStore { container.properties }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    /// - Returns: the instance, or nil where it is not registered or could not be made.
    @inlinable
    public func resolve<Service>(_ type: Service.Type, name: String? = nil) -> Service? {
        let found = container.find(type, Qualifier(name: name))
        if let stored = unsafe found.stored { return unsafe found.service(in: stored, as: type) }
        return resolve(found, type, Qualifier(name: name), ())
    }

    /// Resolves a service whose factory takes one argument, in Swinject's spelling.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - argument: the argument. Its static type has to be exactly that of the factory.
    /// - Returns: the instance, or nil where it is not registered or could not be made.
    public func resolve<Service, Argument>(
        _ type: Service.Type, name: String? = nil, argument: Argument
    ) -> Service? {
        resolve(type, name: name, arguments: argument)
    }

    /// Resolves a service whose factory takes arguments.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - first: the first argument. The static types of all have to be exactly those of the factory.
    ///   - rest: the other arguments.
    /// - Returns: the instance, or nil where it is not registered or could not be made.
    public func resolve<Service, First, each Rest>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) -> Service? {
        resolve(type, Qualifier(name: name), (first, (repeat each rest)))
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path that led there.
    @inlinable
    public func require<Service>(
        _ type: Service.Type, name: String? = nil
    ) throws(ResolutionError) -> Service {
        let found = container.find(type, Qualifier(name: name))
        if let stored = unsafe found.stored { return unsafe found.service(in: stored, as: type) }
        return try require(found, type, Qualifier(name: name), ())
    }

    /// Resolves a service whose factory takes arguments.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for.
    ///   - name: the registration's name; nil is the default one.
    ///   - first: the first argument. The static types of all have to be exactly those of the factory.
    ///   - rest: the other arguments.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path that led there.
    public func require<Service, First, each Rest>(
        _ type: Service.Type, name: String? = nil, arguments first: First, _ rest: repeat each Rest
    ) throws(ResolutionError) -> Service {
        try require(type, Qualifier(name: name), (first, (repeat each rest)))
    }

    /// Resolves a service.
    ///
    /// - Parameters:
    ///   - type: the type that it is registered for; without it, the one that is wanted.
    ///   - qualifier: the registration's qualifier.
    /// - Returns: the instance.
    /// - Throws: a `ResolutionError` with the path that led there.
    @inlinable
    public func make<Service>(
        _ type: Service.Type = Service.self, qualifier: Qualifier = .default
    ) throws(ResolutionError) -> Service {
        try require(type, name: qualifier.name)
    }
}

@available(*, unavailable, message: "take the Container along instead: it is Sendable")
extension Resolver: Sendable {}
