public import Container

/// A property that is resolved from the global container when it is first read, and kept.
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

    /// Creates a property of the service with a qualifier.
    public init(_ qualifier: Qualifier = .default) { source = InjectionSource(qualifier) }

    /// Creates a property of the service with a qualifier.
    public init(qualifier: Qualifier) { source = InjectionSource(qualifier) }

    /// The service. If it cannot be made, the process ends with the text of the `ResolutionError`, as in pwdi: the
    /// property has no other value. `@SafeInject` is nil then.
    public var wrappedValue: Value {
        do throws(ResolutionError) { return try source.get() } catch { fatalError("@Inject: \(error)") }
    }
}

/// An optional property that is resolved from the global container when it is first read, and kept; nil if the service
/// cannot be made.
@propertyWrapper
public final class SafeInject<Value> {
    private let source: InjectionSource<Value>

    /// Creates a property of the service with a qualifier.
    public init(_ qualifier: Qualifier = .default) { source = InjectionSource(qualifier) }

    /// Creates a property of the service with a qualifier.
    public init(qualifier: Qualifier) { source = InjectionSource(qualifier) }

    /// The service, or nil; nil is not kept.
    public var wrappedValue: Value? { source.find() }
}

/// The container and the qualifier of a property, and its value once it is resolved.
private final class InjectionSource<Value> {
    private let qualifier: Qualifier
    /// The task's global container when the property was created. A later read may be outside that task.
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
