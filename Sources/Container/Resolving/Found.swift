/// What a container has for a key: a registration, and its shared instance if there is one.
///
/// With what the inlined part of `resolve` needs, so that a singleton's service is copied in its static type by the
/// caller's own specialised code.
@safe
@usableFromInline
struct Found {
    /// Lives as long as the container.
    let registration: Unmanaged<AnyRegistration>?
    private let hazard: Hazard?
    /// An `Instance` of the key's service; not freed until `endReading()`.
    @usableFromInline let instance: Unmanaged<AnyObject>?

    @inline(__always)
    fileprivate init(_ registration: Unmanaged<AnyRegistration>?, _ hazard: Hazard?) {
        unsafe self.registration = registration
        self.hazard = hazard
        unsafe instance = hazard.map { unsafe Unmanaged.fromOpaque($0.pointer) }
    }

    /// The container too lives until here: the optimizer, which knows nothing of this function, lets go of nothing before.
    @usableFromInline
    func endReading() { hazard?.clear() }
}

extension Container {
    /// Finds what is registered without arguments, and protects the shared instance.
    @usableFromInline
    func find(_ type: Any.Type, _ qualifier: Qualifier) -> Found {
        let registration = unsafe find(ServiceKey(service: type, arguments: Void.self, qualifier: qualifier))
        if ThreadState.isVerifying { return unsafe Found(registration, nil) }
        // No closure and no initializer gets the container or the registration: that would count references to it.
        return unsafe Found(
            registration, registration?._withUnsafeGuaranteedRef { Hazard.protect($0.instance.address) } ?? nil)
    }
}
