import Synchronization

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

    /// The key of `threadValue` plus 1; 0 before a thread has set one. No `static let` of the key itself: on Linux each
    /// look at one that is made when it is needed is a call.
    private static let key = Atomic<UInt>(0)

    /// The `ThreadSlot` of this thread, given back when the thread ends; at first nil.
    @inline(__always)
    static var threadValue: UnsafeMutableRawPointer? {
        get {
            let key = key.load(ordering: .acquiring)
            return key == 0 ? nil : unsafe pthread_getspecific(pthread_key_t(truncatingIfNeeded: key - 1))
        }
        set { unsafe pthread_setspecific(madeKey(), newValue) }
    }

    private static func madeKey() -> pthread_key_t {
        let made = key.load(ordering: .acquiring)
        if made != 0 { return pthread_key_t(made - 1) }
        var new = pthread_key_t()
        let result = unsafe pthread_key_create(&new) { raw in
            let pointer: UnsafeMutableRawPointer? = unsafe raw
            if let pointer = unsafe pointer { unsafe ThreadSlot.giveBack(pointer) }
        }
        precondition(result == 0, "the process has used up its thread-specific keys")
        let (isFirst, other) = key.compareExchange(
            expected: 0, desired: UInt(new) + 1, ordering: .acquiringAndReleasing)
        if isFirst { return new }
        pthread_key_delete(new)
        return pthread_key_t(other - 1)
    }
}
