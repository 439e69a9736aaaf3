/// Reads regular files, and rejects pipes, sockets and devices.
///
/// It uses system calls instead of Foundation for two reasons. Opening a pipe must not block. And the file that is read
/// must be the file that was checked, although another file may replace it at the same path at any time.
enum RegularFile {
    /// The number of bytes that are read at a time after the reported size of the file, which is 0 for files in /proc.
    private static let step = 64 << 10

    /// The maximum number of attempts to read a file that changes during each attempt.
    private static let attempts = 8

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - limit: the maximum total size in bytes of this file and of the files that were read before.
    ///   - used: the total size in bytes of the files that were read before.
    /// - Returns: all bytes. If the size or the modification time changes during the read, the file is read again, so
    ///   that the bytes are of one state.
    /// - Throws: the reason why the file cannot be read.
    static func bytes(at path: String, limit: Int, used: Int = 0) throws(FileDiagnostic) -> [UInt8] {
        try read(path, limit: limit, used: used).bytes
    }

    /// Reads a file as `bytes(at:limit:used:)` does, and returns its status, too.
    static func read(
        _ path: String, limit: Int, used: Int
    ) throws(FileDiagnostic) -> (bytes: [UInt8], status: System.Status) {
        for _ in 0..<attempts {
            let file = try System.OpenFile(path), before = try file.status()
            let bytes = try bytes(of: file, before, limit: limit, used: used), after = try file.status()
            // Files in /proc report the size 0, and their modification times are not reliable.
            if after.size == before.size, after.size == 0 || after.modified == before.modified {
                return (bytes, after)
            }
        }
        throw .transient("it changes each time that it is read")
    }

    // Reads until the end of the file instead of its reported size, since the file may grow or report the size 0. Stops
    // once the limit is exceeded.
    private static func bytes(
        of file: System.OpenFile, _ status: System.Status, limit: Int, used: Int
    ) throws(FileDiagnostic) -> [UInt8] {
        switch status.kind {
        case .regular: break
        case .directory: throw .directory
        default: throw .notRegular
        }
        let size = min(status.size, .max - used)
        guard size <= limit - used else { throw .tooLarge(used + size, limit: limit) }
        var bytes: [UInt8] = []
        while true {
            let wanted = max(size - bytes.count, 0) + (bytes.count < size ? 1 : step)
            let chunk = try file.bytes(count: wanted)
            if chunk.isEmpty { return bytes }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            guard bytes.count <= limit - used else { throw .tooLarge(used + bytes.count, limit: limit) }
        }
    }
}
