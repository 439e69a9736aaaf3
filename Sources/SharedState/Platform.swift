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

/// Wrappers of functions of the platform's C library.
enum Platform {
    /// Lets a writer wait a moment for a reader on another thread. The wait is longer for later turns.
    ///
    /// A reader needs only nanoseconds unless the scheduler has suspended its thread. A writer that spins might then
    /// occupy the processor that the reader needs. If the writer has a higher priority, `sched_yield` does not help
    /// either. So the writer spins at first, then yields, and finally sleeps.
    ///
    /// - Parameter turn: the number of times that the caller has already waited for this reader.
    static func pause(turn: Int) {
        if turn < 100 { return }
        if turn < 200 {
            sched_yield()
            return
        }
        // 20 µs for the first sleep, and 20 µs more for each later one, up to 1 ms.
        var time = timespec(tv_sec: 0, tv_nsec: min(20_000 * (turn - 199), 1_000_000))
        unsafe nanosleep(&time, nil)
    }

    /// Registers a function that runs in the child process after each `fork()`.
    static func afterForkInChild(_ body: @convention(c) () -> Void) {
        let result = pthread_atfork(nil, nil, body)
        precondition(result == 0, "out of memory for a fork handler")
    }
}

/// The standard error stream, without Foundation.
package enum StandardError {
    /// Writes a line. An error of the system, such as that of a closed stream, is ignored.
    package static func writeLine(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count, let start = bytes.baseAddress {
                let count = unsafe write(2, start + done, bytes.count - done)
                if count <= 0 { return }
                done += count
            }
        }
    }

    /// Writes a line, and ends the process.
    package static func fail(_ line: String, status: Int32) -> Never {
        writeLine(line)
        exit(status)
    }
}

/// Access to thread-local objects. Each thread has its own object for a key. The object is released when its thread
/// ends.
///
/// The caller declares a key as `static let key = Atomic<UInt>(0)`, which needs no lazy initialization: on Linux, each
/// access to a lazily initialized global is a function call. The key of the C library is created and stored in it when
/// a thread first sets an object.
package enum ThreadLocal {
    /// Returns the object of this thread, and creates it first if the thread has none.
    package static func object<Object: AnyObject>(_ key: borrowing Atomic<UInt>, or create: () -> Object) -> Object {
        if let object: Unmanaged<Object> = unsafe object(key) { return unsafe object.takeUnretainedValue() }
        let object = create()
        set(object, key)
        return object
    }

    /// Runs a closure during which a thread uses another object for a key.
    package static func withObject<Object: AnyObject, Result, Failure>(
        _ object: Object, _ key: borrowing Atomic<UInt>, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let stored = key.load(ordering: .acquiring)
        let native = stored == 0 ? made(key) : native(stored)
        let former = unsafe pthread_getspecific(native)
        unsafe pthread_setspecific(native, Unmanaged.passUnretained(object).toOpaque())
        defer {
            unsafe pthread_setspecific(native, former)
            withExtendedLifetime(object) {}
        }
        return try body()
    }

    /// Returns the object of this thread, not retained, or nil if the thread has not set one.
    ///
    /// This function must call a C function whose body and effects the compiler does not know, because the compiler
    /// then cannot move retains past it. Callers rely on that: see `SharedState.md`.
    @inline(__always)
    static func object<Object>(_ key: borrowing Atomic<UInt>) -> Unmanaged<Object>? {
        let stored = key.load(ordering: .acquiring)
        guard stored != 0, let raw = unsafe pthread_getspecific(native(stored)) else { return nil }
        return unsafe .fromOpaque(raw)
    }

    /// Sets the object of this thread. The thread must not already have one for the key.
    static func set(_ object: AnyObject, _ key: borrowing Atomic<UInt>) {
        let stored = key.load(ordering: .acquiring)
        let native = stored == 0 ? made(key) : native(stored)
        let result = unsafe pthread_setspecific(native, Unmanaged.passRetained(object).toOpaque())
        precondition(result == 0, "out of memory for a thread-local object")
    }

    /// Converts a stored key to one of the C library. The stored value is the key plus 1, because 0 means that the key
    /// has not been created. The conversion truncates, because keys are negative on Android.
    private static func native(_ stored: UInt) -> pthread_key_t { pthread_key_t(truncatingIfNeeded: stored &- 1) }

    /// Creates the key, or returns the one that another thread has created at the same time.
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
