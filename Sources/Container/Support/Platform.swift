#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// A lock with a condition to wait on.
///
/// Not `Synchronization.Mutex`: that has no condition, and makes ThreadSanitizer warn where nothing is wrong.
/// No user code runs under it, so it is never taken twice. There is one, as long as the process lives.
@safe
final class Monitor: @unchecked Sendable {
    // @unchecked: both pointers are set once, and pthread's functions may be called from every thread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    func withLock<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Waits, with the lock given back meanwhile, until somebody calls `notifyAll`, or for no reason.
    func wait() { unsafe pthread_cond_wait(condition, mutex) }

    func notifyAll() { unsafe pthread_cond_broadcast(condition) }
}

/// One object for each thread, made when it is first asked for, which goes with its thread.
enum ThreadStorage {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key) { raw in
            let pointer: UnsafeMutableRawPointer? = unsafe raw
            if let pointer = unsafe pointer { unsafe Unmanaged<ThreadState>.fromOpaque(pointer).release() }
        }
        return key
    }()

    static var current: Unmanaged<ThreadState> {
        if let pointer = unsafe pthread_getspecific(key) {
            return unsafe Unmanaged.fromOpaque(pointer)
        }
        let state = unsafe Unmanaged.passRetained(ThreadState())
        unsafe pthread_setspecific(key, state.toOpaque())
        return unsafe state
    }
}

/// Writes a line to the standard error stream.
func writeStandardError(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in _ = unsafe write(2, bytes.baseAddress, bytes.count) }
}
