#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Reports changes of directories and files.
    final class Inotify {
        private static let mask = UInt32(
            IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF | IN_MASK_ADD)
        /// The maximum size of the events that one call reads in bytes, and the maximum number of calls in a row. They
        /// are enough to empty the queue of the kernel, which holds 16,384 events.
        private static let bufferSize = 16 << 10, readLimit = 100

        /// Is readable when there are events.
        let descriptor: CInt

        /// Throws an error if the kernel has no inotify, or if a limit of the user or the process on it is reached.
        init() throws(FileDiagnostic) {
            descriptor = try System.checked(.start) { inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)) }
        }

        deinit { close(descriptor) }

        /// Watches a directory or a file.
        ///
        /// - Parameters:
        ///   - path: the path. What is already watched keeps its number.
        ///   - reportsWrites: whether to report each write. In a directory these are the writes to all files in it, such
        ///     as a log.
        /// - Returns: the number of the watch.
        /// - Throws: the error of the call.
        func add(_ path: String, reportsWrites: Bool) throws(FileDiagnostic) -> CInt {
            let mask = Self.mask | UInt32(reportsWrites ? IN_MODIFY : 0)
            return try System.checked(.watch) { unsafe inotify_add_watch(descriptor, path, mask) }
        }

        /// Stops watching a directory or a file.
        func remove(_ watch: CInt) { inotify_rm_watch(descriptor, watch) }

        /// Reads all pending events, without waiting for more.
        ///
        /// - Parameters:
        ///   - body: receives the watch of each event; the name in the watched directory, which is empty if the directory
        ///     or file itself changed; and whether a file was created or written to, and so may still be open.
        ///   - overflow: is called if events were lost, because the queue of the kernel was full.
        /// - Throws: the error of a read. Some events may be lost.
        func readEvents(
            _ body: (_ watch: CInt, _ name: String, _ isWriting: Bool) -> Void, overflow: () -> Void
        ) throws(FileDiagnostic) {
            for _ in 0..<Self.readLimit {
                let bytes = unsafe try System.bytes(.events, capacity: Self.bufferSize) { buffer in
                    let count = unsafe read(descriptor, buffer, Self.bufferSize)
                    return count < 0 && errno == EAGAIN ? 0 : count
                }
                if bytes.isEmpty { return }
                var offset = 0
                // Each event is followed by its name, which is padded with zeros.
                let size = MemoryLayout<inotify_event>.size
                while offset + size <= bytes.count {
                    let event = unsafe bytes.withUnsafeBytes {
                        unsafe $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    }
                    let end = min(offset + size + Int(event.len), bytes.count)
                    let name = String(decoding: bytes[offset + size..<end].prefix { $0 != 0 }, as: UTF8.self)
                    let isWriting =
                        event.mask & UInt32(IN_MODIFY | IN_CREATE) != 0 && event.mask & UInt32(IN_ISDIR) == 0
                    event.mask & UInt32(IN_Q_OVERFLOW) != 0 ? overflow() : body(event.wd, name, isWriting)
                    offset = end
                }
            }
        }
    }
#else
    /// Not available on this platform: the watcher polls.
    final class Inotify {
        let descriptor: CInt = -1
        init() throws(FileDiagnostic) { throw .missing }
        func add(_ path: String, reportsWrites: Bool) throws(FileDiagnostic) -> CInt { -1 }
        func remove(_ watch: CInt) {}
        func readEvents(_ body: (CInt, String, Bool) -> Void, overflow: () -> Void) throws(FileDiagnostic) {}
    }
#endif
