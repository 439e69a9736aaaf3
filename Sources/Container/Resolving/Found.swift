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
    private let thread: Unmanaged<ThreadState>?

    /// - Parameter key: a key without arguments.
    init(_ key: ServiceKey, in container: Container) {
        let registration = unsafe container.find(key)
        let reading = unsafe registration?._withUnsafeGuaranteedRef { unsafe $0.beginReading() } ?? nil
        unsafe self.registration = registration
        unsafe instance = reading?.instance
        unsafe thread = reading?.thread
    }

    @usableFromInline
    func endReading() { unsafe thread?._withUnsafeGuaranteedRef { $0.reading.store(0, ordering: .releasing) } }
}

extension AnyRegistration {
    /// Finds the shared instance and lets the thread show by its `reading` that it must not be freed.
    @inline(__always)
    func beginReading() -> (instance: Unmanaged<AnyObject>, thread: Unmanaged<ThreadState>)? {
        while let found = unsafe instance.load() {
            let thread = unsafe ThreadStorage.current
            if unsafe thread._withUnsafeGuaranteedRef({ $0.scratch != nil }) { return nil }
            let address = UInt(bitPattern: unsafe found.toOpaque())
            unsafe thread._withUnsafeGuaranteedRef { $0.reading.store(address, ordering: .sequentiallyConsistent) }
            // Whoever frees it takes it out first and looks at `reading` after.
            if instance.address() == address { return unsafe (found, thread) }
            unsafe thread._withUnsafeGuaranteedRef { $0.reading.store(0, ordering: .releasing) }
        }
        return nil
    }
}
