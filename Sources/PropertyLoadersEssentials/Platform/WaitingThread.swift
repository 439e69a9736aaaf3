import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// A thread for code that blocks in the kernel. A task must not block, since tasks share a small pool of threads.
enum WaitingThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs a function on a new thread, and waits until the thread has ended.
    ///
    /// - Returns: whether the system could create the thread. Otherwise the function has not run.
    static func run(_ body: @escaping @Sendable () -> Void) async -> Bool {
        #if canImport(Darwin) || canImport(Musl)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let isStarted = await withCheckedContinuation { (ended: CheckedContinuation<Bool, Never>) in
            // The thread releases the body. If the thread cannot be created, this function does.
            let body = unsafe Unmanaged.passRetained(
                Body {
                    body()
                    ended.resume(returning: true)
                })
            // The thread blocks the same signals as the thread of a task, which creates it: signals reach the program's
            // own threads.
            let failure =
                unsafe InjectedFailures.next(.start)
                ?? pthread_create(&thread, nil, { unsafe WaitingThread.main($0) }, body.toOpaque())
            if failure != 0 {
                unsafe body.release()
                ended.resume(returning: false)
            }
        }
        #if canImport(Darwin) || canImport(Musl)
            if isStarted, let thread = unsafe thread { unsafe pthread_join(thread, nil) }
        #else
            if isStarted { pthread_join(thread, nil) }
        #endif
        return isStarted
    }

    private static func main(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let body = unsafe body else { preconditionFailure("a thread has started without its function") }
        unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run()
        // Nobody uses the result. Android's C library requires one that is not nil.
        return unsafe body
    }
}

/// Ends the wait of a thread for a descriptor.
final class Waker: Sendable {
    /// The ends of a pipe.
    private let reader: CInt, writer: CInt
    /// Whether the pipe has a byte. It never fills up, so a write never blocks.
    private let isPending = Atomic(false)
    private let stopped = Atomic(false)

    /// Throws an error if no descriptors are free.
    init() throws(FileDiagnostic) {
        var ends: [CInt] = [-1, -1]
        _ = try System.checked(.start) { unsafe pipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reader, writer) = (ends[0], ends[1])
    }

    deinit { for end in [reader, writer] { close(end) } }

    /// Whether `stop` was called.
    var isStopped: Bool { stopped.load(ordering: .acquiring) }

    /// Ends the current wait or the next one.
    func wake() {
        guard !isPending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var byte: UInt8 = 0
        _ = unsafe write(writer, &byte, 1)
    }

    /// Ends the current wait or the next one, after which `isStopped` is true.
    func stop() {
        stopped.store(true, ordering: .releasing)
        wake()
    }

    /// Waits until a descriptor is readable, until a timeout, or until another thread calls `wake`. It may also return
    /// earlier.
    ///
    /// - Parameters:
    ///   - descriptor: the descriptor, or nil for none.
    ///   - time: the timeout, or nil for none.
    /// - Returns: false if the wait has failed.
    func wait(for descriptor: CInt?, time: Duration?) -> Bool {
        // The kernel ignores negative descriptors.
        var sources = [reader, descriptor ?? -1].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let timeout = time.map { CInt(clamping: max(0, Int($0 / .milliseconds(1)) + 1)) } ?? -1
        let count = unsafe poll(&sources, nfds_t(sources.count), timeout)
        if sources[0].revents & Int16(POLLIN) != 0 {
            isPending.store(false, ordering: .releasing)
            var byte: UInt8 = 0
            _ = unsafe read(reader, &byte, 1)
        }
        guard count < 0 ? errno != EINTR : sources.contains(where: { $0.revents & ~Int16(POLLIN) != 0 }) else {
            return true
        }
        // A failure that lasts, such as a descriptor that the program has closed, must not make the caller spin.
        usleep(100_000)
        return false
    }
}
