public import Container

/// A property that is taken from the global container when it is first read, and kept.
///
///     final class Controller {
///         @Inject var store: Store
///         @Inject("replica") var replica: Store
///     }
///
/// A failure is not kept: the next read tries again. A class with such a property is not `Sendable`.
@propertyWrapper
public final class Inject<Value> {
    private let source: InjectionSource<Value>

    /// Takes the service with a qualifier.
    public init(_ qualifier: Qualifier = .default) { source = InjectionSource(qualifier) }

    /// Takes the service with a qualifier.
    public init(qualifier: Qualifier) { source = InjectionSource(qualifier) }

    /// The service. Where it cannot be made, the process ends with the `ResolutionError`'s text, as in pwdi: a property has
    /// nothing else to give. `@SafeInject` gives nil then.
    public var wrappedValue: Value {
        do throws(ResolutionError) { return try source.get() } catch { fatalError("@Inject: \(error)") }
    }
}

/// An optional property that is taken from the global container when it is first read, and kept; nil where the service
/// cannot be made.
@propertyWrapper
public final class SafeInject<Value> {
    private let source: InjectionSource<Value>

    /// Takes the service with a qualifier.
    public init(_ qualifier: Qualifier = .default) { source = InjectionSource(qualifier) }

    /// Takes the service with a qualifier.
    public init(qualifier: Qualifier) { source = InjectionSource(qualifier) }

    /// The service, or nil; nil is not kept.
    public var wrappedValue: Value? { source.find() }
}

/// Where a property comes from, and what came.
private final class InjectionSource<Value> {
    private let qualifier: Qualifier
    /// The task's own global container when the property was made: it may be read where that no longer holds.
    private let container = Container.taskGlobal
    private var value: Value?

    init(_ qualifier: Qualifier) { self.qualifier = qualifier }

    func get() throws(ResolutionError) -> Value {
        if let value { return value }
        let new = try (container ?? .global).make(Value.self, qualifier: qualifier)
        value = new
        return new
    }

    func find() -> Value? {
        if let value { return value }
        value = (container ?? .global).resolve(Value.self, name: qualifier.name)
        return value
    }
}
