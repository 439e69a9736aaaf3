/// Reads regular files with the C library, since that alone opens a pipe without waiting and learns what it has opened.
enum RegularFile {
    /// Room left behind the bytes, so that a parser can append what ends its scan without a copy.
    private static let slack = 64
    /// How many bytes are asked for at a time where the file does not say its size, as those of /proc do not.
    private static let step = 64 << 10

    /// How often a file is read again that changes while it is read.
    private static let attempts = 8

    /// Returns all bytes of a file, of one state of it as far as its size and its times tell.
    ///
    /// - Parameters:
    ///   - path: an absolute path.
    ///   - limit: the greatest size in bytes.
    static func bytes(at path: String, limit: Int) throws(FileFault) -> [UInt8] {
        for _ in 0..<attempts {
            let file = try System.openFile(path)
            let bytes = try bytes(of: file, limit: limit)
            if try isUnchanged(file) { return bytes }
        }
        throw .passing("it changes each time that it is read")
    }

    // A file of /proc has no size, and need not have a time.
    private static func isUnchanged(_ file: System.OpenFile) throws(FileFault) -> Bool {
        let before = file.status, after = try file.currentStatus()
        return after.size == before.size && (after.size == 0 || after.modified == before.modified)
    }

    // The file may grow, or have no size: it is read until it ends, and never past the limit.
    private static func bytes(of file: System.OpenFile, limit: Int) throws(FileFault) -> [UInt8] {
        switch file.status.kind {
        case .regular: break
        case .directory: throw .directory
        default: throw .notRegular
        }
        let size = file.status.size
        guard size <= limit else { throw .tooLarge(size: size, limit: limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + slack)
        while true {
            let wanted = max(size - bytes.count, 0) + (bytes.count < size ? 1 : step)
            let chunk = try file.bytes(count: wanted, slack: slack)
            if chunk.isEmpty { return bytes }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            guard bytes.count <= limit else { throw .tooLarge(size: bytes.count, limit: limit) }
        }
    }
}
