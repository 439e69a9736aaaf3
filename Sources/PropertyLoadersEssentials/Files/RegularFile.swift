#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#else
    import Darwin
#endif

/// Reads regular files with the C library, since that alone opens a pipe without waiting and learns what it has opened.
enum RegularFile {
    /// Room left behind the bytes, so that a parser can append what ends its scan without a copy.
    private static let slack = 64
    /// How many bytes are asked for at a time where the file does not say its size, as those of /proc do not.
    private static let step = 64 << 10

    /// All bytes of a file.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - limit: the greatest size in bytes.
    static func bytes(at path: String, limit: Int) throws(FileFault) -> [UInt8] {
        guard !path.utf8.contains(0) else { throw .missing }
        // Without O_NONBLOCK, opening a pipe that nobody writes to never returns.
        let file = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw fault(errno) }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw fault(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .directory
        default: throw .notRegular
        }
        let size = Int(status.st_size)
        guard size <= limit else { throw .tooLarge(size: size, limit: limit) }
        return try bytes(of: file, size: size, limit: limit)
    }

    // The file may grow, or have no size: it is read until it ends, and never past the limit.
    private static func bytes(of file: CInt, size: Int, limit: Int) throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + slack)
        while true {
            let wanted = max(size - bytes.count, 0) + (bytes.count < size ? 1 : step)
            let chunk = try chunk(of: file, count: wanted)
            if chunk.isEmpty { return bytes }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            guard bytes.count <= limit else { throw .tooLarge(size: bytes.count, limit: limit) }
        }
    }

    private static func chunk(of file: CInt, count: Int) throws(FileFault) -> [UInt8] {
        var failure: CInt = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count + slack) { buffer, filled in
            var got = -1
            repeat {
                got = unsafe read(file, buffer.baseAddress, count)
            } while got < 0 && errno == EINTR
            failure = got < 0 ? errno : 0
            filled = max(got, 0)
        }
        guard failure == 0 else { throw fault(failure) }
        return bytes
    }

    private static func fault(_ code: CInt) -> FileFault {
        switch code {
        case ENOENT, ENOTDIR: .missing
        case EACCES, EPERM: .forbidden
        case EISDIR: .directory
        case ENXIO, ENODEV: .notRegular
        default: unsafe .system(strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)")
        }
    }
}
