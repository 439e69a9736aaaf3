#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// The operating system's calls about files. This folder has all uses of the C library in this module.
enum System {
    /// What is known of a file without reading it.
    struct Status: Hashable {
        enum Kind { case regular, directory, link, other }
        let kind: Kind
        let size: Int
        /// The identity of the file, whatever its path.
        let device: UInt64, inode: UInt64
        /// The times of the last change of its content and of its metadata, since 1970.
        let modified: Duration, changed: Duration
        /// The number of its names (hard links).
        let linkCount: UInt64
        /// Whether every user may read it, or look names up in it. The directories above it may still forbid both.
        let isReadableByAll: Bool, isSearchableByAll: Bool

        fileprivate init(_ status: stat) {
            // The field is wider than `mode_t` on 32-bit Android.
            let mode = mode_t(truncatingIfNeeded: status.st_mode)
            kind =
                switch mode & S_IFMT {
                case S_IFREG: .regular
                case S_IFDIR: .directory
                case S_IFLNK: .link
                default: .other
                }
            // Clamped if Int has 32 bits: such a size exceeds every limit.
            size = Int(clamping: status.st_size)
            linkCount = UInt64(truncatingIfNeeded: status.st_nlink)
            isReadableByAll = mode & S_IROTH != 0
            isSearchableByAll = mode & S_IXOTH != 0
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            #if canImport(Darwin)
                let times = (status.st_mtimespec, status.st_ctimespec)
            #else
                let times = (status.st_mtim, status.st_ctim)
            #endif
            modified = .seconds(times.0.tv_sec) + .nanoseconds(times.0.tv_nsec)
            changed = .seconds(times.1.tv_sec) + .nanoseconds(times.1.tv_nsec)
        }
    }

    /// A file that is open for reading. It is closed when the last reference is released.
    final class OpenFile {
        private let descriptor: CInt
        let status: Status

        // Without O_NONBLOCK, opening a pipe without a writer blocks for ever.
        init(_ path: String) throws(FileDiagnostic) {
            guard !path.utf8.contains(0) else { throw .missing }
            let descriptor = try System.checked(.open) { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
            do throws(FileDiagnostic) {
                status = try Self.status(of: descriptor)
            } catch {
                close(descriptor)
                throw error
            }
            self.descriptor = descriptor
        }

        deinit { close(descriptor) }

        /// Returns the current status.
        func currentStatus() throws(FileDiagnostic) -> Status { try Self.status(of: descriptor) }

        private static func status(of descriptor: CInt) throws(FileDiagnostic) -> Status {
            var status = stat()
            _ = try System.checked(.status) { unsafe fstat(descriptor, &status) }
            return Status(status)
        }

        /// Reads up to `count` bytes into an array that has room for `slack` more; none at the end of the file.
        func bytes(count: Int, slack: Int) throws(FileDiagnostic) -> [UInt8] {
            unsafe try System.bytes(.read, capacity: count + slack) { unsafe read(descriptor, $0, count) }
        }
    }

    /// Returns what a call that reads writes into a buffer.
    static func bytes(
        _ call: InjectedFailures.Call, capacity: Int, read: (UnsafeMutableRawPointer?) -> Int
    ) throws(FileDiagnostic) -> [UInt8] {
        var outcome = Result<Int, FileDiagnostic>.success(0)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
            outcome = Result { () throws(FileDiagnostic) in
                try checked(call) { unsafe read(buffer.baseAddress) }
            }
            if case .success(let count) = outcome { filled = count }
        }
        _ = try outcome.get()
        return bytes
    }

    /// Returns the status of what is at a path, a link itself and not its target; nil if nothing is there.
    static func status(ofLink path: String) throws(FileDiagnostic) -> Status? {
        try unlessMissing(path, .status) {
            var status = stat()
            return unsafe lstat(path, &status) == 0 ? Status(status) : nil
        }
    }

