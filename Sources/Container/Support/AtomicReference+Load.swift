import Synchronization

extension AtomicReference {
    /// The object, with no reference counted: who asks knows by other means that nobody frees it meanwhile.
    // Here and not in `Properties`: only its own module specialises a method of a generic type that cannot be copied.
    @inline(__always)
    func load() -> Unmanaged<Object>? {
        guard let raw = unsafe UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else { return nil }
        // An address is only ever made of an object.
        return unsafe Unmanaged.fromOpaque(raw)
    }
}
