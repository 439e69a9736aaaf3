#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// What the platform's C library is needed for.
enum Platform {
    /// Lets another thread run.
    static func yield() { sched_yield() }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { raw in
            let pointer: UnsafeMutableRawPointer? = unsafe raw
            if let pointer = unsafe pointer { unsafe HazardSlot.giveBack(pointer) }
        }
        return key
    }()

    /// The `HazardSlot` of this thread, given back when the thread ends; at first nil.
    @inline(__always)
    static var threadValue: UnsafeMutableRawPointer? {
        get { unsafe pthread_getspecific(key) }
        set { unsafe pthread_setspecific(key, newValue) }
    }
}
