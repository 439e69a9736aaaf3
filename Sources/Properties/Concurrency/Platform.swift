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
package enum Platform {
    /// Lets another thread run.
    static func yield() { sched_yield() }

    /// Writes a line to the standard error stream.
    package static func writeStandardError(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in _ = unsafe write(2, bytes.baseAddress, bytes.count) }
    }

    /// The key of `threadValue` plus 1; 0 before a thread has set one. No `static let` of the key itself: on Linux each
    /// look at one that is made when it is needed is a call.
    private static let storedKey = Atomic<UInt>(0)

    /// The `ThreadSlot` of this thread, given back when the thread ends; at first nil.
    @inline(__always)
    static var threadValue: UnsafeMutableRawPointer? {
        get {
            let stored = storedKey.load(ordering: .acquiring)
            return stored == 0 ? nil : unsafe pthread_getspecific(key(stored))
        }
        set {
            let stored = storedKey.load(ordering: .acquiring)
            let result = unsafe pthread_setspecific(stored == 0 ? madeKey() : key(stored), newValue)
            precondition(result == 0, "there is no memory for a thread's own value")
        }
    }

    // Android's keys are negative.
    @inline(__always)
    private static func key(_ stored: UInt) -> pthread_key_t { pthread_key_t(truncatingIfNeeded: stored &- 1) }

    /// Makes the key, or finds that another thread has just made it.
    private static func madeKey() -> pthread_key_t {
        var new = pthread_key_t()
        let result = unsafe pthread_key_create(&new) { raw in
            let pointer: UnsafeMutableRawPointer? = unsafe raw
            if let pointer = unsafe pointer { unsafe ThreadSlot.giveBack(pointer) }
        }
        precondition(result == 0, "the process has used up its thread-specific keys")
        let (isFirst, other) = storedKey.compareExchange(
            expected: 0, desired: UInt(truncatingIfNeeded: new) &+ 1, ordering: .acquiringAndReleasing)
        if isFirst { return new }
        pthread_key_delete(new)
        return key(other)
    }
}

/// A lock under which threads can wait for conditions.
///
/// Not `Synchronization.Mutex`: that has no conditions, and makes ThreadSanitizer warn where nothing is wrong.
/// No user code runs under it, so it is never taken twice. It lives as long as the process.
@safe
package final class Monitor: @unchecked Sendable {
    // @unchecked: the pointer is set once, and pthread's functions may be called from every thread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { unsafe pthread_mutex_init(mutex, nil) }

    /// Runs the body while no other thread runs one.
    @inlinable
    package func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    @usableFromInline
    package func lock() { unsafe pthread_mutex_lock(mutex) }

    @usableFromInline
    package func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Waits, with the lock given back meanwhile, until a thread notifies the condition, or for no reason.
    package func wait(for condition: borrowing Condition) { unsafe pthread_cond_wait(condition.raw, mutex) }
}

/// What a thread waits for under a `Monitor`.
@safe
package struct Condition: ~Copyable {
    fileprivate let raw = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() { unsafe pthread_cond_init(raw, nil) }

    deinit {
        unsafe pthread_cond_destroy(raw)
        unsafe raw.deallocate()
    }

    /// Wakes the threads that wait. Call it under their monitor.
    package func notify() { unsafe pthread_cond_broadcast(raw) }
}
