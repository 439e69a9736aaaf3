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
        /// Which file it is, whatever its path.
        let device: UInt64, inode: UInt64
        /// When its content and its own data changed last, in seconds and nanoseconds since 1970.
        let modified: [Int64], changed: [Int64]
        /// How many names it has.
        let linkCount: UInt64
        /// Whether every user may read it, or look a name up in it; the directories above it may forbid both.
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
            // Where Int has 32 bits, more than it holds is more than any limit, too.
            size = Int(clamping: status.st_size)
            linkCount = UInt64(truncatingIfNeeded: status.st_nlink)
            isReadableByAll = mode & S_IROTH != 0
            isSearchableByAll = mode & S_IXOTH != 0
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            #if canImport(Darwin)
                modified = [Int64(status.st_mtimespec.tv_sec), Int64(status.st_mtimespec.tv_nsec)]
                changed = [Int64(status.st_ctimespec.tv_sec), Int64(status.st_ctimespec.tv_nsec)]
            #else
                modified = [Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec)]
                changed = [Int64(status.st_ctim.tv_sec), Int64(status.st_ctim.tv_nsec)]
            #endif
        }
    }

    /// A file that is open for reading; closed when nobody has it any more.
    final class OpenFile {
        private let descriptor: CInt
        let status: Status

        // Without O_NONBLOCK, opening a pipe that nobody writes to never returns.
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

        /// Returns the status as it is by now.
        func currentStatus() throws(FileDiagnostic) -> Status { try Self.status(of: descriptor) }

        private static func status(of descriptor: CInt) throws(FileDiagnostic) -> Status {
            var status = stat()
            _ = try System.checked(.status) { unsafe fstat(descriptor, &status) }
            return Status(status)
        }

        /// Up to `count` bytes, in an array that has room for `slack` more; none at the end.
        func bytes(count: Int, slack: Int) throws(FileDiagnostic) -> [UInt8] {
            var outcome = Result<Int, FileDiagnostic>.success(0)
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count + slack) { buffer, filled in
                outcome = Result { () throws(FileDiagnostic) in
                    try System.checked(.read) { unsafe read(descriptor, buffer.baseAddress, count) }
                }
                if case .success(let count) = outcome { filled = count }
            }
            _ = try outcome.get()
            return bytes
        }
    }

    /// Returns the status of what is at a path, a link itself and not what it leads to; nil if nothing is there.
    static func status(ofLink path: String) throws(FileDiagnostic) -> Status? {
        var status = stat()
        guard !path.utf8.contains(0) else { return nil }
        let isThere = try unlessMissing { () throws(FileDiagnostic) in
            try checked(.status) { unsafe lstat(path, &status) }
        }
        return isThere == nil ? nil : Status(status)
    }

    /// Returns the status of what a path leads to, all links followed; nil if nothing is there.
    static func status(at path: String) throws(FileDiagnostic) -> Status? {
        var result = stat()
        guard !path.utf8.contains(0) else { return nil }
        let isThere = try unlessMissing { () throws(FileDiagnostic) in
            try checked(.status) { unsafe stat(path, &result) }
        }
        return isThere == nil ? nil : Status(result)
    }

    /// Returns the text of a symbolic link, or nil if there is no link at the path.
    static func linkTarget(_ path: String) throws(FileDiagnostic) -> String? {
        guard !path.utf8.contains(0) else { return nil }
        // No path is longer than 4,096 bytes on Linux (PATH_MAX).
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = try unlessMissing { () throws(FileDiagnostic) in
            try checked(.link) {
                let count = unsafe readlink(path, &buffer, buffer.count)
                // At anything but a link.
                return count < 0 && errno == EINVAL ? 0 : count
            }
        }
        guard let count, count > 0 else { return nil }
        // `CChar` is unsigned on some platforms.
        return String(decoding: buffer.prefix(count).lazy.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    /// Returns the path of what a path leads to, without links; nil if nothing is there.
    static func realPath(_ path: String) throws(FileDiagnostic) -> String? {
        guard !path.utf8.contains(0) else { return nil }
        return try unlessMissing { () throws(FileDiagnostic) in
            let text = unsafe try checkedPointer(.link) { unsafe realpath(path, nil) }
            defer { unsafe free(text) }
            return unsafe String(cString: text)
        }
    }

    /// Returns the names in a directory, without `.` and `..`, in no order.
    ///
    /// - Throws: what any step of the listing fails with, so that a part of the list is never taken for the whole.
    static func names(in directory: String) throws(FileDiagnostic) -> [String] {
        guard !directory.utf8.contains(0) else { throw .missing }
        let stream = unsafe try checkedPointer(.open) { unsafe opendir(directory) }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while true {
            // `readdir` returns nil at the end too; then it leaves `errno` alone.
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

    /// Runs a call until no signal interrupts it.
    ///
    /// - Parameters:
    ///   - call: the call, for tests that make it fail.
    ///   - body: the call itself, whose result is negative if it failed.
    /// - Throws: what the call fails with.
    static func checked<Value: SignedInteger>(
        _ call: InjectedFailures.Call, _ body: () -> Value
    ) throws(FileDiagnostic) -> Value {
        try checkedPointer(call) {
            let value = body()
            return value < 0 ? nil : value
        }
    }

    /// Runs a call that returns nil if it fails, until no signal interrupts it.
    private static func checkedPointer<Value>(
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

    private static func unlessMissing<Value>(_ body: () throws(FileDiagnostic) -> Value) throws(FileDiagnostic)
        -> Value?
    {
        do throws(FileDiagnostic) {
            return try body()
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
