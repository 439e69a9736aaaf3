#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// A lock whose holders can wait for conditions.
///
/// It replaces `Synchronization.Mutex`, which has no condition variables and causes false reports of ThreadSanitizer. A
/// thread must not lock a monitor that it already holds. So no user code may run under it.
@safe
package final class Monitor: @unchecked Sendable {
    // @unchecked: the pointer is immutable, and any thread may call the pthread functions.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { unsafe pthread_mutex_init(mutex, nil) }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs a closure while this thread holds the monitor.
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

    /// Unlocks the monitor, waits until another thread notifies the condition, and locks the monitor again. It may also
    /// return without a notification.
    package func wait(for condition: borrowing Condition) { unsafe pthread_cond_wait(condition.raw, mutex) }

    /// Locks a monitor during each `fork()`. Otherwise another thread might hold the monitor at that time. In the child
    /// process, which does not have that thread, the monitor would then stay locked forever.
    ///
    /// - Parameters:
    ///   - lock: a function that locks the monitor.
    ///   - unlock: a function that unlocks the monitor.
    package static func holdDuringFork(_ lock: @convention(c) () -> Void, _ unlock: @convention(c) () -> Void) {
        let result = pthread_atfork(lock, unlock, unlock)
        precondition(result == 0, "out of memory for a fork handler")
    }
}

/// A condition variable, for which threads wait under a `Monitor`.
@safe
package struct Condition: ~Copyable {
    fileprivate let raw = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init() { unsafe pthread_cond_init(raw, nil) }

    deinit {
        unsafe pthread_cond_destroy(raw)
        unsafe raw.deallocate()
    }

    /// Wakes all threads that wait for the condition. The caller must hold the monitor that they wait under.
    package func notify() { unsafe pthread_cond_broadcast(raw) }
}

/// A value that a lock protects, so that only one thread at a time uses it.
package final class Guarded<Value>: @unchecked Sendable {
    // @unchecked: the initializer takes over the value with all that it refers to (`sending`). Afterwards, only
    // closures that run under the lock reach it. They must not let a reference to a part that is not `Sendable` escape.
    private let monitor = Monitor()
    private var value: Value

    package init(_ value: sending Value) { self.value = value }

    /// Runs a closure on the value under the lock.
    ///
    /// - Parameter body: the closure. It must not run user code, and must neither return nor store a reference to a
    ///   part of the value that is not `Sendable`.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    package func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try monitor.withLock { () throws(Failure) in try body(&value) }
    }
}
