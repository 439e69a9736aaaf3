extension Container {
    /// Registers how a service is made. A registration of the same type, name and arguments replaces an earlier one.
    ///
    /// - Parameters:
    ///   - type: the type that it is asked for by, often a protocol.
    ///   - name: distinguishes registrations of one type; nil is the default one.
    ///   - factory: makes an instance, and takes what that needs from its resolver.
    /// - Returns: the entry, to set its scope and more. The default scope is `.graph`.
    @inlinable
    @discardableResult
    public func register<Service>(
        _ type: Service.Type, name: String? = nil, factory: @escaping @Sendable (Resolver) throws -> Service
    ) -> RegistrationEntry<Service> {
        let isBoxed = Box<Service>.isBoxed
        return RegistrationEntry(name: name, arguments: Void.self, in: self) { r, _ in
            Box<Service>.object(for: try factory(r), isBoxed: isBoxed)
        }
    }

    /// Registers how a service is made from arguments that are given when it is resolved.
    ///
    /// A shared scope keeps the first instance, whatever arguments others give later.
    ///
    /// - Parameters:
    ///   - type: the type that it is asked for by, often a protocol.
    ///   - name: distinguishes registrations of one type; nil is the default one.
    ///   - factory: makes an instance of the resolver and the arguments, whose types are a part of the registration's
    ///     key.
    /// - Returns: the entry, to set its scope and more. The default scope is `.graph`.
    @discardableResult
    public func register<Service, First, each Rest>(
        _ type: Service.Type, name: String? = nil,
        factory: @escaping @Sendable (Resolver, First, repeat each Rest) throws -> Service
    ) -> RegistrationEntry<Service> {
        typealias Arguments = (First, (repeat each Rest))
        let isBoxed = Box<Service>.isBoxed
        return RegistrationEntry(name: name, arguments: Arguments.self, in: self) { r, arguments in
            guard let arguments = arguments as? Arguments else {
                preconditionFailure("the key has the arguments' types")
            }
            let service = try factory(r, arguments.0, repeat each arguments.1)
            return Box<Service>.object(for: service, isBoxed: isBoxed)
        }
    }
}

// MARK: - Registrations for `replaceAll(with:)`

extension Container {
    /// Creates registrations of one service under several types, which share its instances.
    ///
    /// - Parameters:
    ///   - types: the types. Whether an instance is of each of them is found out when it is asked for.
    ///   - qualifier: the qualifier of all of them.
    ///   - scope: the scope of the instances. If it shares them, they must be safe to share.
    ///   - factory: makes an instance.
    /// - Returns: a registration for each type, in their order; none is in this container yet.
    package func registrations<Product>(
        of types: [Any.Type], _ qualifier: Qualifier, in scope: Scope,
        factory: @escaping @Sendable (Resolver) throws -> Product
    ) -> [Registration] {
        guard let type = types.first else { return [] }
        let key = ServiceKey(service: type, arguments: Void.self, qualifier: qualifier)
        let first = registration(type, key, in: scope) { r in try factory(r) }
        return [first] + types.dropFirst().map { first.forwarded(to: $0, qualifier) }
    }

    /// Creates a registration that throws whenever its service is asked for.
    ///
    /// - Parameters:
    ///   - registration: the one whose place it takes.
    ///   - places: where the service is defined, for the message.
    /// - Returns: the registration, which is not in this container yet.
    package func duplicate(of registration: Registration, at places: String) -> Registration {
        self.registration(registration.key.service, registration.key, in: .transient) { _ in
            throw RegistrationFailure(reason: .duplicate, detail: places)
        }
    }

    private func registration<Service>(
        _ type: Service.Type, _ key: ServiceKey, in scope: Scope,
        factory: @escaping @Sendable (Resolver) throws -> Any
    ) -> Registration {
        let source = Registration.Source.factory { r, _ in
            if let object = Box<Service>.object(for: try factory(r)) { return object }
            throw RegistrationFailure(reason: .wrongType, detail: "\(type)")
        }
        return Registration(type, key: key, options: RegistrationOptions(scope: scope), owner: self, source)
    }
}
