/// What a container has for a key: a registration, and its shared instance if there is one.
///
/// With what the inlined part of `resolve` needs, so that a singleton's service is copied in its static type by the
/// caller's own specialised code.
@safe
@usableFromInline
struct Found {
    /// Lives as long as the container.
    let registration: Unmanaged<AnyRegistration>?
    /// The shared instance as it is stored; not freed until `endReading()`.
    @usableFromInline let stored: Unmanaged<AnyObject>?
    @usableFromInline let isBoxed: Bool

    /// - Parameter hazard: protects the shared instance; nil where there is none, or where only the registration looks at it.
    init(_ registration: Unmanaged<AnyRegistration>?, _ hazard: Hazard? = nil, isBoxed: Bool = false) {
        unsafe self.registration = registration
        unsafe stored = hazard.map { unsafe Unmanaged.fromOpaque($0.pointer) }
        self.isBoxed = isBoxed
    }

    /// The service in `stored`, of the type that was looked for: a registration stores nothing else, and is found by its
    /// service's identity.
    @inlinable
    func service<Service>(in stored: Unmanaged<AnyObject>, as type: Service.Type) -> Service {
        defer { endReading() }
        return unsafe stored._withUnsafeGuaranteedRef { stored in
            isBoxed
                ? unsafe unsafeDowncast(stored, to: Box<Service>.self).value
                : unsafe unsafeBitCast(stored, to: Service.self)
        }
    }

    /// The container too lives until here: the optimizer, which knows nothing of this function, lets go of nothing before.
    @usableFromInline
    func endReading() { Hazard.clear() }
}

extension Container {
    /// Finds what is registered without arguments, and protects the shared instance.
    @usableFromInline
    func find(_ type: Any.Type, _ qualifier: Qualifier) -> Found {
        let found = unsafe find(ServiceKey(service: type, arguments: Void.self, qualifier: qualifier))
        guard let registration = unsafe found, !ThreadState.isVerifying else { return unsafe Found(found) }
        // No closure and no initializer gets the container or the registration: that would count references to it.
        let (hazard, isBoxed) = unsafe registration._withUnsafeGuaranteedRef {
            $0.isWeak ? (nil, false) : (Hazard.protect($0.instance.address), !$0.isClass)
        }
        return unsafe Found(registration, hazard, isBoxed: isBoxed)
    }
}
