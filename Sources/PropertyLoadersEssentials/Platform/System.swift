#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// The operating system's calls: the one file of this module that knows the C library (DESIGN section 2).
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
