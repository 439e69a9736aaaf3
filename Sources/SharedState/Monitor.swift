#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A lock under which threads can wait for conditions.
///
/// It replaces `Synchronization.Mutex`, which has no conditions and makes ThreadSanitizer report races where there are
/// none. It must not be locked twice by one thread, so no user code may run under it.
@safe
package final class Monitor: @unchecked Sendable {
    // @unchecked: the pointer is set once, and pthread's functions may be called from every thread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { unsafe pthread_mutex_init(mutex, nil) }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs a closure while no other thread runs one under this monitor.
    @inlinable
    package func withLock<Result: ~Copyable, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    package func lock() { unsafe pthread_mutex_lock(mutex) }

    package func unlock() { unsafe pthread_mutex_unlock(mutex) }

    /// Unlocks the monitor, waits until a thread notifies the condition, and locks it again. It may return early.
    package func wait(for condition: borrowing Condition) { unsafe pthread_cond_wait(condition.raw, mutex) }

    /// Holds the monitor during each `fork()`, so that the child process does not inherit it from a thread that it
    /// lacks.
    ///
    /// - Parameters:
    ///   - lock: locks this monitor.
    ///   - unlock: unlocks it.
    package static func holdDuringFork(_ lock: @convention(c) () -> Void, _ unlock: @convention(c) () -> Void) {
        let result = pthread_atfork(lock, unlock, unlock)
        precondition(result == 0, "out of memory for a fork handler")
    }
}

/// A condition that threads wait for under a `Monitor`.
@safe
package struct Condition: ~Copyable {
    fileprivate let raw = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() { unsafe pthread_cond_init(raw, nil) }

    deinit {
        unsafe pthread_cond_destroy(raw)
        unsafe raw.deallocate()
    }

    /// Wakes the threads that wait. The caller must hold their monitor.
    package func notify() { unsafe pthread_cond_broadcast(raw) }
}

/// A value that one thread at a time uses.
package final class Guarded<Value>: @unchecked Sendable {
    // @unchecked: the monitor guards the value.
    private let monitor = Monitor()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs a closure on the value while no other thread does. It must run no user code.
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try monitor.withLock { () throws(Failure) in try body(&value) }
    }
}
