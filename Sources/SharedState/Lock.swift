public import Synchronization

#if THREAD_SANITIZER
    /// A value with a lock that ThreadSanitizer knows. ThreadSanitizer reports false races where threads wait for a
    /// `Mutex`, because it does not see the wait of the standard library.
    @usableFromInline
    package struct Lock<Value>: ~Copyable, @unchecked Sendable {
        // @unchecked: only the closures of `withLock` use the value, one at a time.
        private let mutex = ThreadMutex()
        private let box: Box

        private final class Box {
            var value: Value
            init(_ value: Value) { self.value = value }
        }

        @usableFromInline
        package init(_ value: consuming sending Value) { box = Box(value) }

        @usableFromInline
        package borrowing func withLock<Result, Failure>(
            _ body: (inout sending Value) throws(Failure) -> sending Result
        ) throws(Failure) -> sending Result {
            mutex.lock()
            defer { mutex.unlock() }
            return try body(&box.value)
        }
    }
#else
    /// A value that only one thread at a time uses. A thread must not lock it twice, and no user code may run under it.
    ///
    /// The `deinit` of a user's object is user code, too, and a release may run it: of a closure that captures the
    /// object, of an error, of a state with its values. So a closure that replaces a part of the value returns the
    /// former part, and the caller releases it after unlocking.
    @usableFromInline
    package typealias Lock<Value> = Mutex<Value>
#endif

/// A reference to a `Lock`, for a value that several owners share.
package final class Guarded<Value>: Sendable {
    private let lock: Lock<Value>

    package init(_ value: sending Value) { lock = Lock(value) }

    /// Runs a closure on the value under the lock.
    ///
    /// - Parameter body: the closure. It must not run user code, and must neither return nor store a reference to a
    ///   part of the value that is not `Sendable`.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    package func withLock<Result, Failure>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try lock.withLock(body)
    }
}
