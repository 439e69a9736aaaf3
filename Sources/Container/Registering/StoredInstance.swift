/// An instance in its stored form. A service whose type is a class is stored as the object itself, any other service in
/// a `Box`.
///
/// Because every stored instance is an object, the code between a factory and the generic `resolve` needs no type
/// parameter for the service.
@usableFromInline
struct StoredInstance {
    @usableFromInline let object: AnyObject
    @usableFromInline let isBoxed: Bool

    @inlinable
    init(_ object: AnyObject, isBoxed: Bool) {
        self.object = object
        self.isBoxed = isBoxed
    }

    /// Returns the service. The type must be the service type of the registration: it is not checked.
    @inlinable
    func service<Service>(as type: Service.Type) -> Service {
        isBoxed
            ? unsafe unsafeDowncast(object, to: Box<Service>.self).value : unsafe unsafeBitCast(object, to: type)
    }
}

/// The result of a lookup of a key in a container.
@usableFromInline
enum LookupResult {
    /// A shared instance.
    case instance(StoredInstance)
    /// A registration that must provide the instance: it has no shared instance yet, its scope is weak, or a `verify()`
    /// runs.
    case registration(Registration)
    /// No registration. `hasOtherArguments` is whether the type and qualifier are registered with other arguments.
    case missing(hasOtherArguments: Bool)
    /// The container is closed.
    case closed

    var registration: Registration? { if case .registration(let found) = self { found } else { nil } }
}

/// Converts between services of one type and their stored form. `Box<Service>` implements it.
protocol ServiceForm: SendableMetatype {
    /// Whether instances are stored in a `Box`, that is whether the service type is not a class.
    static var isBoxed: Bool { get }
    /// Returns the stored form of a value, or nil if the value does not have the service type.
    static func object(for value: Any) -> AnyObject?
    /// Returns the service in an object, which must be the stored form of this service type.
    static func value(in object: AnyObject) -> Any
}

/// An object that holds a service whose type is not a class, such as a struct or `any P`.
@usableFromInline
final class Box<Service>: @unchecked Sendable, ServiceForm {
    // @unchecked: threads share only services that are `Sendable` or whose registration is marked `unchecked:`.
    @usableFromInline let value: Service

    @inlinable
    init(_ value: Service) { self.value = value }

    @inlinable
    static func object(for service: Service, isBoxed: Bool) -> AnyObject {
        isBoxed ? Box(service) : unsafe unsafeBitCast(service, to: AnyObject.self)
    }

    @usableFromInline
    static var isBoxed: Bool { !(Service.self is any AnyObject.Type) }

    static func object(for value: Any) -> AnyObject? {
        (value as? Service).map { object(for: $0, isBoxed: isBoxed) }
    }

    static func value(in object: AnyObject) -> Any {
        StoredInstance(object, isBoxed: isBoxed).service(as: Service.self)
    }
}

/// A weak reference to the instance of a weak scope.
final class Weak: @unchecked Sendable {
    // @unchecked: the reference is set once. Any thread may read a weak reference while its object is deinitialized.
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject?) { self.object = object }
}
