#if os(Linux)
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Reports changes of directories, files and mounts, by inotify. One thread calls `wait`; all other methods may be
    /// called from any thread.
    final class Inotify: Sendable {
        struct Event {
            enum Kind {
                /// A file was created, and may still be open for writing.
                case created
                /// A file was closed after writing, moved, or removed.
                case finished
                case other
            }
            let kind: Kind
            let watch: CInt
            /// The name in the watched directory. Empty if the watched directory or file itself changed.
            let name: String
            /// Whether the queue of the kernel overflowed, so that events were lost.
            let isOverflow: Bool
        }
        enum Outcome {
            /// Events can be read.
            case events
            /// Something was mounted or unmounted.
            case mounts
            case timeout
            case stopped
        }

        // IN_CLOSE_WRITE instead of IN_MODIFY: a file that is written in place is reported when it is closed, so that a
        // reload does not read an incomplete file.
        private static let mask = UInt32(
            IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
                | IN_MOVE_SELF)
        private static let finished = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
        /// The maximum size of the events that one call reads, in bytes.
        private static let bufferSize = 16 << 10

        private let descriptor: CInt
        private let wakeReader: CInt
        private let wakeWriter: CInt
        private let mounts: CInt
        private let isStopped = Atomic(false)

        /// Opens the descriptors. Returns nil if the kernel has no inotify or no list of mounts, or if a limit of the
        /// user or the process on them is reached.
        init?() {
            descriptor = Self.opened { inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)) }
            var ends: [CInt] = [-1, -1]
            let failure = Self.opened { unsafe pipe(&ends) }
            (wakeReader, wakeWriter) = (ends[0], ends[1])
            for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            mounts = Self.opened { unsafe open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
            // Fails unless three more descriptors are free: a reload needs one, and timers need two. Without them
            // polling is better, since it does not occupy the descriptors that are opened above.
            let spares = (0..<3).map { _ in dup(mounts) }
            for spare in spares where spare >= 0 { close(spare) }
            guard descriptor >= 0, failure == 0, spares.allSatisfy({ $0 >= 0 }) else { return nil }
        }

        /// Returns the result of a call that opens descriptors, or -1 if it fails.
        private static func opened(_ call: () -> CInt) -> CInt { (try? System.checked(.start, call)) ?? -1 }

        deinit {
            for descriptor in [descriptor, wakeReader, wakeWriter, mounts] where descriptor >= 0 {
                close(descriptor)
            }
        }

        /// Watches a directory or a file.
        ///
        /// - Returns: the number of the watch, or nil if the call fails. A directory or file that is already watched
        ///   keeps its number.
        func add(_ path: String, isDirectory: Bool) -> CInt? {
            let mask = Self.mask | UInt32(isDirectory ? IN_ONLYDIR : 0)
            return try? System.checked(.watch) { unsafe inotify_add_watch(descriptor, path, mask) }
        }

        /// Stops watching a directory or a file.
        func remove(_ watch: CInt) { inotify_rm_watch(descriptor, watch) }

        /// Waits for events, until a timeout, or until `stop` is called.
        ///
        /// - Parameter milliseconds: the timeout, or nil for none.
        /// - Returns: the reason why the wait ended.
        /// - Throws: the error of the wait. Pending events are not lost.
        func wait(milliseconds: Int?) throws(FileDiagnostic) -> Outcome {
            var sources = [wakeReader, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // The kernel reports a change of the mounts as urgent data (POLLPRI).
            sources.append(pollfd(fd: mounts, events: Int16(POLLPRI), revents: 0))
            let timeout = milliseconds.map { CInt(clamping: max($0, 0)) } ?? -1
            let count = try System.checked(.poll) { unsafe poll(&sources, nfds_t(sources.count), timeout) }
            if count == 0 { return .timeout }
            // Checks mounts before events: the kernel reports a change of the mounts only once, but events stay in its
            // queue until they are read.
            for (source, outcome) in [(0, Outcome.stopped), (2, .mounts), (1, .events)] {
                let revents = sources[source].revents
                if revents & sources[source].events != 0 { return source == 0 ? wakeUp() : outcome }
                if revents != 0 { throw .failed("a descriptor fails") }
            }
            return .timeout
        }

        /// Makes the current or the next wait return `.timeout`.
        func wake() {
            var byte: UInt8 = 0
            _ = unsafe write(wakeWriter, &byte, 1)
        }

        /// Makes the current wait and all later ones return `.stopped`.
        func stop() {
            isStopped.store(true, ordering: .releasing)
            wake()
        }

        private func wakeUp() -> Outcome {
            if isStopped.load(ordering: .acquiring) { return .stopped }
            var byte: UInt8 = 0
            _ = unsafe read(wakeReader, &byte, 1)
            return .timeout
        }

        /// Reads pending events, without waiting for more.
        func events() throws(FileDiagnostic) -> [Event] {
            let bytes = unsafe try System.bytes(.events, capacity: Self.bufferSize) { buffer in
                let count = unsafe read(descriptor, buffer, Self.bufferSize)
                return count < 0 && errno == EAGAIN ? 0 : count
            }
            return Self.events(in: bytes)
        }

        // The layout of `inotify_event`: watch, mask, cookie and length of the name (four bytes each), then the name,
        // padded with zeros.
        private static func events(in bytes: [UInt8]) -> [Event] {
            func word(_ offset: Int) -> UInt32 {
                unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
            }
            var events: [Event] = []
            var offset = 0
            while offset + 16 <= bytes.count {
                let end = min(offset + 16 + Int(word(offset + 12)), bytes.count)
                let name = bytes[offset + 16..<end].prefix { $0 != 0 }
                let mask = word(offset + 4)
                events.append(
                    Event(
                        kind: kind(of: mask), watch: CInt(bitPattern: word(offset)),
                        name: String(decoding: name, as: UTF8.self),
                        isOverflow: mask & UInt32(IN_Q_OVERFLOW) != 0))
                offset = end
            }
            return events
        }

        private static func kind(of mask: UInt32) -> Event.Kind {
            if mask & finished != 0 { return .finished }
            return mask & UInt32(IN_CREATE) != 0 && mask & UInt32(IN_ISDIR) == 0 ? .created : .other
        }
    }
#endif
