public import Container

/// A service in `Prototype`, `Singleton` or `Session`: how it is made, and by which types it is resolved.
///
///     Singleton {
///         Service { c in try Store(clock: c.make()) }
///         Service(type: Clock.self) { _ in SystemClock() }.qualifier("utc")
///     }
///
/// `Proof` is the type that must be `Sendable` if instances are shared: the product, or with `unchecked:` `Never`.
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
    /// Creates a service that is resolved by the type that its factory returns, or by several other types, which share
    /// its instances.
    ///
    /// - Parameters:
    ///   - types: types that the instance is of.
    ///   - factory: makes an instance, and takes what that needs from its resolver.
    ///   - file: the file of the definition, for messages.
    ///   - line: the line of the definition, for messages.
    public init(
        types: [Any.Type] = [Product.self], _ factory: @escaping @Sendable (Resolver) throws -> Product,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(types: types, factory: factory, place: "\(file):\(line)")
    }

    /// Creates a service that is resolved by another type, often a protocol.
    ///
    /// - Parameters:
    ///   - type: a type that the instance is of.
    ///   - factory: makes an instance, and takes what that needs from its resolver.
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
    ///   - type: the type that it is resolved by.
    ///   - factory: makes an instance. The caller must make sure that several threads may use it at once.
    ///   - file: the file of the definition, for messages.
    ///   - line: the line of the definition, for messages.
    public init(
        unchecked type: Product.Type, _ factory: @escaping @Sendable (Resolver) throws -> Product,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(types: [Product.self], factory: factory, place: "\(file):\(line)")
    }
}
