#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// A thread for code that blocks in the kernel. A task must not block, since tasks share a small pool of threads.
    final class WaitingThread: Sendable {
        private final class Body {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        #if canImport(Musl)
            // `pthread_t` is a pointer in musl. Safe to share: it is set once, never dereferenced here, and the
            // functions of pthread accept it on any thread.
            nonisolated(unsafe) private let thread: pthread_t
        #else
            private let thread: pthread_t
        #endif

        /// Starts a thread, or returns nil if the system cannot create one.
        init?(_ run: @escaping @Sendable () -> Void) {
            guard InjectedFailures.next(.start) == nil else { return nil }
            // The thread releases the body. If the thread cannot be created, this initializer does.
            let body = unsafe Unmanaged.passRetained(Body(run))
            #if canImport(Musl)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let failure = unsafe pthread_create(
                &thread, nil,
                { argument in
                    // Blocks all signals on this thread, so that they reach the program's own threads.
                    var signals = sigset_t()
                    unsafe sigfillset(&signals)
                    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
                    if let argument = unsafe argument {
                        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                    }
                    return nil
                }, body.toOpaque())
            guard failure == 0 else {
                unsafe body.release()
                return nil
            }
            #if canImport(Musl)
                guard let thread = unsafe thread else { return nil }
                unsafe self.thread = thread
            #else
                self.thread = thread
            #endif
        }

        /// Waits until the thread has ended. Call it once.
        func join() { pthread_join(thread, nil) }

        /// Blocks the calling thread for a time.
        static func pause(milliseconds: CInt) { poll(nil, 0, milliseconds) }
    }
#endif
