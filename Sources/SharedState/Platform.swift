public import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

// All functions that use the platform's C library.

/// The standard error stream, without Foundation.
package enum StandardError {
    /// Writes a line. An error of the system, such as a closed stream, is ignored.
    package static func writeLine(_ line: String) { LineStream.errors.write(line) }

    /// Writes a line, and ends the process.
    package static func fail(_ line: String, status: Int32) -> Never {
        writeLine(line)
        exit(status)
    }
}

/// The descriptors of the standard streams.
package enum Descriptor {
    /// Whether a descriptor is a file, a pipe, a socket or a terminal, as a standard stream is. If the process was
    /// started without the stream, its number may belong to an event queue of Dispatch, which is none of these.
    package static func isStream(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT != 0
    }

    /// Whether a descriptor is open, as a stream or as anything else.
    fileprivate static func isOpen(_ descriptor: Int32) -> Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0
    }

    /// Whether a descriptor can be written without blocking, after at most so many milliseconds, or for ever if the
    /// number is negative.
    package static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&request, 1, milliseconds) > 0
    }

    /// Writes bytes. It waits while the descriptor has no room for them.
    ///
    /// - Returns: the number of bytes that were written, and the error of the system that has prevented the others, or 0.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> (count: Int, error: Int32) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var done = 0
            while done < bytes.count, let start = bytes.baseAddress {
                let count = unsafe systemWrite(descriptor, start + done, bytes.count - done)
                if count > 0 {
                    done += count
                } else if count < 0, errno == EAGAIN {
                    // Another program has made the stream non-blocking for everybody.
                    _ = isReady(descriptor, within: -1)
                } else if count == 0 || errno != EINTR {
                    return (done, count == 0 ? EIO : errno)
                }
            }
            return (done, 0)
        }
    }

    /// Whether an error of a write means that nobody reads the pipe any more.
    static func hasNoReader(_ error: Int32) -> Bool { error == EPIPE }

    /// What the system says of an error.
    static func message(of error: Int32) -> String { unsafe String(cString: strerror(error)) }

    /// The size of the file of a descriptor, or 0 if it is not a file.
    static func size(of descriptor: Int32) -> Int {
        var status = stat()
        let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? Int(status.st_size) : 0
    }
}

/// The standard streams that were closed when the process was started.
package enum StandardStreams {
    /// A bit for each standard stream that was closed.
    private static let missing = Atomic<UInt8>(0)

    /// Opens each closed one of the descriptors 0, 1 and 2 on `/dev/null`. Otherwise the next file or connection of the
    /// process would have its number, and would get what the process prints.
    package static func openMissing() {
        for descriptor: Int32 in 0...2 where !Descriptor.isStream(descriptor) {
            missing.bitwiseOr(1 << UInt8(descriptor), ordering: .relaxed)
            // Dispatch may have taken the number already.
            if Descriptor.isOpen(descriptor) { continue }
            let opened = unsafe open("/dev/null", O_RDWR)
            if opened >= 0, opened != descriptor { _ = close(opened) }
        }
    }

    /// Whether `openMissing` has found a stream closed.
    package static func wasMissing(_ descriptor: Int32) -> Bool {
        missing.load(ordering: .relaxed) & 1 << UInt8(descriptor) != 0
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}

// MARK: - Threads

/// The thread that runs the caller.
@usableFromInline
package enum CurrentThread {
    /// A number that differs between running threads in its lowest bits, for the choice of a stripe.
    @usableFromInline
    static var scrambledID: UInt64 {
        // A pointer on these platforms, and a number on the others.
        #if canImport(Darwin) || canImport(Musl)
            let id = unsafe UInt64(UInt(bitPattern: pthread_self()))
        #else
            let id = UInt64(truncatingIfNeeded: pthread_self())
        #endif
        // The ID is an address, so its lower bits are the same for all threads. The multiplication spreads the others.
        return (id &* 0x9E37_79B9_7F4A_7C15) >> 32
    }

    /// The bytes of the stack of this thread that are left below the caller's frame.
    ///
    /// - Parameter stack: the stack of this thread.
    /// - Returns: the number of bytes, or nil if it is not known, because the frame is on another stack.
    package static func bytesLeft(of stack: ThreadStack) -> UInt? {
        var here: UInt8 = 0
        let address = unsafe withUnsafeMutablePointer(to: &here) { unsafe $0 }
        if let left = stack.bytes(below: UInt(bitPattern: address)) { return left }
        return unsafe FakeStack.realAddress(of: address).flatMap { stack.bytes(below: $0) }
    }
}

/// The memory in which AddressSanitizer keeps the local variables of a function, to find their use after its return.
private enum FakeStack {
    private typealias Current = @convention(c) () -> UnsafeMutableRawPointer?
    private typealias Find =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> UnsafeMutableRawPointer?

    /// Returns the address of the function's frame on the stack of the thread, or nil if the variable is not in such
    /// memory, or the process has no AddressSanitizer.
    static func realAddress(of variable: UnsafeMutableRawPointer) -> UInt? {
        #if canImport(Darwin)
            // There, AddressSanitizer keeps the variables on the stack, unless a program asks for more.
            return nil
        #else
            guard let current = unsafe dlsym(nil, "__asan_get_current_fake_stack"),
                let find = unsafe dlsym(nil, "__asan_addr_is_in_fake_stack"),
                let stack = unsafe unsafeBitCast(current, to: Current.self)()
            else { return nil }
            return unsafe unsafeBitCast(find, to: Find.self)(stack, variable, nil, nil).map { UInt(bitPattern: $0) }
        #endif
    }
}

/// The memory of a thread's stack.
package struct ThreadStack: Sendable {
    /// The lowest address.
    package let start: UInt
    /// The size in bytes.
    package let size: UInt

    package init(start: UInt, size: UInt) { (self.start, self.size) = (start, size) }

    /// Returns the number of bytes below an address of the stack, or nil for another address.
    package func bytes(below address: UInt) -> UInt? {
        address >= start && address - start < size ? address - start : nil
    }

    /// Asks the system for the stack of the current thread, which takes some microseconds. It is nil if the system does
    /// not report it.
    package static func ofCurrentThread() -> ThreadStack? {
        #if canImport(Darwin)
            let thread = unsafe pthread_self()
            let size = unsafe UInt(pthread_get_stacksize_np(thread))
            return ThreadStack(start: unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread)) - size, size: size)
        #else
            // A symbol, because Swift does not see the function of GNU. A static executable does not find it.
            typealias Function = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32
            guard let symbol = unsafe dlsym(nil, "pthread_getattr_np") else { return nil }
            // Not `pthread_attr_t()`, which belongs to the module of Dispatch where another file imports that.
            let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
            defer { unsafe attributes.deallocate() }
            if unsafe unsafeBitCast(symbol, to: Function.self)(pthread_self(), attributes) != 0 { return nil }
            defer { unsafe pthread_attr_destroy(attributes) }
            var start: UnsafeMutableRawPointer?
            var size = 0
            if unsafe pthread_attr_getstack(attributes, &start, &size) != 0 { return nil }
            return ThreadStack(start: UInt(bitPattern: start), size: UInt(size))
        #endif
    }
}

