public import Container

/// The definition of a service in a `Prototype`, `Singleton` or `Session`: its factory, the types by which it is
/// resolved, and its qualifier.
///
///     Singleton {
///         Service { c in try Store(clock: c.make()) }
///         Service(type: Clock.self) { _ in SystemClock() }.qualifier("utc")
///     }
///
/// `Singleton` and `Session` require that `Proof` is `Sendable`. `Proof` is the type of the product, so the product
/// must be `Sendable`. With `unchecked:`, it is `Never`, which is always `Sendable`. The definition itself is always
/// `Sendable`, so it can be a global constant.
public struct Service<Product, Proof>: Sendable {
    typealias Factory = @Sendable (Resolver) throws -> Product

    /// The types by which the service is resolved.
    public let types: [Any.Type]
    let factory: Factory
    /// The file and line of the definition, for messages.
    let place: SourcePlace
    private(set) var qualifier = Qualifier.default

    /// Returns a copy of the definition with a qualifier.
    public func qualifier(_ qualifier: Qualifier) -> Self {
        var copy = self
        copy.qualifier = qualifier
        return copy
    }
}

extension Service where Proof == Product {
    /// Creates a service that is resolved by the return type of its factory, or by one or more other types. All types
    /// share its instances.
    ///
    /// - Parameters:
    ///   - types: the types by which the service is resolved. The instance must have each of them.
    ///   - factory: builds an instance. It takes its dependencies from the resolver.
    ///   - file: the file of the definition, for messages.
    ///   - line: the line of the definition, for messages.
    public init(
        types: [Any.Type] = [Product.self], _ factory: @escaping @Sendable (Resolver) throws -> Product,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(types: types, factory: factory, place: SourcePlace(fileID: file, line: line))
    }

    /// Creates a service that is resolved by another type, often a protocol.
    ///
    /// A conformance that is isolated to an actor is found only on that actor, and an instance that is resolved by it must
    /// not leave the actor.
    ///
    /// - Parameters:
    ///   - type: the type by which the service is resolved. The instance must have this type.
    ///   - factory: builds an instance. It takes its dependencies from the resolver.
    ///   - file: the file of the definition, for messages.
    ///   - line: the line of the definition, for messages.
    public init(
        type: Any.Type, _ factory: @escaping @Sendable (Resolver) throws -> Product, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(types: [type], factory, file: file, line: line)
    }
}

extension Service where Proof == Never {
    /// Creates a service that may be shared although it is not `Sendable`, for example because it has an `@Inject var`.
    ///
    /// - Parameters:
    ///   - product: the type of the instances.
    ///   - types: the types by which the service is resolved. The instance must have each of them.
    ///   - factory: builds an instance. The caller must make sure that several threads can safely use it at once.
    ///   - file: the file of the definition, for messages.
    ///   - line: the line of the definition, for messages.
    public init(
        unchecked product: Product.Type, types: [Any.Type] = [Product.self],
        _ factory: @escaping @Sendable (Resolver) throws -> Product, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(types: types, factory: factory, place: SourcePlace(fileID: file, line: line))
    }
}
