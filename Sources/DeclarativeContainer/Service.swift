public import Container

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
    /// A service that is asked for by the type that its factory returns, or by several other types, which share its
    /// instances.
    ///
    /// - Parameters:
    ///   - types: types that the instance is of.
    ///   - factory: makes an instance, with what it needs taken from its resolver.
    ///   - file: where it stands, for messages.
    ///   - line: where it stands, for messages.
    public init(
        types: [Any.Type] = [Product.self], _ factory: @escaping @Sendable (Resolver) throws -> Product,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(types: types, factory: factory, place: "\(file):\(line)")
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
        self.init(types: [type], factory, file: file, line: line)
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
