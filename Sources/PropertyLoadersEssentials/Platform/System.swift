#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// System calls about files. In this module, only the code in this folder uses the C library.
package enum System {
    /// Identifies a file independently of its path.
    package struct FileID: Hashable {
        let device: UInt64, inode: UInt64
    }

    /// The time since 1970.
    package static var now: Duration { .seconds(Date().timeIntervalSince1970) }

    /// The metadata of a file or directory.
    struct Status: Hashable {
        enum Kind { case regular, directory, pipe, other }
        let kind: Kind
        let size: Int
        let id: FileID
        /// Whether every user of the machine can write the file.
        let isWritableByAll: Bool
        /// The times of the last changes of the content and of the metadata, since 1970.
        let modified: Duration, changed: Duration

        fileprivate init(_ status: stat) {
            // The field is wider than `mode_t` on 32-bit Android.
            let mode = mode_t(truncatingIfNeeded: status.st_mode)
            kind =
                switch mode & S_IFMT {
                case S_IFREG: .regular
                case S_IFDIR: .directory
                case S_IFIFO: .pipe
                default: .other
                }
            // Clamped where `Int` has 32 bits. A size of `Int.max` exceeds every limit in use.
            size = Int(clamping: status.st_size)
            id = FileID(
                device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
            isWritableByAll = mode & S_IWOTH != 0
            #if canImport(Darwin)
                let times = (status.st_mtimespec, status.st_ctimespec)
            #else
                let times = (status.st_mtim, status.st_ctim)
            #endif
            let fixed = InjectedFailures.times
            modified = fixed ?? .seconds(times.0.tv_sec) + .nanoseconds(times.0.tv_nsec)
            changed = fixed ?? .seconds(times.1.tv_sec) + .nanoseconds(times.1.tv_nsec)
        }
    }

    /// A file that is open for reading. It is closed when the last reference is released.
    final class OpenFile {
        private let descriptor: CInt

        // Opens with O_NONBLOCK, because opening a pipe without a writer would block otherwise.
        init(_ path: String) throws(FileDiagnostic) {
            guard !path.utf8.contains(0) else { throw .missing }
            descriptor = try System.checked(.open) { unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        }

        deinit { close(descriptor) }

        func status() throws(FileDiagnostic) -> Status {
            var status = stat()
            _ = try System.checked(.status) { unsafe fstat(descriptor, &status) }
            return Status(status)
        }

        /// Reads up to `count` bytes, or returns an empty array at the end of the file.
        func bytes(count: Int) throws(FileDiagnostic) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let end = try System.checked(.read) { unsafe read(descriptor, &bytes, count) }
            bytes.removeLast(count - end)
            return bytes
        }

        /// Reads up to `count` bytes that a pipe has now. Empty if it has none: it has no writer, or its writer has
        /// closed it.
        ///
        /// - Parameters:
        ///   - count: the maximum number of bytes.
        ///   - milliseconds: the time to wait for a writer that has written nothing yet.
        /// - Returns: the bytes, or nil if the writer has written nothing in that time.
        /// - Throws: the reason why the pipe cannot be read.
        func available(_ count: Int, within milliseconds: Int32) throws(FileDiagnostic) -> [UInt8]? {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&request, 1, milliseconds) > 0 else { return nil }
            return try bytes(count: count)
        }

        /// Waits.
        static func pause(milliseconds: Int32) {
            var none = pollfd(fd: -1, events: 0, revents: 0)
            _ = unsafe poll(&none, 0, milliseconds)
        }
    }

    /// Returns the status of a path with all links followed, or nil if nothing is there.
    static func status(at path: String) throws(FileDiagnostic) -> Status? {
        try unlessMissing(path, .status) {
            var status = stat()
            return unsafe stat(path, &status) == 0 ? Status(status) : nil
        }
    }

    /// Returns the target of a symbolic link, as it is stored in the link, or nil if there is no link at the path.
    static func linkTarget(_ path: String) throws(FileDiagnostic) -> String? {
        // No path is longer than 4,096 bytes on Linux (PATH_MAX).
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = try unlessMissing(path, .link) {
            let count = unsafe readlink(path, &buffer, buffer.count)
            // EINVAL means that the path exists but is not a link.
            return count >= 0 ? count : errno == EINVAL ? 0 : nil
        }
        guard let count, count > 0 else { return nil }
        // `CChar` is unsigned on some platforms.
        return String(decoding: buffer.prefix(count).lazy.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Returns a path with all links and `..` resolved, or nil if nothing is there.
    static func realPath(_ path: String) throws(FileDiagnostic) -> String? {
        try unlessMissing(path, .link) {
            guard let text = unsafe realpath(path, nil) else { return nil }
            defer { unsafe free(text) }
            return unsafe String(cString: text)
        }
    }

    /// Returns the names in a directory, without `.` and `..`, in no particular order.
    ///
    /// - Throws: the error of any step, so that a caller never gets an incomplete list.
    static func names(in directory: String) throws(FileDiagnostic) -> [String] {
        guard !directory.utf8.contains(0) else { throw .missing }
        let stream = unsafe try checkedResult(.open) { unsafe opendir(directory) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            let entry = unsafe try checkedResult(.listing) { () -> UnsafeMutablePointer<dirent>?? in
                // `readdir` returns nil on an error and at the end. Only an error changes `errno`.
                errno = 0
                if let entry = unsafe readdir(stream) { return unsafe .some(entry) }
                return unsafe errno == 0 ? .some(nil) : nil
            }
            guard let entry = unsafe entry else { return names }
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Replaces a file in one step by a file that only its owner may read.
    ///
    /// - Returns: the reason why that failed, or nil.
    static func replaceFile(at path: String, with bytes: [UInt8]) -> String? {
        // A name of its own, because processes of two containers may have the same number. A killed process leaves the
        // file. O_EXCL follows no link that another user has put here.
        let new = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
        let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return text(of: errno) }
        // After the rename, nothing is at this path.
        defer { unsafe unlink(new) }
        let failure = written(bytes, to: descriptor) && fsync(descriptor) == 0 ? nil : text(of: errno)
        close(descriptor)
        if let failure { return failure }
        return unsafe rename(new, path) == 0 ? nil : text(of: errno)
    }

    private static func written(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }

    /// Runs a system call, and repeats it when a signal interrupts it.
    ///
    /// - Parameters:
    ///   - call: the kind of call, for tests that make it fail.
    ///   - body: the call, whose result is negative if it fails.
    /// - Returns: the result.
    /// - Throws: the diagnostic of the call's error number.
    private static func checked<Value: SignedInteger>(
        _ call: InjectedFailures.Call, _ body: () -> Value
    ) throws(FileDiagnostic) -> Value {
        try checkedResult(call) {
            let value = body()
            return value < 0 ? nil : value
        }
    }

    /// Runs a system call that returns nil if it fails, and repeats it when a signal interrupts it.
    private static func checkedResult<Value>(
        _ call: InjectedFailures.Call, _ body: () -> Value?
    ) throws(FileDiagnostic) -> Value {
        while true {
            let injected = InjectedFailures.next(call)
            if injected == nil, let value = body() { return value }
            let code = injected ?? errno
            guard code == EINTR else { throw diagnostic(of: code) }
        }
    }

    /// Runs a system call with a path. `body` returns nil if the call fails.
    ///
    /// Returns nil if nothing is at the path, and throws any other error.
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

    private static func text(of code: CInt) -> String {
        // The type is explicit, because the result is optional on some platforms only.
        let text: UnsafeMutablePointer<CChar>? = unsafe strerror(code)
        return unsafe text.map { unsafe String(cString: $0) } ?? "error \(code)"
    }

    private static func diagnostic(of code: CInt) -> FileDiagnostic {
        let cause = text(of: code)
        return switch code {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .forbidden
        case EISDIR: .directory
        case ENXIO, ENODEV: .notRegular
        case ELOOP: .circularLinks
        case ENAMETOOLONG: .longName
        case EMFILE:
            .transient(
                cause,
                remedy:
                    "Close files that are not needed, or raise the limit (ulimit -n); a running service tries again by itself"
            )
        // ESTALE and ETIMEDOUT are errors of network file systems.
        case ENFILE, EIO, ENOMEM, ENOSPC, EAGAIN, ESTALE, ETIMEDOUT: .transient(cause)
        default:
            .failed(cause, remedy: "Check that this is the right file, and that its file system works")
        }
    }
}
