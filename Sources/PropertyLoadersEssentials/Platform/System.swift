#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// The operating system's calls; with `LargeMemory`'s advice, all that this module knows of the C library.
enum System {
    /// What is known of a file without reading it.
    struct Status: Hashable {
        enum Kind { case regular, directory, link, other }
        let kind: Kind
        let size: Int
        /// Which file it is, whatever its path.
        let device: UInt64, inode: UInt64
        /// When its content and its own data changed last, in seconds and nanoseconds since 1970.
        let modified: [Int], changed: [Int]

        fileprivate init(_ status: stat) {
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .regular
                case S_IFDIR: .directory
                case S_IFLNK: .link
                default: .other
                }
            size = Int(status.st_size)
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            #if canImport(Darwin)
                modified = [status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
                changed = [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
            #else
                modified = [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
                changed = [Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec)]
            #endif
        }
    }

    /// A file that is open for reading; closed when nobody has it any more.
    final class OpenFile {
        private let descriptor: CInt
        let status: Status

        // Without O_NONBLOCK, opening a pipe that nobody writes to never returns.
        fileprivate init(_ path: String) throws(FileFault) {
            guard !path.utf8.contains(0) else { throw .missing }
            let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { throw System.fault(errno) }
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else {
                let code = errno
                close(descriptor)
                throw System.fault(code)
            }
            self.descriptor = descriptor
            self.status = Status(status)
        }

        deinit { close(descriptor) }

        /// Up to `count` bytes, in an array that has room for `slack` more; none at the end.
        func bytes(count: Int, slack: Int) throws(FileFault) -> [UInt8] {
            var failure: CInt = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count + slack) { buffer, filled in
                var got = -1
                repeat {
                    got = unsafe read(descriptor, buffer.baseAddress, count)
                } while got < 0 && errno == EINTR
                failure = got < 0 ? errno : 0
                filled = max(got, 0)
            }
            guard failure == 0 else { throw System.fault(failure) }
            return bytes
        }
    }

    /// Opens whatever is at a path for reading.
    static func openFile(_ path: String) throws(FileFault) -> OpenFile { try OpenFile(path) }

    /// What is at a path, a link itself and not what it leads to; nil where nothing is that this process can see.
    static func status(ofLink path: String) -> Status? {
        var status = stat()
        guard !path.utf8.contains(0), unsafe lstat(path, &status) == 0 else { return nil }
        return Status(status)
    }

    /// What a path leads to, all links followed; nil where nothing is that this process can see.
    static func status(at path: String) -> Status? {
        var result = stat()
        guard !path.utf8.contains(0), unsafe stat(path, &result) == 0 else { return nil }
        return Status(result)
    }