/// Access to thread-local objects. Each thread has its own object for a key. The object is released when its thread
/// ends.
///
/// The caller declares a key as `static let key = Atomic<UInt>(0)`, which needs no lazy initialization: on Linux, each
/// access to a lazily initialized global is a function call. The key of the C library is created and stored in it when
/// a thread first sets an object.
@usableFromInline
package enum ThreadLocal {
    /// Returns the object of this thread, and creates it first if the thread has none.
    @inlinable
    package static func object<Object: AnyObject>(_ key: borrowing Atomic<UInt>, or create: () -> Object) -> Object {
        if let raw = unsafe pointer(key) { return unsafe Unmanaged.fromOpaque(raw).takeUnretainedValue() }
        let object = create()
        unsafe set(Unmanaged.passRetained(object).toOpaque(), key)
        return object
    }

    /// Sets the object of this thread, or removes it.
    @inlinable
    package static func set<Object: AnyObject>(_ object: Object?, for key: borrowing Atomic<UInt>) {
        let former = unsafe pointer(key)
        unsafe set(object.map { unsafe Unmanaged.passRetained($0).toOpaque() }, key)
        if let former = unsafe former { unsafe Unmanaged<AnyObject>.fromOpaque(former).release() }
    }

    /// Returns the object of this thread, or nil if the thread has none.
    @inlinable
    package static func existing<Object: AnyObject>(_ key: borrowing Atomic<UInt>, as type: Object.Type) -> Object? {
        guard let raw = unsafe pointer(key) else { return nil }
        return unsafe Unmanaged.fromOpaque(raw).takeUnretainedValue()
    }

    @usableFromInline
    static func pointer(_ key: borrowing Atomic<UInt>) -> UnsafeMutableRawPointer? {
        let stored = key.load(ordering: .acquiring)
        return stored == 0 ? nil : unsafe pthread_getspecific(native(stored))
    }

    @usableFromInline
    static func set(_ pointer: UnsafeMutableRawPointer?, _ key: borrowing Atomic<UInt>) {
        let stored = key.load(ordering: .acquiring)
        let result = unsafe pthread_setspecific(stored == 0 ? made(key) : native(stored), pointer)
        precondition(result == 0, "out of memory for a thread-local object")
    }

    /// Converts a stored key to a key of the C library. The stored value is the key plus 1, because 0 means that the
    /// key has not been created. The conversion truncates, because keys are negative on Android.
    private static func native(_ stored: UInt) -> pthread_key_t { pthread_key_t(truncatingIfNeeded: stored &- 1) }

    /// Creates the key, or returns the key that another thread has created at the same time.
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

#if THREAD_SANITIZER
    /// A mutex of the C library, which ThreadSanitizer knows.
    @safe
    struct ThreadMutex: ~Copyable {
        private let raw = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

        init() { unsafe pthread_mutex_init(raw, nil) }

        deinit {
            unsafe pthread_mutex_destroy(raw)
            unsafe raw.deallocate()
        }

        func lock() { unsafe pthread_mutex_lock(raw) }
        func unlock() { unsafe pthread_mutex_unlock(raw) }
    }
#endif
