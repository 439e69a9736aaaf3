/// Reads regular files. It uses the C library, with which alone opening a pipe does not block, and the open file tells
/// whether it is a regular one.
enum RegularFile {
    /// The spare capacity of the array, so that a parser can append the bytes that end its scan without a copy.
    private static let slack = 64
    /// How many bytes are read at a time if the file does not have its size, like those of /proc.
    private static let step = 64 << 10

    /// How often a file is read that changes while it is read.
    private static let attempts = 8

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - limit: the limit in bytes on the size of this file and of those that were read before.
    ///   - used: the size in bytes of those that were read before.
    /// - Returns: all bytes, of one state of the file as far as its size and its times tell.
    /// - Throws: the reason why the file cannot be read.
    static func bytes(at path: String, limit: Int, used: Int = 0) throws(FileDiagnostic) -> [UInt8] {
        for _ in 0..<attempts {
            let file = try System.OpenFile(path)
            let bytes = try bytes(of: file, limit: limit, used: used)
            if try isUnchanged(file) { return bytes }
        }
        throw .transient("it changes each time that it is read")
    }

    // A file of /proc has no size, and need not have a time.
    private static func isUnchanged(_ file: System.OpenFile) throws(FileDiagnostic) -> Bool {
        let before = file.status, after = try file.currentStatus()
        return after.size == before.size && (after.size == 0 || after.modified == before.modified)
    }

    // The file may grow, or have no size. So it is read until it ends, and never past the limit.
    private static func bytes(
        of file: System.OpenFile, limit: Int, used: Int
    ) throws(FileDiagnostic) -> [UInt8] {
        switch file.status.kind {
        case .regular: break
        case .directory: throw .directory
        default: throw .notRegular
        }
        let size = min(file.status.size, .max - used)
        guard size <= limit - used else { throw .tooLarge(used + size, limit: limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + slack)
        while true {
            let wanted = max(size - bytes.count, 0) + (bytes.count < size ? 1 : step)
            let chunk = try file.bytes(count: wanted, slack: slack)
            if chunk.isEmpty { return bytes }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            guard bytes.count <= limit - used else { throw .tooLarge(used + bytes.count, limit: limit) }
        }
    }
}
