/// What a container has for a key: a registration, and its shared instance if there is one.
///
/// With what the inlined part of `resolve` needs, so that a singleton's service is copied in its static type by the
/// caller's own specialised code.
@safe
@usableFromInline
struct Found {
    /// Lives as long as the container.
    let registration: Unmanaged<AnyRegistration>?
    /// The shared instance as it is stored: an object with a reference that is the caller's, or a `Box` that is not
    /// freed until `endReading()`.
    @usableFromInline let stored: Unmanaged<AnyObject>?
    @usableFromInline let isBoxed: Bool

    /// - Parameter stored: nil where there is no shared instance, or where only the registration looks at it.
    init(_ registration: Unmanaged<AnyRegistration>?, _ stored: Unmanaged<AnyObject>? = nil, isBoxed: Bool = false) {
        unsafe self.registration = registration
        unsafe self.stored = unsafe stored
        self.isBoxed = isBoxed
    }

    /// The service in `stored`, of the type that was looked for: a registration stores nothing else, and is found by its
    /// service's identity. Call it once.
    @inlinable
    func service<Service>(in stored: Unmanaged<AnyObject>, as type: Service.Type) -> Service {
        if !isBoxed { return unsafe unsafeBitCast(stored.takeRetainedValue(), to: Service.self) }
        defer { endReading() }
        return unsafe stored._withUnsafeGuaranteedRef { unsafe unsafeDowncast($0, to: Box<Service>.self).value }
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
        return unsafe registration._withUnsafeGuaranteedRef { found in
            if found.isWeak { return unsafe Found(registration) }
            if found.isClass { return unsafe Found(registration, Reserve.take(from: found.instance.address)) }
            return unsafe Found(registration, Hazard.protect(found.instance.address)?.object(), isBoxed: true)
        }
    }
}
