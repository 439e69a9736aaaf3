/// A service as the container keeps it: an object as itself, a value of any other type in a `Box`.
///
/// So everything between a factory and the caller's generic code handles objects, whatever their service.
@usableFromInline
struct StoredInstance {
    @usableFromInline let object: AnyObject
    @usableFromInline let isBoxed: Bool

    @inlinable
    init(_ object: AnyObject, isBoxed: Bool) {
        self.object = object
        self.isBoxed = isBoxed
    }

    /// The service, whose type must be that of the registration.
    @inlinable
    func service<Service>(as type: Service.Type) -> Service {
        isBoxed
            ? unsafe unsafeDowncast(object, to: Box<Service>.self).value : unsafe unsafeBitCast(object, to: type)
    }
}

/// What a container has for a key.
@usableFromInline
enum LookupResult {
    /// A shared instance.
    case instance(StoredInstance)
    /// A registration without a shared instance, or in the weak scope.
    case registration(Registration)
    /// No registration. There may be one of the same type and qualifier with other arguments.
    case missing(hasOtherArguments: Bool)
}

/// The form in which instances of one service type are kept.
protocol ServiceForm {
    /// Whether instances are in a `Box`. They are unless the service type is a class.
    static var isBoxed: Bool { get }
    /// Stores a service, or returns nil if the value is not of the service type.
    static func object(for value: Any) -> AnyObject?
    /// The service in an object that was stored for this type.
    static func value(in object: AnyObject) -> Any
}

/// An object that holds a service which is not an object itself, or not known to be one.
@usableFromInline
final class Box<Service>: @unchecked Sendable, ServiceForm {
    // @unchecked: a service that threads share is `Sendable`, or its registration says `unchecked:`.
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

/// An object of the weak scope, which is not kept alive.
final class Weak: @unchecked Sendable {
    // @unchecked: it is set once, and the runtime lets any thread read it while the object goes away.
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject?) { self.object = object }
}
