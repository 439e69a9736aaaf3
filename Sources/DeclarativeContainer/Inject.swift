public import Container

/// A property that is resolved from the global container when it is first read, and keeps that value.
///
///     final class Controller {
///         @Inject var store: Store
///         @Inject("replica") var replica: Store
///     }
///
/// A class with this wrapper is not `Sendable`.
@propertyWrapper
public final class Inject<Value> {
    private let source: InjectionSource<Value>

    /// Creates a property for the service of type `Value` with a qualifier.
    public init(_ qualifier: Qualifier = .default) { source = InjectionSource(qualifier) }

    /// Creates a property for the service of type `Value` with a qualifier.
    public init(qualifier: Qualifier) { source = InjectionSource(qualifier) }

    /// The service. If it cannot be resolved, the process ends with the text of the `ResolutionError`, as in pwdi. Use
    /// `@SafeInject` for a property that is nil in this case.
    public var wrappedValue: Value {
        do throws(ResolutionError) { return try source.get() } catch { fatalError("@Inject: \(error)") }
    }
}

/// An optional property that is resolved from the global container when it is first read, and keeps that value.
///
/// If the service cannot be resolved, the property is nil, and the next read tries again.
@propertyWrapper
public final class SafeInject<Value> {
    private let source: InjectionSource<Value>

    /// Creates a property for the service of type `Value` with a qualifier.
    public init(_ qualifier: Qualifier = .default) { source = InjectionSource(qualifier) }

    /// Creates a property for the service of type `Value` with a qualifier.
    public init(qualifier: Qualifier) { source = InjectionSource(qualifier) }

    /// The service, or nil if it cannot be resolved.
    public var wrappedValue: Value? { source.find() }
}

/// The qualifier and the container of an injected property, and its value after the first successful read.
private final class InjectionSource<Value> {
    private let qualifier: Qualifier
    /// The task's global container at the time when the property was created, because a later read may be outside that
    /// task. Nil if the task had none. A shared service with an injected property and its container would keep each
    /// other, so the property keeps the container only until it has its value.
    private var container = Container.taskGlobal
    private var value: Value?

    init(_ qualifier: Qualifier) { self.qualifier = qualifier }

    func get() throws(ResolutionError) -> Value {
        if let value { return value }
        let new = try (container ?? .global).make(Value.self, qualifier: qualifier)
        (value, container) = (new, nil)
        return new
    }

    func find() -> Value? {
        if let value { return value }
        value = (container ?? .global).resolve(Value.self, name: qualifier.name)
        if value != nil { container = nil }
        return value
    }
}
