/// A service in `Prototype`, `Singleton` or `Session`: how it is made, and what it is asked for by.
///
///     Singleton {
///         Service { c in try Store(clock: c.make()) }
///         Service(type: Clock.self) { _ in SystemClock() }.qualifier("utc")
///     }
///
/// `Proof` is what has to be `Sendable` where instances are shared: the product, or with `unchecked:` nothing.
public struct Service<Product, Proof> {
    typealias Factory = @Sendable (Resolver) throws -> Product

    let types: [Any.Type]
    let factory: Factory
    let place: String
    private(set) var qualifier = Qualifier.default

    /// Sets its qualifier.
    public func qualifier(_ qualifier: Qualifier) -> Self {
        var copy = self
        copy.qualifier = qualifier
        return copy
    }
}

extension Service where Proof == Product {
    /// A service that is asked for by the type that its factory returns.
    ///
    /// - Parameters:
    ///   - factory: makes an instance, with what it needs taken from its resolver.
    ///   - file: where it stands, for messages.
    ///   - line: where it stands, for messages.
    public init(
        _ factory: @escaping @Sendable (Resolver) throws -> Product, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(types: [Product.self], factory: factory, place: "\(file):\(line)")
    }

    /// A service that is asked for by another type, often a protocol.
    ///
    /// - Parameters:
    ///   - type: a type that the instance is of.
    ///   - factory: makes an instance, with what it needs taken from its resolver.
    ///   - file: where it stands, for messages.
    ///   - line: where it stands, for messages.
    public init(
        type: Any.Type, _ factory: @escaping @Sendable (Resolver) throws -> Product, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(types: [type], factory: factory, place: "\(file):\(line)")
    }

    /// A service that is asked for by several types, which share its instances.
    ///
    /// - Parameters:
    ///   - types: types that the instance is of.
    ///   - factory: makes an instance, with what it needs taken from its resolver.
    ///   - file: where it stands, for messages.
    ///   - line: where it stands, for messages.
    public init(
        types: [Any.Type], _ factory: @escaping @Sendable (Resolver) throws -> Product, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(types: types, factory: factory, place: "\(file):\(line)")
    }
}

extension Service where Proof == Never {
    /// A service that may be shared although the compiler cannot see that it is `Sendable`, because it has an `@Inject var`, say.
    ///
    /// - Parameters:
    ///   - type: the type that it is asked for by.
    ///   - factory: makes an instance. That it may be used from several threads at once is yours to see to.
    ///   - file: where it stands, for messages.
    ///   - line: where it stands, for messages.
    public init(
        unchecked type: Product.Type, _ factory: @escaping @Sendable (Resolver) throws -> Product,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(types: [Product.self], factory: factory, place: "\(file):\(line)")
    }
}

// MARK: - Definition

extension Service {
    /// The service with its product forgotten.
    var definition: Definition {
        let factory = factory
        let keys = types.map { ServiceKey(service: $0, arguments: Void.self, qualifier: qualifier) }
        return Definition(keys: keys, place: place) { scope, container in
            func registration<First>(_ type: First.Type, _ key: ServiceKey) -> ServiceRegistration<First> {
                let source: Registration<First, Void>.Factory = { r, _ in
                    let product = try factory(r)
                    if let first = product as? First { return first }
                    throw ResolutionError(
                        .wrongType, path: ThreadState.current.path, in: r.container, detail: "\(First.self)")
                }
                return Registration(key: key, owner: container, traits: Traits(scope: scope), factory: source)
            }
            func all<First>(_ type: First.Type, _ key: ServiceKey) -> [AnyRegistration] {
                let first = registration(type, key)
                return [first] + keys.dropFirst().map { first.forwarded(to: $0.service, $0.qualifier) }
            }
            return keys.first.map { all($0.service, $0) } ?? []
        }
    }
}

/// A service that no longer shows its type.
struct Definition {
    let keys: [ServiceKey]
    let place: String
    var scope = Scope.transient
    let registrations: (Scope, Container) -> [AnyRegistration]
}
