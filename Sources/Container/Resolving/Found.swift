import Synchronization

/// What a container has for a key: a registration, and its shared instance if there is one.
///
/// With what the inlined part of `resolve` needs, so that a singleton's service is copied in its static type by the
/// caller's own specialised code.
@safe
@usableFromInline
struct Found {
    /// Lives as long as the container.
    let registration: Unmanaged<AnyRegistration>?
    /// An `Instance` of the key's service; not freed until `endReading()`.
    @usableFromInline let instance: Unmanaged<AnyObject>?

    /// - Parameter key: a key without arguments.
    init(_ key: ServiceKey, in container: Container) {
        let registration = unsafe container.find(key)
        unsafe self.registration = registration
        unsafe instance = registration?._withUnsafeGuaranteedRef { unsafe $0.beginReading() } ?? nil
    }

    @usableFromInline
    func endReading() { ThreadState.endReading() }
}

extension AnyRegistration {
    /// Finds the shared instance and lets the thread show by its `reading` that it must not be freed.
    @inline(__always)
    func beginReading() -> Unmanaged<AnyObject>? {
        while let found = unsafe instance.load() {
            let thread = unsafe ThreadStorage.current
            if unsafe thread._withUnsafeGuaranteedRef({ $0.scratch != nil }) { return nil }
            let address = UInt(bitPattern: unsafe found.toOpaque())
            unsafe thread._withUnsafeGuaranteedRef { $0.reading.store(address, ordering: .sequentiallyConsistent) }
            // Whoever frees it takes it out first and looks at `reading` after.
            if instance.address() == address { return unsafe found }
            unsafe thread._withUnsafeGuaranteedRef { $0.reading.store(0, ordering: .releasing) }
        }
        return nil
    }
}

extension ThreadState {
    /// Ends what `beginReading` has begun.
    ///
    /// It asks for the thread again, though the caller knew it: the optimizer may sink a retain past a store, but not
    /// past a C function of which it knows nothing. So what was copied is retained before the thread stops to show it.
    @inline(__always)
    static func endReading() {
        unsafe ThreadStorage.current._withUnsafeGuaranteedRef { $0.reading.store(0, ordering: .releasing) }
    }
}