    /// Returns the status of what a path leads to, all links followed; nil if nothing is there.
    static func status(at path: String) throws(FileDiagnostic) -> Status? {
        try unlessMissing(path, .status) {
            var status = stat()
            return unsafe stat(path, &status) == 0 ? Status(status) : nil
        }
    }

    /// Returns the text of a symbolic link, or nil if there is no link at the path.
    static func linkTarget(_ path: String) throws(FileDiagnostic) -> String? {
        // No path is longer than 4,096 bytes on Linux (PATH_MAX).
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = try unlessMissing(path, .link) {
            let count = unsafe readlink(path, &buffer, buffer.count)
            // The error of anything but a link is EINVAL.
            return count >= 0 ? count : errno == EINVAL ? 0 : nil
        }
        guard let count, count > 0 else { return nil }
        // `CChar` is unsigned on some platforms.
        return String(decoding: buffer.prefix(count).lazy.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Returns the path of what a path leads to, without links; nil if nothing is there.
    static func realPath(_ path: String) throws(FileDiagnostic) -> String? {
        try unlessMissing(path, .link) {
            guard let text = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(text) }
            return unsafe String(cString: text)
        }
    }

    /// Returns the names in a directory, without `.` and `..`, in no order.
    ///
    /// - Throws: the failure of any step, so that a partial list is never taken for the whole.
    static func names(in directory: String) throws(FileDiagnostic) -> [String] {
        guard !directory.utf8.contains(0) else { throw .missing }
        let stream = unsafe try checkedResult(.open) { unsafe opendir(directory) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            // `readdir` returns nil at the end, too. It then leaves `errno` unchanged.
            errno = 0
            let entry = unsafe readdir(stream)
            if let code = InjectedFailures.next(.listing) { throw diagnostic(of: code) }
            guard let entry = unsafe entry else {
                if errno != 0 { throw diagnostic(of: errno) }
                return names
            }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Runs a system call, again if a signal interrupts it.
    ///
    /// - Parameters:
    ///   - call: the kind of call, for tests that make it fail.
    ///   - body: the call, whose result is negative if it fails.
    /// - Returns: the result.
    /// - Throws: the diagnostic of the call's error number.
    static func checked<Value: SignedInteger>(
        _ call: InjectedFailures.Call, _ body: () -> Value
    ) throws(FileDiagnostic) -> Value {
        try checkedResult(call) {
            let value = body()
            return value < 0 ? nil : value
        }
    }

    /// Runs a system call that returns nil if it fails, again if a signal interrupts it.
    private static func checkedResult<Value>(
        _ call: InjectedFailures.Call, _ body: () -> Value?
    ) throws(FileDiagnostic) -> Value {
        while true {
            let code: CInt
            if let injected = InjectedFailures.next(call) {
                code = injected
            } else if let value = body() {
                return value
            } else {
                code = errno
            }
            guard code == EINTR else { throw diagnostic(of: code) }
        }
    }

    /// Runs a call about a path, whose result is nil if it fails. Returns nil if nothing is at the path.
    private static func unlessMissing<Value>(
        _ path: String, _ call: InjectedFailures.Call, _ body: () -> Value?
    ) throws(FileDiagnostic) -> Value? {
        guard !path.utf8.contains(0) else { return nil }
        do throws(FileDiagnostic) {
            return try checkedResult(call, body)
        } catch .missing {
            return nil
        }
    }

    private static func diagnostic(of code: CInt) -> FileDiagnostic {
        // Optional on some platforms and not on others.
        let text: UnsafeMutablePointer<CChar>? = unsafe strerror(code)
        let cause = unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
        return switch code {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .forbidden
        case EISDIR: .directory
        case ENXIO, ENODEV: .notRegular
        // The last two are those of network file systems.
        case EMFILE, ENFILE, EIO, ENOMEM, EAGAIN, ESTALE, ETIMEDOUT: .transient(cause)
        default: .failed(cause)
        }
    }
}
