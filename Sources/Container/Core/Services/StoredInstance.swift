/// An instance as the container stores it: a service whose type is a class as the object itself, any other service in a
/// `ServiceBox`.
///
/// Because every stored instance is an object, the code between a factory and the generic `resolve` needs no type
/// parameter for the service.
@usableFromInline
struct StoredInstance: @unchecked Sendable {
    // @unchecked: threads share only instances of services that are `Sendable` or whose registration is marked
    // `unchecked:`. Any other instance stays with the thread or task whose graph it is in.
    @usableFromInline let object: AnyObject
    @usableFromInline let isBoxed: Bool
    /// Whether each child container has an instance of its own.
    var isPerChild = false

    @inlinable
    init<Service>(_ service: Service) {
        isBoxed = !(Service.self is any AnyObject.Type)
        object = isBoxed ? ServiceBox(service) : unsafe unsafeBitCast(service, to: AnyObject.self)
    }

    /// Returns the service. The type must be the service type of the registration: it is not checked.
    @inlinable
    func service<Service>(as type: Service.Type) -> Service {
        isBoxed
            ? unsafe unsafeDowncast(object, to: ServiceBox<Service>.self).value : unsafe unsafeBitCast(object, to: type)
    }
}

/// An object that holds a service whose type is not a class, such as a struct or `any P`.
@usableFromInline
final class ServiceBox<Service> {
    @usableFromInline let value: Service

    @inlinable
    init(_ value: Service) { self.value = value }
}

extension ServiceBox: Sendable where Service: Sendable {}

/// Converts between the services of one type and their stored form.
protocol ServiceCast: SendableMetatype {
    /// The service type.
    static var service: Any.Type { get }
    /// Returns a value as it is stored, or nil if the value does not have the service type.
    static func stored(_ value: Any) -> StoredInstance?
    /// Returns the service in an instance, which must be of this service type.
    static func value(in instance: StoredInstance) -> Any
}

/// The conversion for the services of one type.
enum Cast<Service>: ServiceCast {
    static var service: Any.Type { Service.self }
    static func stored(_ value: Any) -> StoredInstance? { (value as? Service).map { StoredInstance($0) } }
    static func value(in instance: StoredInstance) -> Any { instance.service(as: Service.self) }
}

/// A weak reference to the instance of a weak scope. It is empty if the instance is a value that is not an object.
final class WeakInstance: @unchecked Sendable {
    // @unchecked: as a `StoredInstance`. Only the runtime changes the reference, when the object is released.
    weak private(set) var object: AnyObject?
    private let cast: any ServiceCast.Type

    init(_ instance: StoredInstance, _ cast: any ServiceCast.Type) {
        self.cast = cast
        let value = cast.value(in: instance)
        object = type(of: value) is any AnyObject.Type ? value as AnyObject : nil
    }

    /// Returns the instance as it is stored, or nil if it has been released.
    var instance: StoredInstance? { object.flatMap { cast.stored($0) } }
}
