package import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// The parts of the platform's C library that this module needs.
enum Platform {
    /// Waits for a reader on another thread, longer with each turn.
    ///
    /// A reader ends in nanoseconds unless its thread has lost its processor. Then spinning would keep the processor
    /// from it, and a thread of a higher priority that only yields would do so too: hence the sleep.
    ///
    /// - Parameter turn: how often the caller has waited for this reader before.
    static func pause(turn: Int) {
        if turn < 100 { return }
        if turn < 200 {
            sched_yield()
            return
        }
        // 20 µs, and at most 1 ms.
        var time = timespec(tv_sec: 0, tv_nsec: min(20_000 * (turn - 199), 1_000_000))
        unsafe nanosleep(&time, nil)
    }

    /// Calls a function in the child process after each `fork()`.
    static func afterForkInChild(_ body: @convention(c) () -> Void) {
        let result = pthread_atfork(nil, nil, body)
        precondition(result == 0, "out of memory for a fork handler")
    }
}

/// An object that each thread has its own of. It is released when its thread ends.
///
/// The caller keeps the key as `static let key = Atomic<UInt>(0)`. The key of the C library is made when a thread first
/// sets an object. It is not in a lazy `static let`: on Linux, each access to one is a call.
package enum ThreadLocal {
    /// The object of this thread, created if it has none.
    package static func object<Object: AnyObject>(_ key: borrowing Atomic<UInt>, or create: () -> Object) -> Object {
        if let object: Unmanaged<Object> = unsafe object(key) { return unsafe object.takeUnretainedValue() }
        let object = create()
        set(object, key)
        return object
    }

    /// The object of this thread, not retained, or nil if it has not set one.
    ///
    /// It contains a call of a C function of which the compiler knows neither the body nor the effects. Callers rely on
    /// that: see `SharedState.md`.
    @inline(__always)
    static func object<Object>(_ key: borrowing Atomic<UInt>) -> Unmanaged<Object>? {
        let stored = key.load(ordering: .acquiring)
        guard stored != 0, let raw = unsafe pthread_getspecific(native(stored)) else { return nil }
        return unsafe .fromOpaque(raw)
    }

    /// Sets the object of this thread, which must not have one.
    static func set(_ object: AnyObject, _ key: borrowing Atomic<UInt>) {
        let stored = key.load(ordering: .acquiring)
        let native = stored == 0 ? made(key) : native(stored)
        let result = unsafe pthread_setspecific(native, Unmanaged.passRetained(object).toOpaque())
        precondition(result == 0, "out of memory for a thread-local object")
    }

    // 0 means that there is no key yet. Android's keys are negative.
    private static func native(_ stored: UInt) -> pthread_key_t { pthread_key_t(truncatingIfNeeded: stored &- 1) }

    /// Makes the key, or returns the one that another thread has just made.
    private static func made(_ key: borrowing Atomic<UInt>) -> pthread_key_t {
        var new = pthread_key_t()
        let result = unsafe pthread_key_create(&new) { raw in
            let object: UnsafeMutableRawPointer? = unsafe raw
            if let object = unsafe object { unsafe Unmanaged<AnyObject>.fromOpaque(object).release() }
        }
        precondition(result == 0, "the process has used up its thread-specific keys")
        let (isFirst, other) = key.compareExchange(
            expected: 0, desired: UInt(truncatingIfNeeded: new) &+ 1, ordering: .acquiringAndReleasing)
        if isFirst { return new }
        pthread_key_delete(new)
        return native(other)
    }
}