    /// The text of a symbolic link, or nil where there is none.
    static func linkTarget(_ path: String) -> String? {
        guard !path.utf8.contains(0) else { return nil }
        // No path is longer than 4,096 bytes on Linux (PATH_MAX).
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, filled in
            filled = unsafe buffer.withMemoryRebound(to: CChar.self) {
                guard let start = $0.baseAddress else { return 0 }
                return max(unsafe readlink(path, start, $0.count), 0)
            }
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the path of what a path leads to, without links; nil if nothing is there.
    static func realPath(_ path: String) -> String? {
        guard !path.utf8.contains(0), let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }

    /// The names in a directory, without `.` and `..`, in no order.
    static func names(in directory: String) throws(FileFault) -> [String] {
        guard !directory.utf8.contains(0) else { throw .missing }
        guard let stream = unsafe opendir(directory) else { throw fault(errno) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The bytes of an environment variable, or nil where it is not set.
    static func variable(_ name: String) -> [UInt8]? {
        guard !name.utf8.contains(0), let value = unsafe getenv(name) else { return nil }
        return unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    fileprivate static func fault(_ code: CInt) -> FileFault {
        switch code {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .forbidden
        case EISDIR: .directory
        case ENXIO, ENODEV: .notRegular
        default: unsafe .system(strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")
        }
    }
}

// MARK: - Waiting for changes

#if os(Linux)
    extension System {
        /// What the kernel tells of directories, and one thread's wait for it.
        final class Inotify: Sendable {
            struct Event {
                let watch: CInt
                /// What it is about: a name in the directory, or nothing for the directory itself.
                let name: String
                /// Events were lost.
                let isOverflow: Bool
            }
            enum Outcome { case events([Event]), timeout, stopped }

            // A file that is written in place counts when it is closed, so that it is not read half.
            private static let mask = UInt32(
                IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                    | IN_MOVE_SELF | IN_ONLYDIR)

            private let descriptor: CInt
            private let wakeReader: CInt
            private let wakeWriter: CInt

            /// Nil where the kernel has no instance left for this user, or no inotify at all.
            init?() {
                descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
                var ends: [CInt] = [-1, -1]
                let failure = unsafe pipe(&ends)
                (wakeReader, wakeWriter) = (ends[0], ends[1])
                for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                guard descriptor >= 0, failure == 0 else { return nil }
            }

            deinit {
                for descriptor in [descriptor, wakeReader, wakeWriter] where descriptor >= 0 { close(descriptor) }
            }

            /// Watches a directory; gives its number, the same one for the same directory, or nil where that fails.
            func add(_ directory: String) -> CInt? {
                let watch = unsafe inotify_add_watch(descriptor, directory, Self.mask)
                return watch >= 0 ? watch : nil
            }

            /// Watches a directory no longer.
            func remove(_ watch: CInt) { inotify_rm_watch(descriptor, watch) }

            /// Waits for events, for a time, or until `stop` is called.
            ///
            /// - Parameter milliseconds: nil waits for ever.
            func wait(milliseconds: Int?) -> Outcome {
                var sources = [
                    pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
                    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                ]
                let timeout = milliseconds.map { CInt(clamping: max($0, 0)) } ?? -1
                let count = unsafe poll(&sources, nfds_t(sources.count), timeout)
                if sources[0].revents != 0 { return .stopped }
                if count < 0 { return errno == EINTR ? .events([]) : .stopped }
                return count == 0 ? .timeout : .events(events())
            }

            /// Ends every wait, now and later.
            func stop() {
                var byte: UInt8 = 0
                _ = unsafe write(wakeWriter, &byte, 1)
            }

            // struct inotify_event: watch, mask, cookie and length, four bytes each, then a name with zeros at its end.
            private func events() -> [Event] {
                let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, filled in
                    filled = max(unsafe read(descriptor, buffer.baseAddress, buffer.count), 0)
                }
                func word(_ offset: Int) -> UInt32 {
                    unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
                }
                var events: [Event] = []
                var offset = 0
                while offset + 16 <= bytes.count {
                    let end = min(offset + 16 + Int(word(offset + 12)), bytes.count)
                    let name = bytes[offset + 16..<end].prefix { $0 != 0 }
                    events.append(
                        Event(
                            watch: CInt(bitPattern: word(offset)), name: String(decoding: name, as: UTF8.self),
                            isOverflow: word(offset + 4) & UInt32(IN_Q_OVERFLOW) != 0))
                    offset = end
                }
                return events
            }
        }

        /// A thread of one's own, for what waits in the kernel.
        final class Thread: Sendable {
            private final class Body {
                let run: @Sendable () -> Void
                init(_ run: @escaping @Sendable () -> Void) { self.run = run }
            }
            #if canImport(Musl)
                // A pointer there. Safe to share: it is set once, nobody looks behind it, and pthread takes it from any thread.
                nonisolated(unsafe) private let thread: pthread_t
            #else
                private let thread: pthread_t
            #endif

            /// Starts it; nil where the system has none left.
            init?(_ run: @escaping @Sendable () -> Void) {
                // Handed to the thread, which releases it.
                let body = unsafe Unmanaged.passRetained(Body(run))
                #if canImport(Musl)
                    var thread: pthread_t?
                #else
                    var thread = pthread_t()
                #endif
                let failure = unsafe pthread_create(
                    &thread, nil,
                    { argument in
                        // Signals are for the threads of the program.
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

            /// Waits until it has ended. To be called once.
            func join() { pthread_join(thread, nil) }
        }
    }
#endif
